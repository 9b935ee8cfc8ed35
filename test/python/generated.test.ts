/**
 * Programs made from typed productions, next to what CPython makes of them. `WEFT_PYTHON_PROGRAMS` says how many, `WEFT_SEED` from which seed.
 * `node test/python/report.mjs generated` finds the smallest form of a difference.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareGenerated } from "./generate/compare.ts";
import { programOf } from "./generate/program.ts";
import { sharingProgramOf } from "./generate/sharing.ts";
import { findPython } from "./support/oracle.ts";
import { isPythonThere } from "./support/weft.ts";

const COUNT = Number(process.env["WEFT_PYTHON_PROGRAMS"] ?? 1000);
const TIMEOUT = 120_000 + 40 * COUNT;
const python = findPython();

test("a seed makes the same program again", () => {
  expect(programOf(42)).toBe(programOf(42));
  expect(sharingProgramOf(42)).toBe(sharingProgramOf(42));
});

describe.skipIf(python === null || !(await isPythonThere()))("generated programs", () => {
  test.each([
    ["expressions and statements of every type", programOf],
    ["containers that are shared and changed", sharingProgramOf],
  ])(
    "%s: none comes to another end than in CPython",
    async (_what, make) => {
      const from = fc.readConfigureGlobal().seed ?? 1;
      const { wrong, failed } = await compareGenerated(make, { from, count: COUNT, python: python as string });
      const shown = [...wrong, ...failed].slice(0, 5).map(({ seed, why, source }) => `seed ${seed}: ${why}\n${source}`);
      expect(shown).toEqual([]);
    },
    TIMEOUT,
  );
});
