/** Summaries of stored results: as from the result itself, and read once however often they are asked for. */
import { describe, expect, it } from "vitest";
import { JobSummaries } from "../../../service/jobs/answers/summaries.ts";
import { summarize } from "../../../vm/summary/summary.ts";

const LARGE = "x".repeat(20_000);
const RESULTS: readonly (readonly [what: string, result: object])[] = [
  ["a run", { ok: true, trace_id: "t", label: "L1", result: [1, "two"] }],
  ["a large one", { ok: true, trace_id: "t", label: "L1", result: LARGE }],
  ["a failure", { ok: false, trace_id: "t", error: "max_steps_exceeded", message: LARGE }],
  ["a refusal", { ok: false, trace_id: "t", error: "policy_violation", policy_errors: [{ code: "P" }] }],
  [
    "one that wrote a file",
    { ok: true, record: { calls: [{ adapter: "fs", verb: "WRITE", args: ["a.txt"], ok: true }] } },
  ],
];

function counting() {
  let reads = 0;
  const summaries = new JobSummaries((text) => {
    reads += 1;
    return JSON.parse(text);
  });
  return { summaries, reads: () => reads };
}

describe("summaries of results", () => {
  it.each(RESULTS)("describe %s", (_what, result) => {
    const job = { id: "j", attempt: 1 };
    const { summaries } = counting();
    const expected = summarize(result, { task_id: "j" });
    for (let again = 0; again < 2; again++) {
      const said = summaries.of(job, JSON.stringify(result));
      expect(JSON.parse(said)).toEqual(expected);
      expect(Object.keys(JSON.parse(said))).toEqual(Object.keys(expected));
    }
  });

  it("reads a large result once for each attempt", () => {
    const { summaries, reads } = counting();
    const of = (attempt: number, result: string): string => summaries.of({ id: "j", attempt }, result);
    for (let asked = 0; asked < 5; asked++) of(1, `{"ok":true,"result":"${LARGE}"}`);
    expect(reads()).toBe(1);
    expect(JSON.parse(of(2, `{"ok":false,"error":"${LARGE}"}`)).status).toBe("runtime_error");
    expect(reads()).toBe(2);
  });

  it("drops the least recently used", () => {
    const { summaries, reads } = counting();
    // The word of a failure is part of the summary.
    const result = JSON.stringify({ ok: false, error: "e".repeat(1_000_000) });
    const ask = (id: string): string => summaries.of({ id, attempt: 1 }, result);
    for (const id of ["a", "b", "c"]) ask(id);
    ask("a");
    expect(reads()).toBe(3);
    ask("d");
    ask("e");
    expect(reads()).toBe(5);
    ask("a");
    expect(reads()).toBe(5);
    ask("b");
    expect(reads()).toBe(6);
  });
});
