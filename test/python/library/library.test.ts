/** The natives of the library, compared with what CPython 3.11 made of tables of expressions (`support/record.py`). */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Recorded } from "./support/evaluate.ts";
import { rowEvaluator } from "./support/known.ts";

const FOLDER = fileURLToPath(new URL("./expressions/", import.meta.url));
const evaluator = rowEvaluator();

describe("library of Python programs", () => {
  it("every native has a row, and every row a native", () => {
    expect(evaluator.differences()).toEqual([]);
  });

  for (const name of readdirSync(FOLDER).filter((file) => file.endsWith(".json")))
    it(`expressions of ${name} give what CPython gives`, () => {
      const records = JSON.parse(readFileSync(FOLDER + name, "utf8")) as Recorded[];
      const outcomes = records.map((record) => ({ text: record.text, ...evaluator.outcome(record) }));
      const wrong = outcomes.filter(({ expected, actual }) => JSON.stringify(expected) !== JSON.stringify(actual));
      expect(wrong.map((one) => JSON.stringify(one)).join("\n")).toBe("");
    });
});
