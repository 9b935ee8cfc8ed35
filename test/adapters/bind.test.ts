/** From the arguments of a call to what a verb receives: options, nulls, forms, and what is said of arguments that do not fit. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptsObject } from "../../adapters/definition/bind.ts";
import {
  type AdapterDefinition,
  anyJson,
  arg,
  defineAdapter,
  id,
  verbsFor,
  z,
} from "../../adapters/definition/define.ts";
import type { Json } from "../../compiler/json.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { exactly } from "../../vm/inputs/exact-text.ts";
import { openBench, PROBE } from "../support/adapter-bench.ts";

const verb = verbsFor<Record<never, never>>();
const facts = { summary: "s", effect: "io-read", kind: "fs", determinism: "state", result: anyJson() } as const;
const seen = ({ args, options }: { args: readonly unknown[]; options: object }): unknown => ({
  args: [...args],
  options: { ...options },
});
const one = z.strictObject({ n: z.number().int().min(0).max(9).optional(), mode: z.enum(["a", "b"]).default("a") });

const definition: AdapterDefinition = defineAdapter({
  ...PROBE,
  settings: {},
  verbs: {
    text: verb({
      ...facts,
      args: z.tuple([arg("a", z.string()), arg("b", z.string().optional())]),
      options: one,
      run: seen,
    }),
    object: verb({
      ...facts,
      args: z.tuple([arg("a", z.string()), arg("filter", z.record(z.string(), anyJson()).optional())]),
      options: one,
      run: seen,
    }),
    plain: verb({ ...facts, args: z.tuple([arg("a", z.string())]), run: seen }),
    rest: verb({ ...facts, args: z.tuple([arg("a", z.string())], arg("n", z.number())), options: one, run: seen }),
    all: verb({ ...facts, args: z.tuple([arg("first", anyJson())], arg("value", anyJson())), run: seen }),
    nullable: verb({
      ...facts,
      args: z.tuple([arg("a", z.null()), arg("b", z.number().nullable().optional())]),
      run: seen,
    }),
    middle: verb({
      ...facts,
      args: z.tuple([
        arg("a", z.string().optional()),
        arg("b", z.number().optional()),
        arg("c", z.boolean().optional()),
      ]),
      run: seen,
    }),
    forms: verb({
      ...facts,
      args: z.tuple([arg("key", z.string())]),
      forms: [z.tuple([arg("space", z.string()), arg("key", id())]), z.tuple([arg("number", z.number())])],
      run: seen,
    }),
    above: verb({
      ...facts,
      args: z.tuple([arg("n", z.number().positive().lt(9))]),
      run: seen,
    }),
    late: verb({
      ...facts,
      args: z.tuple([]),
      options: z.strictObject({ timeout_s: z.number().optional() }),
      run: seen,
    }),
  },
});

const bench = await openBench(definition);
const call = (name: string, ...args: readonly Json[]): Promise<Json> => bench.call(name, ...args);
async function issues(name: string, ...args: readonly Json[]): Promise<Json> {
  try {
    return { accepted: await bench.call(name, ...args) };
  } catch (thrown) {
    if (!(thrown instanceof AdapterError) || thrown.code !== "ADAPTER_BAD_ARGS") throw thrown;
    expect(thrown.retryable).toBe(false);
    return (thrown.data as { issues: Json }).issues;
  }
}

describe("an argument that takes little room and no end to be written", () => {
  const row: Json = Array.from({ length: 100_000 }, () => 1);
  const huge: Json = Array.from({ length: 1000 }, () => row);

  it.each<[string, string, Json[], string]>([
    ["is refused", "all", [huge], "argument /0 is longer as JSON than a text may be"],
    ["also inside of others", "all", ["x", { a: [huge] }], "argument /1 is longer as JSON than a text may be"],
  ])("%s", async (_what, name, given, message) => {
    await expect(call(name, ...given)).rejects.toMatchObject({ code: "ADAPTER_TOO_LARGE", message });
  });
});

it.each<[string, Json, string]>([
  ["a float", { n: 2 }, '{"n": 2.0}'],
  ["a long int", { n: 1e22 }, '{"n": 10000000000000000000001}'],
  ["the order of keys", { 9: 1, 10: 2 }, '{"10": 2, "9": 1}'],
])("%s is not sent to a verb that does not keep it", async (_what, value, text) => {
  await expect(call("all", exactly(value, text))).rejects.toThrow(/cannot keep/);
});

describe("the options object", () => {
  it.each<[string, string, Json[], Json[], object]>([
    ["comes after the last place", "text", ["x", "y", { n: 1 }], ["x", "y"], { n: 1, mode: "a" }],
    ["stands in a place that takes no object", "text", ["x", { mode: "b" }], ["x"], { mode: "b" }],
    ["may follow a place that was left out", "text", ["x", null, { n: 2 }], ["x"], { n: 2, mode: "a" }],
    ["is not what a place takes as its own", "object", ["x", { size: 1 }], ["x", { size: 1 }], { mode: "a" }],
    ["comes after such a place", "object", ["x", { n: 1 }, { n: 2 }], ["x", { n: 1 }], { n: 2, mode: "a" }],
    ["comes after such a place that is omitted", "object", ["x", null, { n: 2 }], ["x"], { n: 2, mode: "a" }],
    ["comes after any number of numbers", "rest", ["x", 1, 2, { n: 3 }], ["x", 1, 2], { n: 3, mode: "a" }],
    ["may be empty", "text", ["x", {}], ["x"], { mode: "a" }],
    ["is not there", "text", ["x"], ["x"], { mode: "a" }],
    ["is not recognized where objects are arguments", "all", [{ n: 1 }, { n: 2 }], [{ n: 1 }, { n: 2 }], {}],
  ])("%s", async (_what, name, given, args, options) => {
    expect(await call(name, ...given)).toEqual({ args, options });
  });

  it.each<[string, string, Json[], Json]>([
    [
      "an unknown key",
      "text",
      ["x", { secret: 1 }],
      [{ path: "/options", expected: "no options but n and mode", got: "object" }],
    ],
    ["a wrong type", "text", ["x", { n: "1" }], [{ path: "/options/n", expected: "number", got: "string" }]],
    [
      "a value below its range",
      "text",
      ["x", { n: -1 }],
      [{ path: "/options/n", expected: "at least 0", got: "number" }],
    ],
    [
      "a value above its range",
      "text",
      ["x", { n: 10 }],
      [{ path: "/options/n", expected: "at most 9", got: "number" }],
    ],
    ["a value at a bound that is out", "above", [0], [{ path: "/0", expected: "more than 0", got: "number" }]],
    ["a value at the upper one", "above", [9], [{ path: "/0", expected: "less than 9", got: "number" }]],
    ["a fraction", "text", ["x", { n: 0.5 }], [{ path: "/options/n", expected: "whole number", got: "number" }]],
    ["another word", "text", ["x", { mode: "c" }], [{ path: "/options/mode", expected: "one of a, b", got: "string" }]],
    [
      "bytes in place of options",
      "text",
      ["x", { $base64: "AA==" }],
      [{ path: "/1", expected: "string", got: "object" }],
    ],
    [
      "an object for a verb without options",
      "plain",
      ["x", {}],
      [{ path: "/1", expected: "no further argument", got: "an argument" }],
    ],
  ])("with %s is refused", async (_what, name, given, expected) => {
    expect(await issues(name, ...given)).toEqual(expected);
  });

  it("named __proto__ is an unknown option", async () => {
    const hostile = JSON.parse('{"__proto__": {"n": 1}}') as Json;
    expect(await issues("text", "x", hostile)).toMatchObject([{ expected: "no options but n and mode" }]);
  });
});

describe("null and absence", () => {
  it.each<[string, Json[], Json[]]>([
    ["middle", [null, 2], [null, 2]],
    ["middle", ["x", null, true], ["x", null, true]],
    ["middle", ["x", null, null], ["x"]],
    ["middle", [null, null, null], []],
    ["middle", [], []],
    ["nullable", [null], [null]],
    ["nullable", [null, null], [null, null]],
  ])("%s %j", async (name, given, args) => {
    // What was left out reads as undefined, which an answer cannot hold.
    expect(await call(name, ...given)).toMatchObject({ args });
  });

  it("null is not accepted for a required place", async () => {
    expect(await issues("plain", null)).toEqual([{ path: "/0", expected: "string", got: "null" }]);
    expect(await issues("rest", "x", null)).toEqual([{ path: "/1", expected: "number", got: "null" }]);
  });
});

describe("arguments", () => {
  it.each<[string, Json[], Json]>([
    ["plain", [], [{ path: "/0", expected: "an argument", got: "nothing" }]],
    ["plain", ["a", "b"], [{ path: "/1", expected: "no further argument", got: "an argument" }]],
    ["plain", [7], [{ path: "/0", expected: "string", got: "number" }]],
    ["plain", [true], [{ path: "/0", expected: "string", got: "boolean" }]],
    ["plain", [[]], [{ path: "/0", expected: "string", got: "list" }]],
    ["plain", [{}], [{ path: "/0", expected: "string", got: "object" }]],
    ["middle", ["a", "2"], [{ path: "/1", expected: "number", got: "string" }]],
  ])("are not converted: %s %j", async (name, given, expected) => {
    expect(await issues(name, ...given)).toEqual(expected);
  });

  it("take the first form that fits, and complain about the one that fits best", async () => {
    expect(await call("forms", "k")).toMatchObject({ args: ["k"] });
    expect(await call("forms", "s", 7)).toMatchObject({ args: ["s", "7"] });
    expect(await call("forms", 7)).toMatchObject({ args: [7] });
    expect(await issues("forms", "s", true)).toHaveLength(1);
    expect(await issues("forms")).toHaveLength(1);
  });

  it("text and whole numbers are ids, nothing else", async () => {
    expect(await issues("forms", "s", 1.5)).toHaveLength(1);
    expect(await call("forms", "s", -0)).toMatchObject({ args: ["s", "0"] });
  });

  it("are copied: a verb cannot change what the program holds", async () => {
    const given: Json[] = [{ a: [1] }];
    await call("all", ...given);
    expect(given).toEqual([{ a: [1] }]);
  });

  it("that do not fit are reported by place and type, never by value", async () => {
    const secret = "canary-3f9a";
    const hostile = fc.oneof(
      fc.constant(secret),
      fc.constant([secret]),
      fc.constant({ [secret]: 1 }),
      fc.constant({ n: secret }),
      fc.constant({ mode: secret }),
      fc.constant(null),
      fc.constant(1e9),
    ) as fc.Arbitrary<Json>;
    const names = fc.constantFrom(...Object.keys(definition.verbs));
    await fc.assert(
      fc.asyncProperty(names, fc.array(hostile, { maxLength: 4 }), async (name, args) => {
        try {
          await bench.call(name, ...args);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(AdapterError);
          const { code, message, data } = thrown as AdapterError;
          expect(code).toBe("ADAPTER_BAD_ARGS");
          expect(`${message} ${JSON.stringify(data)}`).not.toContain(secret);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("what was expected", () => {
  it.each([
    ["a pattern that has a name", z.string().regex(/^a$/, "the letter a"), "the letter a"],
    ["a pattern without", z.string().regex(/^a$/), "text of another form"],
    ["an unknown format", z.ulid(), "text of another form"],
    ["a format of the library", z.iso.date(), "a date"],
    ["forms that have a name together", z.union([z.iso.date(), z.iso.datetime()], "a day"), "a day"],
    ["a name that has a name", z.record(z.string().regex(/^a$/, "the letter a"), z.number()), "the letter a"],
    ["forms without", z.union([z.iso.date(), z.iso.datetime()]), "one of the accepted forms"],
  ])("is reported in the words of the definition: %s", async (_what, schema, expected) => {
    const named = defineAdapter({
      ...PROBE,
      settings: {},
      verbs: { take: verb({ ...facts, args: z.tuple([arg("a", schema)]), run: seen }) },
    });
    const bench = await openBench(named);
    const given = schema instanceof z.ZodRecord ? { b: "b" } : "b";
    await expect(bench.call("take", given)).rejects.toMatchObject({
      message: expect.stringMatching(`^argument /0(?:/b)?: expected ${expected}, got string$`),
    });
  });
});

describe("whether a place takes objects", () => {
  it.each([
    ["text", z.string(), false],
    ["text or null", z.string().nullish(), false],
    ["a list", z.array(z.string()), false],
    ["one word", z.enum(["a"]), false],
    ["one value", z.literal(7), false],
    ["anything", anyJson(), true],
    ["an object", z.strictObject({}), true],
    ["a record", z.record(z.string(), z.string()), true],
    ["text or an object", z.union([z.string(), z.object({})]), true],
    ["an optional object", z.object({}).optional(), true],
    ["a rule of its own", z.custom(() => true), true],
    ["an id", id(), false],
  ])("%s", (_what, schema, expected) => {
    expect(acceptsObject(schema)).toBe(expected);
  });
});
