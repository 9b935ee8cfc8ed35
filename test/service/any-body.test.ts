/** Whatever a body holds, the answer is one that is documented: never a defect, never a shape of its own. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Serving, serving } from "./serving.ts";

const NAMES = [
  "a",
  "code",
  "constructor",
  "enable",
  "fs",
  "max_steps",
  "toString",
  "sandbox_root",
  "forbidden_effects",
];
const value = fc.jsonValue({ maxDepth: 4 });
const anyObject = fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 8 })), value, {
  maxKeys: 6,
});
const code = fc.constantFrom(
  "L1:\n  J 1\n",
  "# frame: a: any\nL1:\n  R core.ADD a 1 ->x\n  J x\n",
  'L1:\n  R ext.Echo "a" ->x\n  J x\n',
  "L1:\n  J ghost\n",
  "L1:\n  While true ->L2 ->L3\nL2:\n  J 1\nL3:\n  J 2\n",
);
const or = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> => fc.oneof({ weight: 4, arbitrary }, value);

const request = fc.record(
  {
    code: or(fc.oneof(code, fc.string({ maxLength: 60 }))),
    ir: or(anyObject),
    strict: or(fc.boolean()),
    label: or(fc.constantFrom("L1", "L2", "1", "->L1", "")),
    frame: or(anyObject),
    limits: or(
      fc.dictionary(fc.constantFrom("max_steps", "max_depth", "max_adapter_calls", "max_time_ms"), fc.integer()),
    ),
    allowed_adapters: or(fc.array(fc.constantFrom("core", "ext", "http", ""))),
    adapters: or(anyObject),
    policy: or(fc.record({ forbidden_adapters: fc.array(fc.constantFrom("core", "ext")) }, { requiredKeys: [] })),
    trace: or(fc.boolean()),
    trace_options: or(anyObject),
    record_calls: or(fc.boolean()),
    replay_log: or(fc.array(anyObject, { maxLength: 3 })),
    replay_artifact_id: or(fc.string({ maxLength: 10 })),
    other: value,
  },
  { requiredKeys: ["code"] },
);

let service: Serving;
beforeAll(async () => {
  service = await serving({ variables: { WF_LOG_LEVEL: "error" } });
});
afterAll(() => service.stop());

describe("any body", () => {
  it("of the shape of a request has a documented answer", async () => {
    await fc.assert(
      fc.asyncProperty(request, async (body) => {
        // `call` holds every answer against the OpenAPI document.
        const reply = await service.run(body as object);
        expect(reply.status).toBeLessThan(500);
      }),
      { numRuns: 400 },
    );
    expect(service.log).toEqual([]);
  }, 60_000);

  it("of any shape has a documented answer", async () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    const text = fc.oneof(fc.json(), fc.string({ unit: "binary" }), bytes);
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom("/run", "/batch"), async (body, path) => {
        const reply = await service.call("POST", path, typeof body === "string" ? body : Buffer.from(body));
        expect([400, 422]).toContain(reply.status);
      }),
      { numRuns: 200 },
    );
  }, 60_000);
});
