/** `wf jobs why`: in which round a job is that began again, and what the last ones before were. */
import { expect, it } from "vitest";
import { whyText } from "../../../cli/jobs/why.ts";
import type { Screen } from "../../../cli/session/screen.ts";

const at = (second: number): string => `2030-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;

it("T.J-3: the rounds of a job are left out, or all of them are shown", () => {
  const waits = { job_id: "j1", status: "running", waits: [], unread: {} };
  const rounds = [7, 6, 5, 4, 3, 2, 1].map((round) => ({
    ...{ round, trace_id: `t${round}`, began_at: at(round), ended_at: at(round + 2), waited: round === 7 },
  }));
  const shown = {
    now: 0,
    screen: {} as Screen,
    program: { stepName: () => "", source: null },
    handled: false,
    recorded: false,
  };
  expect(whyText(waits, null, { ...shown, found: { round: 8, rounds } })).toBe(`j1  running
  round 8 of the job, which began again (job.again)
    round 7 from ${at(7)}, for 2.0 s, with waits
    round 6 from ${at(6)}, for 2.0 s
    round 5 from ${at(5)}, for 2.0 s
    round 4 from ${at(4)}, for 2.0 s
    round 3 from ${at(3)}, for 2.0 s
  it is running: wf trace --follow --job j1 shows what it calls
`);
  expect(whyText(waits, null, { ...shown, found: {} })).toBe(
    "j1  running\n  it is running: wf trace --follow --job j1 shows what it calls\n",
  );
});
