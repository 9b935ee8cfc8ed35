/** Values that a small program makes big: shared parts, nesting, texts too long to print. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import type { Json } from "../../compiler/json.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { createHost } from "../../vm/host.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../support/mock-adapters.ts";
import { testCatalog } from "../support/run-case.ts";

async function run(source: string) {
  const clock = fakeClock();
  const host = createHost({
    clock,
    facts: fakeFacts(),
    catalog: testCatalog,
    adapters: mockAdapters(clock),
    traceId: () => "t",
  });
  const { ir, diagnostics } = host.compile(source, { strict: false });
  if (ir === null) throw new Error(JSON.stringify(diagnostics));
  return host.run({ ir, trace: true });
}

/** Runs `body` n times, then `end`. */
const repeated = (n: number, start: string, body: string, end: string): string =>
  `L1:\n Set s ${start}\n X r range 0 ${n}\n Loop r i ->LB ->LE\nLB:\n ${body}\n J null\nLE:\n ${end}\n`;

describe("a result that holds one part very often", () => {
  it("leaves the run without a copy of the part for each place", async () => {
    const answer = await run(repeated(24, "[1]", "Set s [s, s]", "J s"));
    if (!answer.ok) throw new Error(answer.error.message);
    let value: Json = answer.out;
    for (let level = 0; level < 24; level += 1) {
      if (!Array.isArray(value)) throw new Error("not a list");
      expect(value[0]).toBe(value[1]);
      value = value[0] as Json;
    }
    expect(value).toEqual([1]);
  });

  it("goes to an adapter in the same way", async () => {
    const answer = await run(repeated(24, "[1]", "Set s [s, s]", "R ext.CALLID [s, s, s] ->x\n J 1"));
    expect(answer.ok && answer.out).toBe(1);
  });

  it("also when the part is a long list of numbers", async () => {
    const many = Array.from({ length: 5 }, () => "$v, $v, $v, $v").join(", ");
    const answer = await run(`L1:\n X v range 300000\n J [${many}]\n`);
    if (!answer.ok || !Array.isArray(answer.out)) throw new Error("no list");
    expect(answer.out.length).toBe(20);
    expect(new Set(answer.out).size).toBe(1);
  });

  it.each([
    ["just fits", 490, true],
    ["is one level too deep", 491, false],
  ])("and stands deep: %s", async (_title, levels, fits) => {
    const end = `Set q s\n X z range 0 ${levels}\n Loop z i ->LQ ->LZ\nLQ:\n Set q [q]\n J null\nLZ:\n J [s, q]`;
    const answer = await run(repeated(20, "[1]", "Set s [s, s]", end));
    expect(answer.ok ? "ok" : answer.error.message).toBe(fits ? "ok" : "value nested too deeply");
  });

  it("cannot be changed in the program through the result", async () => {
    const clock = fakeClock();
    const host = createHost({
      clock,
      facts: fakeFacts(),
      catalog: builtinCatalog,
      adapters: new Map(),
      traceId: () => "t",
    });
    const { ir } = host.compile("L1:\n J [1, {a: [2]}]\n");
    if (ir === null) throw new Error("does not compile");
    const first = await host.run({ ir });
    if (first.ok) (first.out as Json[]).push("changed");
    const second = await host.run({ ir });
    expect(second.ok && second.out).toEqual([1, { a: [2] }]);
  });
});

it("a trace of steps that touch a big value does not walk it each time", async () => {
  const end = "Set t [s]\n X z range 0 300\n Loop z i ->LQ ->LZ\nLQ:\n Set t [s]\n J null\nLZ:\n J 1";
  const answer = await run(repeated(24, "[1]", "Set s [s, s]", end));
  expect(answer.ok ? answer.trace?.length : answer.error).toBeGreaterThan(300);
});

describe("what an adapter asks for", () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1])("a wait of %s is ignored", (retryAfterMs) => {
    expect(new AdapterError("ADAPTER_BUSY", "busy", { retryAfterMs }).retryAfterMs).toBeNull();
  });

  it("a wait that is not a number does not block the run for ever", async () => {
    const answer = await run("L1:\n R ext.WAITS 10x\n Retry 1 200\n J 1\n");
    expect(answer.ok ? "ok" : answer.error.code).toBe("RUNTIME_ADAPTER_ERROR");
  });
});
