/** Which labels a trace shows, and how they nest. */
import { expect, it } from "vitest";
import { type LabelVisit, labelVisits } from "../../../service/telemetry/label-visits.ts";
import type { TraceEvent } from "../../../vm/run.ts";

/** `label step start+duration depth`; `!` for a failure that nothing caught, `?` for one that was caught: those have no depth. */
function traceOf(...events: readonly string[]): readonly TraceEvent[] {
  return events.map((text, seq) => {
    const [, label = "", step, start, duration, depth = ""] = /^(\S+) (\d+) (\d+)\+(\d+) (\S+)$/.exec(text) ?? [];
    const times = { label, step: Number(step), start_ms: Number(start), duration_ms: Number(duration) };
    if (depth === "!" || depth === "?") return { seq, kind: "error", ...times, handler: depth === "!" ? null : "9" };
    return { seq, kind: "step", ...times, depth: Number(depth) };
  });
}

function shown(visits: readonly LabelVisit[]): string {
  return visits
    .map(({ label, start, end, failed, entered }) => {
      const inside = entered.length === 0 ? "" : `(${shown(entered)})`;
      return `${label}${failed ? "!" : ""} ${start}-${end}${inside}`;
    })
    .join(", ");
}

it.each<[string, readonly string[], string]>([
  ["nothing", [], ""],
  ["one label", ["1 0 0+1 1", "1 1 2+1 1"], "1 0-3"],
  ["a call", ["1 0 0+1 1", "5 0 3+1 2", "5 1 5+1 2", "1 1 2+5 1", "1 2 8+1 1"], "1 0-9(5 3-6)"],
  ["a call as the first step", ["5 0 1+1 2", "1 0 0+3 1"], "1 0-3(5 1-2)"],
  ["rounds of a loop", ["2 0 1+1 2", "2 1 3+1 2", "2 0 5+1 2", "2 1 7+1 2", "1 0 0+9 1"], "1 0-9(2 1-4, 2 5-8)"],
  ["a label that enters itself", ["1 0 0+1 1", "1 0 3+1 2", "1 1 5+1 2", "1 1 2+5 1"], "1 0-7(1 3-6)"],
  ["two calls one after the other", ["5 0 1+1 2", "1 0 0+3 1", "5 0 5+1 2", "1 1 4+3 1"], "1 0-7(5 1-2, 5 5-6)"],
  [
    "a clock that stands still",
    ["1 0 0+0 1", "5 0 0+0 2", "1 1 0+0 1", "5 0 0+0 2", "1 2 0+0 1"],
    "1 0-0(5 0-0, 5 0-0)",
  ],
  ["a failure through two labels", ["1 0 0+1 1", "2 0 3+4 !", "1 1 2+6 !"], "1! 0-8(2! 3-7)"],
  ["a failure in the first steps", ["2 0 3+4 !", "1 0 2+6 !"], "1! 2-8(2! 3-7)"],
  ["a failure later in a label", ["2 0 1+1 2", "2 1 3+1 !", "1 0 0+5 !"], "1! 0-5(2! 1-4)"],
  ["a failure that was caught", ["1 0 0+1 1", "1 1 2+1 ?", "9 0 4+1 2", "1 2 6+1 1"], "1 0-7(9 4-5)"],
])("of %s", (_, events, visits) => {
  expect(shown(labelVisits(traceOf(...events)))).toBe(visits);
});
