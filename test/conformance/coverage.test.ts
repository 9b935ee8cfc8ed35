/**
 * Every statement of the contract has a test that cites it, or stands in `known-gaps.json` with the reason. A citation is a
 * call of `verifies` with text literals, found in the sources of the tests; a comment does not count.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { REQUIREMENTS, verifies } from "../support/requirements.ts";

type Gaps = Readonly<Record<string, { readonly reason: string; readonly ids: readonly string[] }>>;

const TESTS = fileURLToPath(new URL("..", import.meta.url));
const GAPS: Gaps = JSON.parse(readFileSync(new URL("known-gaps.json", import.meta.url), "utf8"));

/** Literal ids of every `verifies(…)` call of a source text, and the places of calls that have other arguments. */
function citations(file: string, text: string): { ids: string[]; computed: string[] } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, false);
  const ids: string[] = [];
  const computed: string[] = [];
  const pending: ts.Node[] = [source];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "verifies") {
      for (const argument of node.arguments) {
        if (ts.isStringLiteralLike(argument)) ids.push(argument.text);
        else computed.push(file);
      }
    }
    ts.forEachChild(node, (child) => {
      pending.push(child);
    });
  }
  return { ids, computed };
}

function testFiles(): string[] {
  return readdirSync(TESTS, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && !path.endsWith("coverage.test.ts"))
    .map((path) => join(TESTS, path));
}

const found = testFiles().map((file) => citations(file, readFileSync(file, "utf8")));
const cited = new Set(found.flatMap((file) => file.ids));
const known = new Set(REQUIREMENTS.map((requirement) => requirement.id));
const gaps = new Map(Object.entries(GAPS).flatMap(([area, gap]) => gap.ids.map((id) => [id, area] as const)));

describe("statements of the contract", () => {
  it("have a test each, or are named gaps", () => {
    const open = REQUIREMENTS.filter(({ id }) => !cited.has(id) && !gaps.has(id)).map(
      ({ id, area }) => `${area}: ${id}`,
    );
    expect(open).toEqual([]);
  });

  it("leave the list of gaps once a test cites them", () => {
    expect([...gaps.keys()].filter((id) => cited.has(id))).toEqual([]);
  });

  it("are the only ids that tests and gaps name", () => {
    expect([...cited, ...gaps.keys()].filter((id) => !known.has(id))).toEqual([]);
    expect(found.flatMap((file) => file.computed)).toEqual([]);
  });

  it("stand among the gaps under their own area, with a reason", () => {
    const area = new Map(REQUIREMENTS.map((requirement) => [requirement.id, requirement.area]));
    expect([...gaps].filter(([id, listed]) => area.get(id) !== listed).map(([id]) => id)).toEqual([]);
    expect(Object.entries(GAPS).filter(([, gap]) => gap.reason.length < 20)).toEqual([]);
    const total = Object.values(GAPS).reduce((sum, gap) => sum + gap.ids.length, 0);
    expect(gaps.size).toBe(total);
  });

  it("have no gap in language and IR", () => {
    const closed = new Set(["language", "ir"]);
    expect(Object.keys(GAPS).filter((area) => closed.has(area))).toEqual([]);
  });
});

describe("the mark itself", () => {
  it("is found with one id, several ids and in a table, but not in a comment", () => {
    const text = 'verifies("a.b"); it.each([[verifies("c", \'d\')]]); // verifies("e")\nconst s = \'verifies("f")\';';
    expect(citations("x.ts", text).ids.sort()).toEqual(["a.b", "c", "d"]);
    expect(citations("x.ts", "verifies(...ids)").computed).toEqual(["x.ts"]);
  });

  it("refuses an id that no statement has", () => {
    expect(() => verifies("no.such-statement")).toThrow("no.such-statement");
  });
});
