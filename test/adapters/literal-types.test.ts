/** What the catalog says of types of arguments: read from schemas only where these prove it, and never against what a run would do. */
import { describe, expect, it } from "vitest";
import { binderOf } from "../../adapters/definition/bind.ts";
import { catalogEntryOf } from "../../adapters/definition/catalog-entry.ts";
import { anyJson, arg, id, verbsFor, z } from "../../adapters/definition/define.ts";
import { literalTypesOf } from "../../adapters/definition/literal-types.ts";
import { BUILTIN_LOADERS } from "../../adapters/registry.ts";
import { type AdapterCatalog, createCatalog } from "../../compiler/catalog.ts";
import { compile } from "../../compiler/compile.ts";
import type { Json } from "../../compiler/json.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { PROBE } from "../support/adapter-bench.ts";

describe("the types of a schema", () => {
  it.each([
    ["text", z.string().min(3).regex(/a/), ["text"]],
    ["a number", z.number().positive(), ["number"]],
    ["a whole number", z.number().int().min(1), ["integer"]],
    ["a whole number of its own kind", z.int(), ["integer"]],
    ["either number", z.union([z.int(), z.number()]), ["number"]],
    ["an id", id(), ["text", "integer"]],
    ["left out", z.boolean().optional(), ["boolean", "null"]],
    ["with a default", z.array(z.string()).default([]), ["list", "null"]],
    ["an enumeration", z.enum(["a", "b"]), ["text"]],
    ["values", z.literal([1, "a", null]), ["text", "number", "null"]],
    ["objects", z.union([z.strictObject({}), z.record(z.string(), z.string())]).readonly(), ["object"]],
    [
      "changed afterwards",
      z
        .string()
        .transform((text) => text.length)
        .pipe(z.number()),
      ["text"],
    ],
    ["refined", z.number().refine((n) => n !== 4), ["number"]],
    ["anything", anyJson(), null],
    ["changed before", z.preprocess((value) => String(value), z.string()), null],
    ["converted", z.coerce.number(), null],
    ["converted inside", z.union([z.string(), z.coerce.number()]), null],
    ["said later", z.lazy(() => z.string()), null],
    ["of another kind", z.custom<string>((value) => typeof value === "string"), null],
    ["every type", z.json(), null],
    ["written as data", z.fromJSONSchema({ type: ["string", "null"] }), ["text", "null"]],
  ])("%s", (_, schema, types) => {
    expect(literalTypesOf([schema])).toEqual(types);
  });

  it("are those of all forms together", () => {
    expect(literalTypesOf([z.string(), z.number()])).toEqual(["text", "number"]);
    expect(literalTypesOf([z.string(), z.any()])).toBeNull();
  });
});

/** Every type, and what may be taken for options. */
const LITERALS: readonly Json[] = ["a", "12", 1, 1.5, 0, true, [], [1], {}, { limit: 1 }, null];

/** Every list of up to two arguments, and longer ones in turns. */
function* argumentLists(most: number): Generator<readonly Json[]> {
  const of = (at: number): Json => LITERALS[at % LITERALS.length] as Json;
  for (const a of LITERALS) {
    yield [a];
    for (const b of LITERALS) yield [a, b];
  }
  for (let length = 3; length <= most; length++)
    for (let at = 0; at < 300; at++) yield Array.from({ length }, (_, place) => of(at * (place + 1) + (at >> place)));
}

const written = (value: Json): string => JSON.stringify(value);

/** A compile reports at most a thousand findings. */
const AT_ONCE = 150;

/** The argument lists of which the compiler says that a type is wrong. */
function told(call: string, lists: readonly (readonly Json[])[], catalog: AdapterCatalog): ReadonlySet<number> {
  const found = new Set<number>();
  for (let from = 0; from < lists.length; from += AT_ONCE) {
    const lines = lists.slice(from, from + AT_ONCE).map((args) => `  R ${[call, ...args.map(written)].join(" ")} ->_`);
    const { diagnostics } = compile(["L1:", ...lines, "  J 1"].join("\n"), { catalog });
    for (const { code, span } of diagnostics) if (code === "WF5011") found.add(from + (span?.line ?? 0) - 2);
  }
  return found;
}

function isRefused(bind: ReturnType<typeof binderOf>, args: readonly Json[]): boolean {
  try {
    bind(args);
    return false;
  } catch (error) {
    return error instanceof AdapterError && error.code === "ADAPTER_BAD_ARGS";
  }
}

describe.each(Object.entries(BUILTIN_LOADERS))("a literal argument of %s", (name, load) => {
  it("that the compiler calls wrong is refused by every run", async () => {
    const definition = await load();
    const catalog = createCatalog([catalogEntryOf(definition)]);
    let count = 0;
    for (const [word, verb] of Object.entries(definition.verbs)) {
      const parameters = catalog.adapter(name)?.verbs.find((one) => one.name === word)?.parameters ?? [];
      const lists = [...argumentLists(parameters.length + 1)].slice(0, 900);
      const bind = binderOf(verb, {} as never, (() => ({})) as never, {} as never);
      const wrong = told(`${name}.${word}`, lists, catalog);
      count += wrong.size;
      const accepted = lists.filter((args, at) => wrong.has(at) && !isRefused(bind, args));
      expect([word, accepted]).toEqual([word, []]);
    }
    expect(count).toBeGreaterThan(30);
  });
});

describe("a plugin", () => {
  const verb = verbsFor<Record<never, never>>();
  const facts = { summary: "s", effect: "io-read", determinism: "state", result: anyJson(), run: () => null } as const;
  const city = arg("city", z.string());
  const verbs = {
    get: verb({
      ...facts,
      args: z.tuple([city, arg("days", z.number().int().optional())]),
      options: z.strictObject({}),
    }),
    forms: verb({
      ...facts,
      args: z.tuple([city]),
      forms: [z.tuple([arg("id", z.number()), arg("flag", z.boolean())])],
    }),
    respelt: verb({ ...facts, args: z.tuple([city]), respell: (args) => args.map(String) }),
  };
  const catalog = createCatalog([catalogEntryOf({ ...PROBE, settings: {}, verbs })]);
  const messages = (call: string): string[] =>
    compile(`L1:\n  R ${PROBE.name}.${call} ->x\n  J x\n`, { catalog })
      .diagnostics.filter(({ code }) => code === "WF5011")
      .map(({ message }) => message.replace(`${PROBE.name}.`, ""));

  it.each([
    ["get 5", ["get: argument 1 must be text"]],
    ["get a 1.5", ["get: argument 2 must be a whole number"]],
    ["get a true 7", ["get: argument 2 must be a whole number", "get: argument 3 must be an object"]],
    ["get {} 1", ["get: argument 1 must be text"]],
    ["get {}", []],
    ["get a {}", []],
    ["get a null", []],
    ["get null", ["get: argument 1 must be text"]],
    ["get $city (add 1 2)", []],
    ["forms true", ["forms: argument 1 must be text or a number"]],
    ["forms 5 true", []],
    ["respelt 5", []],
  ])("%s", (call, expected) => {
    expect(messages(call)).toEqual(expected);
  });
});
