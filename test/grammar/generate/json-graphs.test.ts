/** Programs of the indented form as JSON: the schema that the parser's rules give, and the way back to source. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { jsonSchemaOfGraphs, sourceOfGraphs } from "../../../grammar/generate/json-graphs.ts";
import { format } from "../../../grammar/print/print.ts";
import { isIndented } from "../../../grammar/surface.ts";
import { programTexts } from "../../support/wf-texts.ts";

const schema = jsonSchemaOfGraphs();
const valid = new Ajv2020({ strict: false }).compile(schema);

const PROGRAM = {
  graphs: [
    {
      graph: "main(orders, limit=20)",
      block: [
        "total = 0",
        {
          for: "i, o",
          in: "enumerate(orders)",
          block: [
            {
              if: "o.price is null",
              block: ["continue"],
              elif: [{ elif: "i > limit", block: ["break"] }],
              else: ["total += o.price"],
            },
          ],
        },
        { while: "total > 100", limit: "5", block: ["total -= 10"] },
        { try: ["total = check(total)"], except: { except: "e", block: ["out e.message"] } },
        "out total",
      ],
    },
    { graph: "check(n)", block: [{ try: ["n = n + 1"], except: { block: ["pass"] } }, "out n"] },
  ],
};

describe("JSON Schema of the indented form", () => {
  it("describes a program that becomes source", () => {
    expect(valid(PROGRAM), JSON.stringify(valid.errors)).toBe(true);
    expect(sourceOfGraphs(PROGRAM)).toEqual({
      ok: true,
      source: `main(orders, limit=20):
  total = 0
  for i, o in enumerate(orders):
    if o.price is null:
      continue
    elif i > limit:
      break
    else:
      total += o.price
  while total > 100 limit 5:
    total -= 10
  try:
    total = check(total)
  except e:
    out e.message
  out total

check(n):
  try:
    n = n + 1
  except:
    pass
  out n
`,
    });
  });

  it("holds every program of the corpus whose lines stand alone, and gives it back", () => {
    let count = 0;
    for (const source of programTexts()) {
      const formatted = format(source);
      if (!formatted.ok || !isIndented(source)) continue;
      const program = asJson(formatted.text);
      if (program === null) continue;
      count++;
      expect(valid(program), `${source}\n${JSON.stringify(valid.errors?.slice(0, 3))}`).toBe(true);
      expect(sourceOfGraphs(program), source).toEqual({
        ok: true,
        source: formatted.text.replace(/^# surface: indented\n/, ""),
      });
    }
    expect(count).toBeGreaterThan(100);
  });

  it.each<[string, unknown, string]>([
    ["no object", [], ""],
    ["an unknown member", { graphs: [], steps: [] }, "/steps"],
    ["graphs that are not a list", { graphs: {} }, "/graphs"],
    ["a graph without lines", { graphs: [{ graph: "main" }] }, "/graphs/0/block"],
    ["a line break", { graphs: [{ graph: "main", block: ["out 1\nother:"] }] }, "/graphs/0/block/0"],
    ["an unknown statement", { graphs: [{ graph: "main", block: [{ switch: "x", block: [] }] }] }, "/graphs/0/block/0"],
    [
      "a condition that is a number",
      { graphs: [{ graph: "main", block: [{ if: 1, block: ["pass"] }] }] },
      "/graphs/0/block/0/if",
    ],
    [
      "a try without its handler",
      { graphs: [{ graph: "main", block: [{ try: ["pass"] }] }] },
      "/graphs/0/block/0/except",
    ],
    ["what the parser refuses", { graphs: [{ graph: "main", block: ["out (1"] }] }, "/graphs/0/block/0"],
    [
      "a member named like a part of objects",
      { graphs: [{ graph: "main", block: [{ if: "1", block: ["pass"], constructor: "x" }] }] },
      "/graphs/0/block/0/constructor",
    ],
  ])("refuses %s", (_what, program, at) => {
    expect(sourceOfGraphs(program)).toMatchObject({ ok: false, at });
  });

  it("bounds the blocks in one another", () => {
    let block: unknown[] = ["pass"];
    for (let depth = 0; depth < 2000; depth++) block = [{ while: "true", block }];
    expect(sourceOfGraphs({ graphs: [{ graph: "main", block }] })).toMatchObject({
      ok: false,
      message: "is nested too deeply",
    });
  });
});

it("the page of grammars shows a program that the schema admits", () => {
  const page = readFileSync(new URL("../../../docs/grammars.md", import.meta.url), "utf8");
  const program: unknown = JSON.parse(page.split("```json\n").at(-1)?.split("```", 1)[0] ?? "");
  expect(valid(program), JSON.stringify(valid.errors)).toBe(true);
  expect(sourceOfGraphs(program)).toMatchObject({ ok: true });
});

type Line = { readonly text: string; readonly depth: number };

/** A formatted program as JSON; null where it has comments or empty lines in blocks, or statements of several lines. */
function asJson(text: string): object | null {
  const lines = text
    .replace(/^# surface: indented\n/, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): Line => ({ text: line.trim(), depth: (line.length - line.trimStart().length) / 2 }));
  if (/#|[([{]$|^\s*[)\]}]/m.test(text) || lines.some(({ depth }) => !Number.isInteger(depth))) return null;
  if (text.includes("\n\n") && /\n\n /.test(text)) return null;
  const heads = lines.slice(
    0,
    lines.findIndex(({ text: line }) => line.endsWith(":")),
  );
  const rest = lines.slice(heads.length);
  if (rest.some(({ text: line, depth }) => depth === 0 && !line.endsWith(":"))) return null;
  const graphs: object[] = [];
  let at = 0;
  const block = (depth: number): unknown[] => {
    const made: unknown[] = [];
    while (at < rest.length && (rest[at] as Line).depth === depth) made.push(statement(depth));
    return made;
  };
  const word = (): string => /^\w+/.exec(rest[at]?.text ?? "")?.[0] ?? "";
  const opened = (depth: number): object => {
    const line = (rest[at++] as Line).text.slice(0, -1);
    const [, first = "", written = ""] = /^(\w+)\s*(.*)$/.exec(line) ?? [];
    const [, items = written, list] = first === "for" ? (/^(.*?) in (.*)$/.exec(written) ?? []) : [];
    const [, cond = items, limit] = first === "while" ? (/^(.*?) limit[ =](\d+)$/.exec(written) ?? []) : [];
    const inner = block(depth + 1);
    if (first === "else" || first === "try") return { [first]: inner };
    return {
      ...(cond === "" ? {} : { [first]: cond }),
      ...(list === undefined ? {} : { in: list }),
      ...(limit === undefined ? {} : { limit }),
      block: inner,
    };
  };
  const statement = (depth: number): unknown => {
    if (!(rest[at] as Line).text.endsWith(":") || !/^(?:if|for|while|try)\b/.test(word()))
      return (rest[at++] as Line).text;
    const made: Record<string, unknown> = { ...opened(depth) };
    while (rest[at]?.depth === depth && /^(?:elif|else|except)\b/.test(word())) {
      const next = word();
      const part = opened(depth) as Record<string, unknown>;
      made[next] = next === "elif" ? [...((made[next] as object[]) ?? []), part] : next === "else" ? part[next] : part;
    }
    return made;
  };
  while (at < rest.length) {
    const graph = (rest[at++] as Line).text.slice(0, -1);
    graphs.push({ graph, block: block(1) });
  }
  return { ...(heads.length === 0 ? {} : { heads: heads.map(({ text: line }) => line) }), graphs };
}
