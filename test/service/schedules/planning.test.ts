/** Planning many schedules lets other work in between, whatever their lines cost. */
import { expect, it } from "vitest";
import { compile } from "../../../compiler/compile.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import type { Task } from "../../../grammar/text/task.ts";
import { planSchedules, shownSchedules } from "../../../service/programs/deploy/schedules.ts";
import type { ServiceFault } from "../../../service/wire/errors.ts";

const COUNT = 1000;
const LEAP_DAY = "0 0 29 2 *";
const NOW = Date.parse("2030-01-01T00:00:00Z");

/** The value of a task, and the pieces in which it was made. */
function inPieces<T>(task: Task<T>): { readonly value: T; readonly pieces: number } {
  for (let pieces = 1; ; pieces++) {
    const step = task.next();
    if (step.done === true) return { value: step.value, pieces };
  }
}

function planned(schedules: readonly JsonObject[]) {
  const { ir } = compile("def main():\n    return 1\n") as unknown as { readonly ir: Ir };
  return inPieces(planSchedules({ name: "x", ir, settings: { schedules }, now: NOW }));
}

it("a line and its times are pieces of their own", () => {
  const lines = Array.from({ length: COUNT }, (_, at) => ({ cron: `${at % 60} ${at % 24} 29 2 *`, jitter_s: 60 }));
  const { value, pieces } = planned(lines);
  expect(value.shown).toHaveLength(COUNT);
  // Reading, the shortest distance of some, and the three times that are shown.
  expect(pieces).toBeGreaterThan(5 * COUNT);
  expect(inPieces(shownSchedules(value.stored, NOW)).pieces).toBeGreaterThan(3 * COUNT);
});

it("the shortest distance of a line in a zone is looked for once", () => {
  const line = { cron: LEAP_DAY, tz: "Asia/Tokyo", jitter_s: 60 };
  const one = planned([line]).pieces;
  const two = planned([line]).pieces;
  expect(two).toBeLessThan(one);
  expect(planned(Array.from({ length: COUNT }, () => line)).pieces).toBeLessThanOrEqual(two * COUNT);
});

it("a jitter above half of the shortest distance is refused, of rare lines too", () => {
  const fault = (cron: string, jitter_s: number): string => faultOf([{ cron, jitter_s }])?.message ?? "";
  expect(fault("0,30 0 29 2 *", 900)).toBe("");
  expect(fault("0,30 0 29 2 *", 901)).toMatch(/half of the shortest distance/);
  expect(fault("0 0 29 2 *", 3600)).toBe("");
});

it("no more than a hundred lines that are never due are looked at", () => {
  const never = Array.from({ length: COUNT }, (_, at) => ({ cron: `${at % 60} ${at % 24} 31 2 *` }));
  expect(faultOf(never)?.members).toMatchObject({ issues: { length: 100 } });
});

function faultOf(schedules: readonly JsonObject[]): ServiceFault | null {
  try {
    planned(schedules);
    return null;
  } catch (cause) {
    return cause as ServiceFault;
  }
}
