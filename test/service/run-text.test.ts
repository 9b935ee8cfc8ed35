/** What is put together as text is what JSON.stringify makes of the same members, to the byte, for values of every shape. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runCompleteFields } from "../../adapters/run-events.ts";
import type { HttpExchange } from "../../service/events.ts";
import { exchangeText, frameText, membersText, runCompleteText, successText } from "../../service/run-text.ts";
import { RunSuccess } from "../../service/schemas/run.ts";

type Success = Parameters<typeof successText>[0];

const count = fc.nat();
const ms = fc.oneof(
  fc.nat().map((thousandths) => thousandths / 1000),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
);
const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("L1", "chk/ENTRY", '"', "\\", "\n", "\u2028"));
const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const usage = fc.record({
  steps: count,
  depth: count,
  adapter_calls: count,
  time_ms: ms,
  frame_bytes: fc.option(count),
  loop_iters: count,
});
const limits = fc
  .record({ max_steps: count, max_depth: count, max_time_ms: count }, { requiredKeys: [] })
  .chain((given) => fc.constantFrom(given, Object.freeze(given)));
const success = fc.record({
  ok: fc.constant(true as const),
  trace_id: text,
  label: text,
  out: fc.jsonValue(),
  runtime_version: text,
  ir_version: text,
  duration_ms: ms,
  adapter_p95_ms: fc.dictionary(text, ms, { maxKeys: 2, noNullPrototype: true }),
  usage,
  limits,
  stats: fc.record({ compile_ms: ms, run_ms: ms, cache_hit: fc.boolean(), checksum: text }),
  warnings: fc.array(text, { maxLength: 2 }),
  trace: optional(fc.constant([{ seq: 0, kind: "end" }])),
  record: optional(fc.constant(undefined)),
  adapter_calls: optional(fc.constant(undefined)),
  replay: optional(fc.record({ matched: count, remaining: count })),
  replay_artifact_id: optional(text),
});

describe("the text of a run", () => {
  it("is that of its answer, which the schema takes", () => {
    fc.assert(
      fc.property(success as fc.Arbitrary<unknown>, (body) => {
        const made = successText(body as Success);
        expect(made).toBe(JSON.stringify(body));
        expect(RunSuccess.safeParse(JSON.parse(made)).error).toBeUndefined();
      }),
    );
  });

  it("is that of its line in a batch, also beside runs that used the same", () => {
    const lines = fc.array(
      fc.record({ index: count, ok: fc.constant(true), out: fc.jsonValue(), usage, duration_ms: ms }),
    );
    fc.assert(
      fc.property(lines, (some) => {
        for (const line of [...some, ...some.map((one) => ({ ...one, usage: some[0]?.usage ?? one.usage }))])
          expect(frameText(line.index, line.out, line.usage, line.duration_ms)).toBe(JSON.stringify(line));
      }),
    );
  });

  it("is that of its last event", () => {
    fc.assert(
      fc.property(fc.record({ label: text, duration_ms: ms, usage }), (end) => {
        expect(runCompleteText(end)).toBe(membersText(runCompleteFields(end)));
      }),
    );
  });

  it("is that of its request's event", () => {
    const figures = { method: text, route: text, status: count, duration_ms: ms, bytes_in: count, bytes_out: count };
    fc.assert(
      fc.property(fc.record(figures), (exchange: HttpExchange) => {
        expect(exchangeText(exchange)).toBe(membersText(exchange));
      }),
    );
  });
});
