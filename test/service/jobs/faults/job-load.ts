/**
 * Jobs whose effects are counted where they happen: each job posts its number to a server of the test, which counts the requests and the
 * keys under which they came. What was asked for, what was acknowledged and what was done are then held against each other.
 */
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { exchange, type Reply } from "../../serving.ts";

/** How often a service is killed; `WEFT_CRASH_ROUNDS` makes it another number. */
export const CRASH_ROUNDS = Number(process.env["WEFT_CRASH_ROUNDS"] ?? 12);

export type Wanted = { readonly n: number; readonly retry: boolean };

/** Random numbers from 0 to 1. The seed is drawn anew in every run, because time draws as well; it is printed, and taken from WEFT_SEED. */
export function seededRandom(what: string): () => number {
  const given = Number(process.env["WEFT_SEED"]);
  let state = Number.isInteger(given) ? given : randomInt(2 ** 32);
  console.info(`${what}: WEFT_SEED=${state}`);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Effects = { calls: number; readonly keys: Set<string> };

/** The side that makes the effects: one per key, however often it is asked. */
async function effectServer() {
  const effects = new Map<number, Effects>();
  const server = createServer((request, response) => {
    const n = Number(request.url?.slice(1));
    const seen = effects.get(n) ?? { calls: 0, keys: new Set() };
    effects.set(n, seen);
    seen.calls += 1;
    seen.keys.add(String(request.headers["idempotency-key"]));
    request.resume();
    response.setHeader("content-type", "application/json").end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    of: (n: number): Effects => effects.get(n) ?? { calls: 0, keys: new Set() },
    close: () => server.close(),
  };
}

/** Jobs, counted. */
export type Verified = {
  readonly succeeded: number;
  readonly interrupted: number;
  readonly startedAgain: number;
  readonly calledAgain: number;
};

export type JobLoad = Awaited<ReturnType<typeof jobLoad>>;

export async function jobLoad() {
  const effects = await effectServer();
  const wanted: Wanted[] = [];
  const acknowledged = new Map<number, string>();
  const watchers = new Set<() => void>();

  /** Sleeps a little, so that some run at any moment, makes its effect, and answers with its number. */
  const bodyOf = ({ n, retry }: Wanted): object => ({
    code: 'L1:\n  R core.SLEEP ms ->z\n  R http.Post url n {"idempotency_key": true} ->r\n  J n\n',
    frame: { n, ms: 10 * (n % 7), url: `http://127.0.0.1:${effects.port}/${n}` },
    adapters: {
      enable: ["http"],
      http: { allow_hosts: ["127.0.0.1"], allow_ports: [effects.port], allow_private: true },
    },
    retry,
  });
  const enqueue = async (port: number, want: Wanted): Promise<void> => {
    const key = { "idempotency-key": `job-${want.n}` };
    // Null: the process was gone before it answered.
    const reply: Reply | null = await exchange(port, "POST", "/enqueue", bodyOf(want), key).catch(() => null);
    if (reply === null) return;
    // Busy, draining, without its store, or still at the first request of this key.
    if (reply.status === 503 || reply.status === 409) return;
    expect(reply.status, reply.text).toBe(202);
    const known = acknowledged.get(want.n);
    expect(known === undefined || known === reply.body.job_id, `job ${want.n} was queued twice`).toBe(true);
    acknowledged.set(want.n, reply.body.job_id);
    for (const look of watchers) look();
  };
  const unanswered = () => wanted.filter(({ n }) => !acknowledged.has(n));
  /** Asks for further jobs, and again for those that were never acknowledged, by turns at these ports. */
  const send = async (ports: readonly number[], count: number): Promise<void> => {
    for (let at = 0; at < count; at++) wanted.push({ n: wanted.length, retry: at % 2 === 0 });
    await Promise.all(unanswered().map((want, at) => enqueue(ports[at % ports.length] ?? 0, want)));
  };

  /** Resolves when this many more jobs are acknowledged. */
  const further = (count: number): Promise<void> => {
    const enough = acknowledged.size + count;
    return new Promise((resolve) => {
      const look = (): void => {
        if (acknowledged.size < enough) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  };

  return {
    /** What the service needs to reach the side of the effects. */
    variables: { WF_HTTP_ALLOW_PRIVATE: "1", WF_QUEUE_WORKERS: "4" },
    wanted,
    acknowledged,
    send,
    /** Asks for further jobs, and resolves at some moment while they are acknowledged and run. `sent`: every request was answered, or lost. */
    async disturbed(
      ports: readonly number[],
      count: number,
      random: () => number,
    ): Promise<{ readonly sent: Promise<void> }> {
      const some = further(Math.floor(random() * count));
      const sent = send(ports, count);
      await Promise.race([some, sent]);
      await new Promise((resolve) => setTimeout(resolve, random() * 80));
      return { sent };
    },
    /** Until every job that was asked for is acknowledged. */
    async settle(port: number): Promise<void> {
      while (unanswered().length > 0) await send([port], 0);
    },
    /** Every job is over, as it may be, with the effects that it may have had. */
    async verify(port: number): Promise<Verified> {
      const verified = { succeeded: 0, interrupted: 0, startedAgain: 0, calledAgain: 0 };
      for (const { n, retry } of wanted) {
        const { body } = await exchange(port, "GET", `/result/${acknowledged.get(n)}?wait=60`);
        const { calls, keys } = effects.of(n);
        const what = `job ${n}: ${body.status}, attempt ${body.attempt}, ${calls} calls`;
        expect(["succeeded", "interrupted"], `${what} ${JSON.stringify(body.result)}`).toContain(body.status);
        expect(body.status === "succeeded" ? body.result.out : body.result.error, what).toBe(
          body.status === "succeeded" ? n : "interrupted",
        );
        expect(body.attempt, what).toBeLessThanOrEqual(retry ? 3 : 1);
        expect(calls, what).toBeLessThanOrEqual(body.attempt);
        // Whatever was tried again was asked for under one key.
        expect(keys.size, what).toBeLessThanOrEqual(1);
        if (body.status === "succeeded") expect(keys.size, what).toBe(1);
        verified[body.status as "succeeded" | "interrupted"] += 1;
        if (body.attempt > 1) verified.startedAgain += 1;
        if (calls > 1) verified.calledAgain += 1;
      }
      console.info(JSON.stringify(verified));
      return verified;
    },
    /** The ids that the service lists, all of them. */
    async listed(port: number): Promise<readonly string[]> {
      const ids: string[] = [];
      for (let cursor = ""; ; ) {
        const { body } = await exchange(port, "GET", `/jobs?limit=200${cursor}`);
        ids.push(...body.jobs.map((job: { readonly job_id: string }) => job.job_id));
        if (body.next_cursor === null) return ids;
        cursor = `&cursor=${body.next_cursor}`;
      }
    },
    close: effects.close,
  };
}
