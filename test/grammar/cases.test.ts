/** Every shared program parses; those that run have nothing the parser would call an error, and survive formatting. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "../../grammar/parse.ts";
import { format } from "../../grammar/print/print.ts";
import { meaningOf } from "./tree.ts";

type Case = { name: string; source: string; strict?: boolean; ok?: boolean; files?: Record<string, string> };

function casesOf(file: string): Case[] {
  return JSON.parse(readFileSync(new URL(`../cases/${file}.json`, import.meta.url), "utf8")) as Case[];
}

const ADVICE = /^WF9/;

describe.each(["run", "compile"])("programs of %s.json", (file) => {
  const cases = casesOf(file);
  const strictClean = cases.filter((entry) => entry.strict !== false && entry.ok !== false);

  it.each(strictClean.map((entry) => [entry.name, entry] as const))("%s has no finding but advice", (_, entry) => {
    const errors = parse(entry.source).findings.filter(
      ({ code, severity }) => !ADVICE.test(code) && severity === undefined,
    );
    expect(errors).toEqual([]);
  });

  it("keep their meaning when they are formatted", () => {
    let formatted = 0;
    for (const { name, source } of cases) {
      const result = format(source);
      if (!result.ok) continue;
      formatted++;
      expect(meaningOf(parse(result.text)), name).toEqual(meaningOf(parse(source)));
      expect(format(result.text), name).toEqual(result);
    }
    expect(formatted).toBeGreaterThan(cases.length * 0.9);
  });

  it("are read in all their lines", () => {
    for (const { name, source } of cases) {
      const statements = source.split("\n").filter((line) => /^\s*[^#\s\ufeff]/.test(line)).length;
      expect(parse(source).lines.length, name).toBeGreaterThanOrEqual(statements);
    }
  });
});
