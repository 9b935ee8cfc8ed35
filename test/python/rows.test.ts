/**
 * Calls of library rows with drawn arguments, wrong kinds included, next to what CPython makes of them. `WEFT_PYTHON_CALLS` says how many of
 * each row; `node test/python/report.mjs rows --row NAME` lists differences.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ROWS, rowEvaluator } from "./library/support/known.ts";
import { compareRows, OPERATORS } from "./rows/compare.ts";
import OTHER_ERRORS from "./rows/other-errors.json" with { type: "json" };
import { findPython } from "./support/oracle.ts";

const COUNT = Number(process.env["WEFT_PYTHON_CALLS"] ?? 20);
/** Rows that end otherwise for arguments of wrong kinds or far out of range stand in rows/other-errors.json. The list may only shrink. */

/** There are more operators than parameters of any row. */
const OPERATOR_FACTOR = 50;
const TIMEOUT = 120_000;
const python = findPython();

test.skipIf(python === null)(
  "no operator and no row of the library gives another value than in CPython",
  async () => {
    const seed = fc.readConfigureGlobal().seed ?? 1;
    const options = { seed, python: python as string };
    const results = [
      ...(await compareRows([OPERATORS], rowEvaluator(), { ...options, count: OPERATOR_FACTOR * COUNT })),
      ...(await compareRows(ROWS, rowEvaluator(), { ...options, count: COUNT })),
    ];
    const different = results.flatMap(({ differences }) => differences).filter(({ row }) => !(row in OTHER_ERRORS));
    expect(different.slice(0, 20)).toEqual([]);
  },
  TIMEOUT,
);
