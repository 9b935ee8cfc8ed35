/** A job that was woken, claimed and not begun goes back into the line as it was before the claim. */
import { afterAll, expect, it } from "vitest";
import type { ClaimedJob } from "../../../../service/jobs/job.ts";
import { sqlitePlace } from "../places.ts";
import { temporaryFolder } from "../serving-jobs.ts";
import { alone, newJob } from "../store-cases.ts";
import { takeJobs } from "../taking.ts";
import { CASES_RULES, HOUR_MS, OPTIONS, signalSpec, waiting } from "./durable-cases.ts";

const folder = await temporaryFolder();
afterAll(() => folder.remove());

it("keeps its attempt, its resumes and why it continues when it is released before it begins", async () => {
  const world = await sqlitePlace(`${folder.path}/released`, CASES_RULES)();
  const store = await world.open("first");
  const { durable } = store;
  if (durable === null) throw new Error("a store without journals");
  const claim = async (): Promise<ClaimedJob> => {
    const taker = takeJobs(store, 1);
    const { job, end } = await taker.next();
    end();
    await taker.stop();
    return job;
  };
  await store.enqueue(alone(newJob(world.now(), { durable: { lifetimeMs: HOUR_MS } })), OPTIONS);
  const begun = await claim();
  const { records, wait } = waiting(1, signalSpec(["go"]));
  expect(await durable.journal(begun).park?.(records, [wait], true)).toEqual({ state: "parked" });
  const target = { job: begun.id };
  await durable.send({ id: "s", name: "go", target, data: "null", expiresMs: world.now() + HOUR_MS });

  let stopped: Promise<void> = Promise.resolve();
  const dispatch = store.dispatch(
    {
      async enter() {
        // The claim is on its way to the thread of the store by then, and its answer is not read before this turn is over.
        let turns = 20;
        const next = (): void => {
          turns -= 1;
          if (turns > 0) queueMicrotask(next);
          else stopped = dispatch.stop();
        };
        next();
        return { signal: new AbortController().signal, leave: () => {} };
      },
      run: () => Promise.reject(new Error("it was begun")),
      cancelled: () => {},
    },
    1,
  );
  await expect.poll(async () => (await store.find(begun.id))?.status).toBe("queued");
  await stopped;
  const again = await claim();
  expect(again).toMatchObject({ id: begun.id, why: "wake", attempt: 1, resumes: 1, startedMs: begun.startedMs });
  await store.close();
});
