/** `wf test` with property files: drawn frames, invariants, seeds, and the schemas both are written in. */
import { describe, expect, it } from "vitest";
import { drawValue, misfit, type Schema } from "../../cli/test/schema.ts";
import { seededRandom } from "../../vm/testing/mocks.ts";
import { documentOf, wf } from "./console.ts";
import { folderWith } from "./folders.ts";

const PROGRAM =
  "# frame: n: number, names: list\nL1:\n  If n > 90 ->L_bad ->L_ok\nL_bad:\n  R core.DIV 1 0 ->x\n  J x\nL_ok:\n  J (len names)\n";
const FRAME = {
  n: { type: "integer", minimum: 0, maximum: 100 },
  names: { type: "array", items: { type: "string", maxLength: 3 }, maxItems: 5 },
};
const property = (value: object): string =>
  folderWith({ "a.wf": PROGRAM, "a.property.json": JSON.stringify({ frame: FRAME, runs: 40, ...value }) });

describe("property files", () => {
  it("pass when every run keeps the invariants", async () => {
    const result: Schema = { type: "integer", minimum: 0, maximum: 5 };
    const invariants = { errors: ["RUNTIME_OP_ERROR"], result, usage: { steps: { max: 3 } }, deterministic: true };
    expect(await wf(["test", "--json"], { cwd: property({ invariants }) })).toMatchObject({ code: 0 });
  });

  it("show the shortest frame that failed, and how to draw it again", async () => {
    const cwd = property({ name: "never fails", invariants: {} });
    const document = documentOf(await wf(["test", "--json"], { cwd })) as { tests: { frame: { n: number } }[] };
    expect(document).toMatchObject({
      ok: false,
      tests: [{ name: "never fails", kind: "property", runs: 40, seed: 0 }],
    });
    expect(document.tests[0]?.frame.n).toBeGreaterThan(90);
    const text = (await wf(["test", "--seed", "5"], { cwd })).stdout;
    expect(text).toMatch(/\n {4}frame \{"n":\d+,"names":\[.*\n {4}again with --seed 5\n {4}failure\n/);
    expect((await wf(["test", "--seed", "5"], { cwd })).stdout).toBe(text);
  });

  it.each<[string, object, string]>([
    ["a result that does not fit", { errors: ["RUNTIME_OP_ERROR"], result: { type: "string" } }, "result"],
    ["a cost that is too high", { errors: ["RUNTIME_OP_ERROR"], usage: { steps: { max: 1 } } }, "usage.steps"],
  ])("fail for %s", async (_, invariants, what) => {
    const result = await wf(["test", "--json"], { cwd: property({ invariants }) });
    expect(result.code).toBe(1);
    expect(documentOf(result)).toMatchObject({ tests: [{ mismatches: [{ what }] }] });
  });

  it("fail for a call without a mock", async () => {
    const cwd = folderWith({
      "a.wf": 'L1:\n  R http.Get "https://a.example" ->r\n  Err ->L2\n  J r\nL2:\n  J 2\n',
      "a.property.json": JSON.stringify({ frame: {}, runs: 1, invariants: {} }),
    });
    expect(documentOf(await wf(["test", "--json"], { cwd }))).toMatchObject({
      tests: [{ mismatches: [{ what: "calls" }] }],
    });
  });

  it.each([
    [{ invariants: { always: true } }],
    [{ invariants: {}, runs: 0 }],
    [{ invariants: {}, frame: { n: { type: "integer", multipleOf: 3 } } }],
  ])("are refused: %j", async (value) => {
    expect((await wf(["test"], { cwd: property(value) })).code).toBe(2);
  });

  it.each([
    [
      { invariants: { seed: 1 } },
      "/invariants: 'seed' has no place here; a property lists what must hold in invariants; all other members stand next to it",
    ],
    [{ invariants: {}, sed: 1 }, "it: unknown member 'sed'; did you mean seed?"],
    [{ invariants: {}, replay: "a" }, "it: unknown member 'replay'"],
  ])("report the members of properties, not those of golden tests: %j", async (value, said) => {
    const stderr = `error invalid_test  a.property.json is not a test: ${said}\n`;
    expect(await wf(["test"], { cwd: property(value) })).toMatchObject({ code: 2, stderr });
  });
});

describe("schemas", () => {
  const SCHEMAS: readonly Schema[] = [
    {},
    { const: { a: [1] } },
    { enum: ["a", 1, null] },
    { type: "number", minimum: -1.5, maximum: -0.5 },
    { type: "integer", minimum: 7 },
    { type: "integer", maximum: -500 },
    { type: "string", minLength: 2, maxLength: 2 },
    { type: "string", maxLength: 0 },
    { type: "array", items: { type: "boolean" }, minItems: 3 },
    { type: "object", properties: { a: { type: "string" }, __proto__x: { type: "null" } }, required: ["a"] },
    { anyOf: [{ type: "null" }, { type: "array", items: { enum: [1] } }] },
  ];

  it.each(SCHEMAS)("%j draws what fits", (schema) => {
    const random = seededRandom(3);
    for (let count = 0; count < 200; count += 1) expect(misfit(schema, drawValue(schema, random))).toBeNull();
  });

  it.each<[Schema, unknown, string]>([
    [{ type: "integer" }, 1.5, "/"],
    [{ type: "object", properties: { a: { type: "string" } }, required: ["a"] }, {}, "/a"],
    [{ type: "array", items: { type: "object", properties: { n: { maximum: 3 } } } }, [{ n: 1 }, { n: 4 }], "/1/n"],
    [{ anyOf: [{ type: "null" }, { const: 1 }] }, 2, "/"],
  ])("%j: %j does not fit at %s", (schema, value, place) => {
    expect(misfit(schema, value as never)).toBe(place);
  });
});
