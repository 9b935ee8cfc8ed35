/** `wf jobs tree`: each job below the one that started it. */
import { expect, it } from "vitest";
import { showTree } from "../../../cli/jobs/tree.ts";
import type { Screen } from "../../../cli/session/screen.ts";

const member = (job_id: string, parent: string | null, more: object = {}) => ({
  ...{ job_id, parent, detached: false, status: "succeeded", program: "report", version: 2, error: null },
  ...more,
});

it("jobs are indented below their parents, wherever they stand in the list", () => {
  const lines: string[] = [];
  const screen = { json: false, out: (text: string) => lines.push(text) } as unknown as Screen;
  const jobs = [
    member("top", null, { program: null, status: "waiting" }),
    member("b", "top", { detached: true }),
    member("c", "b", { status: "failed", error: "adapter_error" }),
    member("d", "top", { round: 3, share: "budget" }),
    member("lost", "gone"),
  ];
  expect(showTree({ job_id: "c", jobs, truncated: true }, screen)).toBe(0);
  expect(lines.join("")).toBe(`top  waiting
  b  succeeded  report@2  detached
    c  failed  report@2  adapter_error  <
  d  succeeded  report@2  round 3  shared budget
lost  succeeded  report@2
… and more
`);
});
