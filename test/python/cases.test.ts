/**
 * Programs as models write them, next to what CPython made of them. A program may be refused, but it must never give another value, raise
 * another exception or make another call. `node test/python/report.mjs` lists those that are not right yet.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { caseFiles, readCases } from "./support/case-files.ts";
import { readFloors } from "./support/floors.ts";
import { judge } from "./support/judge.ts";
import { findPython, recheck } from "./support/oracle.ts";
import { hostWith, isPythonThere } from "./support/weft.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "cases");
const floors = readFloors(folder);
const python = findPython();
const TIMEOUT = 120_000;
describe.skipIf(!(await isPythonThere()))("programs of Python", () => {
  test.each(caseFiles(folder))(
    "%s: no program gives another outcome than in CPython, and no fewer are right",
    async (file) => {
      const host = hostWith();
      const wrong: string[] = [];
      let right = 0;
      for (const one of readCases(folder, file)) {
        const { verdict, why } = await judge(one, host);
        if (verdict === "right") right += 1;
        if (verdict === "wrong") wrong.push(`${one.id} (${one.kind}): ${why}`);
      }
      expect(wrong).toEqual([]);
      expect(right, "right programs; cases/floors.json says how many there were").toBeGreaterThanOrEqual(
        floors[file] ?? 0,
      );
    },
    TIMEOUT,
  );
});

test.skipIf(python === null)(
  "the recorded outcomes are those of CPython 3.11",
  () => {
    expect(recheck(python as string)).toEqual({ code: 0, said: "" });
  },
  TIMEOUT,
);
