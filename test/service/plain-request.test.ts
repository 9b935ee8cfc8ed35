/** The quick look at a request takes exactly what the schema takes as it is: compared over bodies of every shape. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlainRequest } from "../../service/run-request.ts";
import { BatchHead, BatchRequest } from "../../service/schemas/batch.ts";
import { EnqueueRequest } from "../../service/schemas/jobs.ts";
import { RunRequest, runMembers } from "../../service/schemas/run.ts";

const schemas = { RunRequest, EnqueueRequest, BatchHead, BatchRequest };
const names = [...Object.keys(runMembers), "frames", "retry", "keep_s", "concurrency", "on_error", "order", "codes"];
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom("L1:\n  J 1\n", " ", "", true, false, null, 0, {}, [], [{}], [{ x: 1 }, null], { x: 1 }),
);
const body = fc.dictionary(fc.constantFrom(...names), value as fc.Arbitrary<never>, {
  maxKeys: 5,
  noNullPrototype: true,
});

const withFrames = body.map((given) => ({ ...given, frames: [{ x: 1 }] }));

describe("a plain request", () => {
  it.each(Object.entries(schemas))("is taken by %s as it is", (_name, schema) => {
    let plain = 0;
    fc.assert(
      fc.property(fc.oneof(body, withFrames), (given) => {
        if (!isPlainRequest(schema, given)) return;
        plain += 1;
        const read = schema.safeParse(given);
        expect(read.error).toBeUndefined();
        expect(read.data).toEqual(given);
      }),
      { numRuns: 3000 },
    );
    expect(plain).toBeGreaterThan(10);
  });
});
