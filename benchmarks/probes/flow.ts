/**
 * What rules about when jobs begin cost those who claim, on SQLite in memory: a claim among ten thousand keys next to one without keys, and next
 * to a hundred thousand jobs that wait for one key. And what a job with a key costs from its queueing to its end.
 */

import { type FlowAsked, flowOf, jobFlow } from "../../service/jobs/flow/flow-of.ts";
import type { Submission } from "../../service/jobs/job.ts";
import { jobIds } from "../../service/jobs/job-id.ts";
import { type OpenDatabase, openDatabase } from "../../service/jobs/sqlite/batch.ts";
import type { CallInput, CallName, CallOutput } from "../../service/jobs/sqlite/calls.ts";
import { submittedRows } from "../../service/jobs/sqlite/tables/submission-rows.ts";
import type { Figure } from "../figure.ts";
import type { ProbeScope } from "./probe.ts";

const MOST = 10_000_000;
const OWNER = "probe";
let made = 0;
/** Rows of one request. */
const AT_ONCE = 10_000;

export async function measureFlow({ quick }: ProbeScope): Promise<readonly Figure[]> {
  const keys = quick ? 500 : 10_000;
  const waiting = quick ? 2000 : 100_000;
  const claims = quick ? 200 : 2000;
  const without = claimMicros(claims, (db) => queue(db, keys, null));
  const among = claimMicros(claims, (db) => queue(db, keys, (at) => ({ customer: at })));
  const alone = claimMicros(claims, (db) => queue(db, claims * 2, null));
  const next = claimMicros(claims, (db) => {
    queue(db, waiting, () => ({ customer: 0 }));
    queue(db, claims * 2, null);
  });
  const group = "jobs with rules, on SQLite in memory";
  const shown = (count: number): string => count.toLocaleString("en-US");
  return [
    { group, name: "a claim without keys", value: without, unit: "µs" },
    { group, name: `a claim among ${shown(keys)} keys`, value: among, unit: "µs" },
    {
      group,
      name: "that claim, next to one without keys",
      value: among / without,
      unit: "×",
      target: { at_most: 1.5 },
    },
    {
      group,
      name: `a claim while ${shown(waiting)} jobs wait for one key, next to one without them`,
      value: next / alone,
      unit: "×",
      target: { at_most: 1.5 },
    },
    { group, name: "a job with a key, from its queueing to its end", value: wholeMicros(claims), unit: "µs" },
  ];
}

function claimMicros(claims: number, fill: (db: Calls) => void): number {
  const db = new Calls();
  fill(db);
  // What is prepared at first is not of a claim.
  db.call("claim", { owner: OWNER, now: 1, most: 1 });
  const began = performance.now();
  for (let at = 0; at < claims; at++) db.call("claim", { owner: OWNER, now: 1, most: 1 });
  const micros = ((performance.now() - began) * 1000) / claims;
  db.close();
  return micros;
}

/** One place of one key, and as many jobs: each waits for the one before. */
function wholeMicros(jobs: number): number {
  const db = new Calls();
  queue(db, jobs, () => ({ customer: 0 }));
  const began = performance.now();
  for (let at = 0; at < jobs; at++) {
    const { rows } = db.call("claim", { owner: OWNER, now: 1, most: 1 });
    for (const [id, , , , , , number] of rows) {
      db.call("settle", [[number, id, 1, OWNER, "succeeded", 1, 1, '{"ok":true}']]);
      db.call("lookAtFlow", { input: { changed: [id], all: false }, now: 1, wall: 1 });
    }
  }
  const micros = ((performance.now() - began) * 1000) / jobs;
  db.close();
  return micros;
}

function queue(db: Calls, count: number, frameOf: ((at: number) => { readonly customer: number }) | null): void {
  const rule = { concurrency: { limit: 1, key: "customer" } };
  const asked = flowOf({ program: "probe", layers: [rule], runAtMs: null, ageMs: 60_000 }) as FlowAsked;
  for (let first = 0; first < count; first += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - first);
    const ids = jobIds(1, length, () => {
      made += 1;
      return made.toString(16).padStart(19, "0").padEnd(32, "0");
    });
    const jobs = ids.map((id) => ({ id, traceId: id, frame: "{}" }));
    const flow = frameOf === null ? null : jobs.map((_, at) => jobFlow(asked, frameOf(first + at), 1));
    const submission: Submission = { ...SHARED, jobs, ...(flow === null ? {} : { flow }) };
    if (flow === null) db.call("enqueue", { ...submittedRows(submission), most: MOST, key: null });
    else db.call("enqueueFlow", { submission, most: MOST, key: null, now: 1, wall: 1 });
  }
  while (db.call("lookAtFlow", { input: { changed: [], all: false }, now: 1, wall: 1 }).more);
}

const SHARED: Omit<Submission, "jobs"> = {
  ...{ label: "main", retry: false, queuedMs: 1, keepMs: 60_000, retryOf: null, deployment: null, version: null },
  ...{
    about: { name: null, tags: {}, schedule: null, dueMs: null, parent: null },
    request: '{"asked":{}}',
    program: "{}",
  },
  ...{ checksum: "sha256:probe", traceparent: null, tracestate: null, traceId: "probe", warnings: [], bulk: true },
};

/** The calls of the database, in place. Throws where one fails. */
class Calls {
  readonly #db: OpenDatabase = openDatabase(null);

  call<N extends CallName>(name: N, input: CallInput<N>): CallOutput<N> {
    const [answer] = this.#db.perform([{ name, input } as never]);
    if (answer === undefined || !answer.ok) throw new Error(`${name} failed: ${JSON.stringify(answer)}`);
    return answer.output as CallOutput<N>;
  }

  close(): void {
    this.#db.close();
  }
}
