import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FUNCTIONS, findFunction, isHostCall, maxArguments, minArguments } from "../../../compiler/functions.ts";
import type { Json } from "../../../compiler/json.ts";
import { functionOf } from "../../../vm/functions/table.ts";
import { compiled, run, world } from "../../support/world.ts";
import { call, failure } from "./calling-functions.ts";

const PUBLISHED =
  "ABS ADD AND BOOL CEIL CLAMP CONCAT CONTAINS DIV ECHO ENDSWITH ENV EQ FILTER_HIGH_SCORE FLATTEN FLOAT FLOOR FORMAT GET GT GTE HASH ID IDIV INT ISO ISO_TS JOIN KEYS LEN LOWER LSTRIP LT LTE MAX MERGE MIN MOD MUL NEQ NOOP NOT NOW OMIT OR PARSE PICK POW RANGE REPLACE REVERSE ROUND RSTRIP SLEEP SLICE SORT SPLIT STARTSWITH STR STRINGIFY STRIP SUB SUBSTR TRIM TYPE UNIQUE UPPER UUID VALUES ZIP";

const PAGE = new URL("../../../docs/functions.md", import.meta.url);

const TEXTS = new URL("../../../cli/explain/function-texts.json", import.meta.url);

type DocumentedRow = {
  name: string;
  aliases: string[];
  takes: string;
  gives: string;
  fails: string;
  example: string;
};

function documentedRows(): DocumentedRow[] {
  const text = readFileSync(PAGE, "utf8");
  return (
    text
      .split("\n")
      // Rows of function tables have five columns; the table of format parts has two.
      .filter((line) => line.startsWith("| `") && line.split("|").length >= 7)
      .map((line) => {
        const [names = "", takes = "", gives = "", fails = "", example = ""] = line
          .split("|")
          .slice(1)
          .map((cell) => cell.trim());
        const [name = "", ...aliases] = [...names.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
        return { name, aliases, takes, gives, fails, example };
      })
  );
}

describe("signatures", () => {
  it("publish exactly the seventy verbs of adapter core", () => {
    const verbs = FUNCTIONS.flatMap((signature) => signature.verb ?? []);
    expect(verbs.sort()).toEqual(PUBLISHED.split(" ").sort());
  });

  it.each([
    "add",
    "ADD",
    "core.add",
    "Core.Add",
    "starts_with",
    "STARTSWITH",
    "not_equal",
    "neq",
    "tostring",
    "if",
    "filterhighscore",
  ])("finds %s", (word) => {
    expect(findFunction(word)).toBeDefined();
  });

  it.each(["", "core.", "map", "core.core.add", "http.get", "constructor", "__proto__", "\u212Aeys", "a b"])(
    "does not find %j",
    (word) => {
      expect(findFunction(word)).toBeUndefined();
    },
  );

  it("has no two functions of one folded name", () => {
    const names = FUNCTIONS.flatMap((one) => [one.name, ...one.aliases]).map((name) => name.replaceAll("_", ""));
    const folded = names.filter((name) => name !== "notequal");
    expect(new Set(folded).size).toBe(folded.length);
  });

  it("derives argument counts", () => {
    const counts = (name: string) => {
      const signature = findFunction(name);
      return signature === undefined ? [] : [minArguments(signature), maxArguments(signature)];
    };
    expect(counts("add")).toEqual([2, 2]);
    expect(counts("round")).toEqual([1, 2]);
    expect(counts("noop")).toEqual([0, 0]);
    expect(counts("concat")).toEqual([0, Number.POSITIVE_INFINITY]);
    expect(counts("pick")).toEqual([1, Number.POSITIVE_INFINITY]);
  });

  it("marks the key slots", () => {
    const slots = FUNCTIONS.flatMap((one) =>
      one.parameters.filter((slot) => slot.class === "key").map((slot) => `${one.name}.${slot.name}`),
    );
    const fields = "sum avg sort_by group_by count_by index_by min_by max_by find".split(" ");
    const paths = ["obj.key", "put.path", "get.path", "pick.keys", "omit.keys"];
    expect(slots).toEqual([...paths, ...fields.map((name) => `${name}.field`)]);
  });

  it("knows host calls", () => {
    expect(FUNCTIONS.filter((one) => one.host).map((one) => one.name)).toEqual(["now", "iso", "uuid", "env", "sleep"]);
    expect(isHostCall("iso_ts", 0)).toBe(true);
    expect(isHostCall("ISO_TS", 1)).toBe(false);
    expect(isHostCall("now", 3)).toBe(true);
    expect(isHostCall("add", 0)).toBe(false);
  });
});

describe("implementations", () => {
  it.each(FUNCTIONS.map((one) => [one.name, one.host] as const))(
    "%s exists in both forms unless it is a host function",
    (name, host) => {
      expect(functionOf(name, "call") !== undefined).toBe(!host);
      expect(functionOf(name, "verb") !== undefined).toBe(!host);
    },
  );

  it("knows canonical names only", () => {
    expect(functionOf("neq", "verb")).toBeUndefined();
    expect(functionOf("constructor", "call")).toBeUndefined();
  });

  it.each(FUNCTIONS.filter((one) => !one.host && minArguments(one) > 0).map((one) => one.name))(
    "%s without arguments fails or has a documented answer",
    (name) => {
      const lenient = ["get", "int", "float"];
      const message = failure(() => functionOf(name, "verb")?.([], { charge() {} }));
      expect(message).toBe(lenient.includes(name) ? "no failure" : `missing argument 1 of ${name} (missing_argument)`);
    },
  );
});

describe("docs/functions.md", () => {
  const rows = documentedRows();

  it("has the words that wf explain and editors show (WEFT_DOCS=write writes them)", () => {
    const texts = rows.map(({ name, takes, gives, fails, example }) => [name, { takes, gives, fails, example }]);
    const made = `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`;
    if (process.env["WEFT_DOCS"] === "write") writeFileSync(TEXTS, made);
    expect(readFileSync(TEXTS, "utf8")).toBe(made);
  });

  it("has one row per function, in order, with its other names", () => {
    expect(rows.map((row) => [row.name, row.aliases])).toEqual(FUNCTIONS.map((one) => [one.name, [...one.aliases]]));
  });

  const EXAMPLE = /^`((\w+)\((.*)\))` → (fails: )?`(.*)`$/;
  const examples = rows.filter((row) => EXAMPLE.test(row.example));

  it.each(examples)("example of $name", ({ example }) => {
    const [, , name = "", written = "", fails, result = ""] = EXAMPLE.exec(example) ?? [];
    const args = JSON.parse(`[${written}]`) as Json[];
    if (fails === undefined) expect(call(name, ...args)).toEqual(JSON.parse(result));
    else expect(failure(() => call(name, ...args))).toBe(`${result} (program)`);
  });

  const inPrograms = examples.filter(({ name }) => name !== "fail");

  it.each(inPrograms)("example of $name in a program", async ({ example }) => {
    const [, , name = "", args = "", , result = ""] = EXAMPLE.exec(example) ?? [];
    const written = (JSON.parse(`[${args}]`) as Json[]).map((one) => JSON.stringify(one));
    const source = `L1:\n  J (${[name, ...written].join(" ")})\n`;
    expect(compiled(source).diagnostics).toEqual([]);
    expect(await run(source, { in: world() })).toMatchObject({ ok: true, out: JSON.parse(result) });
  });

  it("gives an example that runs for every pure function", () => {
    const without = rows.filter((row) => !EXAMPLE.test(row.example));
    expect(without.map((row) => row.name)).toEqual(["now", "iso", "uuid", "env", "sleep"]);
  });
});
