/** Results that are large, and asked for by many at once: the service holds no copy for each of them. */
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openJobStore } from "../../../service/jobs/open-store.ts";
import { jobTimes } from "../../../service/jobs/times.ts";
import { createJobsPart } from "../../../service/jobs-part.ts";
import type { JobStore } from "../../../service/state/store.ts";
import { Cancelling } from "../../../vm/runs/cancellation.ts";
import { realClock, type Serving, serving } from "../serving.ts";

const LARGE = `L1:\n  Set s "0123456789abcdef"\n${"  R core.CONCAT s s ->s\n".repeat(13)}  R ext.Hold "x" ->x\n  J s\n`;
const CHARACTERS = 16 * 2 ** 13;
const ASKERS = 40;

let service: Serving;
/** Large texts that the store was asked for: at the same moment, and at most. */
let asked = 0;
let most = 0;

async function counted<T>(act: () => Promise<T>): Promise<T> {
  asked += 1;
  most = Math.max(most, asked);
  const text = await act();
  await setImmediate();
  asked -= 1;
  return text;
}

/** The store, which counts who asks it for large texts. */
function counting(store: JobStore): JobStore {
  const keys = {
    ...store.keys,
    body: (of: Parameters<JobStore["keys"]["body"]>[0]) => counted(() => store.keys.body(of)),
  };
  return { ...store, result: (id) => counted(() => store.result(id)), keys };
}

beforeAll(async () => {
  const where = { stateDir: null, databaseUrl: null, owner: "own", silentMs: 30_000 };
  const store = counting(await openJobStore({ ...where, clock: realClock }));
  service = await serving({ part: createJobsPart(store, realClock, jobTimes(30_000)) });
});
afterAll(() => service.stop());

/** A job that `ASKERS` callers wait for, and their answers when it has ended. */
async function waitedFor(meanwhile: () => void) {
  const { body } = await service.call("POST", "/enqueue", { code: LARGE });
  const held = await service.held();
  const waiting = Array.from({ length: ASKERS }, () => service.call("GET", `/result/${body.job_id}?wait=20`));
  await service.call("GET", "/health");
  most = 0;
  meanwhile();
  held.release("done");
  return Promise.all(waiting);
}

describe("a large result", () => {
  it("is fetched by waiting callers one after the other, and complete", async () => {
    for (const { status, body } of await waitedFor(() => {})) {
      expect(status).toBe(200);
      expect(body.result.out).toHaveLength(CHARACTERS);
    }
    expect(most).toBe(1);
  });

  it("is not fetched while answers wait for their readers", async () => {
    const gone: (() => void)[] = [];
    const untaken = { writableLength: 2 ** 40, closed: false, once: (_: string, then: () => void) => gone.push(then) };
    const replies = await waitedFor(() => service.services.unsent.watch(untaken as never));
    for (const then of gone) then();
    for (const { status, body } of replies) expect([status, body.error]).toEqual([503, "server_busy"]);
    expect(most).toBe(0);
  });

  it("is not fetched for a caller that went away", async () => {
    const caller = new Cancelling();
    caller.abort("gone");
    const fetched = service.services.unsent.inTurn(() => counted(async () => "text"), caller);
    await expect(fetched).rejects.toMatchObject({ error: "server_busy" });
  });

  it("under a key is fetched one after the other when the request is repeated", async () => {
    const key = { "idempotency-key": "large" };
    const first = service.run({ code: LARGE }, key);
    (await service.held()).release("done");
    const { text } = await first;
    most = 0;
    const again = await Promise.all(Array.from({ length: ASKERS }, () => service.run({ code: LARGE }, key)));
    for (const reply of again) expect(reply.text === text).toBe(true);
    expect(most).toBe(1);
  });
});
