/** Which claim of a job is meant, when one batch puts it back and gives it out again. */
import { expect, it } from "vitest";
import { untilDone } from "../../../service/jobs/run/until-done.ts";
import { JobSignals } from "../../../service/jobs/signals.ts";
import { SqliteLine } from "../../../service/jobs/sqlite/call-batching.ts";
import { Claims } from "../../../service/jobs/sqlite/claims.ts";
import { submittedRows } from "../../../service/jobs/sqlite/tables/submission-rows.ts";
import { StoreHealth } from "../../../service/jobs/store-health.ts";
import { verifies } from "../../support/requirements.ts";
import { realClock } from "../serving.ts";
import { alone, newJob } from "./store-cases.ts";

it("a job that is released and claimed again at once can still be settled", async () => {
  verifies("jobs.survive-restart");
  const line = await SqliteLine.open(null, new StoreHealth());
  const owner = "own";
  const now = Date.now();
  const claims = new Claims({ line, signals: new JobSignals(), owner, now: () => now, putBack: () => {} });
  await line.call("enqueue", { ...submittedRows(alone(newJob(now))), most: 10, key: null });
  const [first] = await claims.claim(1);
  if (first === undefined) throw new Error("nothing was claimed");
  const { id, attempt } = first;
  const release = async (): Promise<void> => {
    const act = () => line.call("release", { id, attempt, resumes: 0, owner, now });
    await untilDone(act, (ms, then) => realClock.wait(ms, then), new AbortController().signal);
    claims.ended(first);
  };
  // Both go into one batch, and the claim is heard of first.
  const released = release();
  const [second] = await claims.claim(1);
  await released;
  if (second === undefined) throw new Error("it was not claimed again");
  expect(second).toMatchObject({ id, attempt, owner });
  const end = [claims.numberOf(second), id, attempt, owner, "succeeded", now, now, "{}"] as const;
  expect(await line.settle(end, (made) => made)).toBe(true);
  claims.ended(second);
  expect(claims.numberOf(second)).toBe(-1);
  await line.close();
});
