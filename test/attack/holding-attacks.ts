/**
 * Small requests that make a service hold much, and what they get. Each attack ended a process of 1.0.0. Used by the tests that the service
 * survives them, and by those that measure its memory.
 */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { type ServeProcess, serveProcess } from "../service/jobs/faults/serve-process.ts";

export const MIB = 1024 * 1024;
const HEAP_MIB = 768;
const SMALL_HEAP_MIB = 512;

type Reply = { readonly status: number; readonly text: string };

async function post(port: number, path: string, body: object, signal?: AbortSignal): Promise<Reply> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "wf-on-disconnect": "continue" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: response.status, text: await response.text() };
}

/** What a test does next to an attack; returns what ends it. */
export type Watch = (service: ServeProcess) => () => Promise<void>;

async function attacked(
  variables: Readonly<Record<string, string>>,
  watch: Watch,
  attack: (port: number) => Promise<readonly Reply[]>,
): Promise<readonly Reply[]> {
  const bounds = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`, WF_DRAIN_MS: "1000" };
  const service = await serveProcess({ ...bounds, ...variables });
  expect(service.port).toBeGreaterThan(0);
  const end = watch(service);
  const replies = await attack(service.port);
  await end();
  // It says server_busy until it has caught up.
  while ((await post(service.port, "/run", { code: "L1:\n  J 1\n" })).status !== 200) await sleep(50);
  await service.end("SIGTERM");
  return replies;
}

/** Asks for /health until the attack is over. */
export const probed: Watch = ({ port }) => {
  const stop = new AbortController();
  const probes = (async () => {
    while (!stop.signal.aborted) {
      const response = await fetch(`http://127.0.0.1:${port}/health`);
      await response.text();
      expect(response.status).toBe(200);
      await sleep(20);
    }
  })();
  return async () => {
    stop.abort();
    await probes;
  };
};

/** Requests whose client disconnects: their runs continue. */
async function leave(port: number, bodies: readonly object[]): Promise<readonly Reply[]> {
  const gone = new AbortController();
  const sent = bodies.map((body) => post(port, "/run", body, gone.signal).catch(() => ({ status: 0, text: "" })));
  await Promise.race([Promise.all(sent), sleep(8_000)]);
  gone.abort();
  return Promise.all(sent);
}

const RECORDS =
  'L1:\n  X l range 60000\n  X t join "," l\n  X n range 210\n  Loop n i ->L2 ->L3\nL2:\n  R core.CONCAT t i ->u\nL3:\n  R core.SLEEP 3000\n  J 1\n';
const EMPTIES = "L1:\n  X l parse t\n  R core.SLEEP 20000\n  X n len l\n  J n\n";
const ROPE =
  'L1:\n  X s ""\n  X n range 300000\n  Loop n i ->L2 ->L3\nL2:\n  X s concat s "x"\nL3:\n  R core.SLEEP 20000\n  X k len s\n  J k\n';
const PAIRS = "L1:\n  X a range 300000\n  X l zip a a\n  R core.SLEEP 20000\n  X n len l\n  J n\n";

/** A string of 10 MB. The runs begin together, and end one after the other. */
const LARGE =
  'L1:\n  R core.SLEEP ms\n  Set s "0123456789"\n  X n range 20\n  Loop n i ->L2 ->L3\nL2:\n  X s concat s s\nL3:\n  J s\n';

/** A client that sends a run and reads nothing. */
function unread(port: number, run: object): Socket {
  const body = JSON.stringify(run);
  const socket = connect(port, "127.0.0.1").pause();
  socket.on("error", () => {});
  socket.write(`POST /run HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  return socket;
}

type Metrics = {
  readonly runs_total: number;
  readonly runs_in_flight: number;
  readonly http_requests_total: Readonly<Record<string, number>>;
};

/** Resolves with the number of dropped responses when `count` runs have ended. */
async function droppedOf(port: number, count: number): Promise<number> {
  for (;;) {
    const metrics = (await (await fetch(`http://127.0.0.1:${port}/metrics`)).json()) as Metrics;
    if (metrics.runs_total === count && metrics.runs_in_flight === 0)
      return metrics.http_requests_total["POST /run 503"] ?? 0;
    await sleep(100);
  }
}

type Attack = {
  readonly what: string;
  /** Makes it, and tests what the service answers. */
  readonly run: (watch: Watch) => Promise<void>;
  readonly heapMiB: number;
};

const records = (count: number, variables: Readonly<Record<string, string>>): Attack => ({
  what: `${count} records of large calls ${JSON.stringify(variables)}`,
  heapMiB: HEAP_MIB,
  async run(watch) {
    const replies = await attacked(variables, watch, (port) =>
      Promise.all(
        Array.from({ length: count }, () => post(port, "/run", { code: RECORDS, strict: false, record_calls: true })),
      ),
    );
    for (const { status, text } of replies) {
      expect([200, 503]).toContain(status);
      expect(text.length).toBeLessThan(17 * MIB);
    }
    expect(replies.some(({ text }) => text.includes("record_cut: "))).toBe(true);
  },
});

const sleepers = (what: string, body: object): Attack => ({
  what: `100 sleeping runs with ${what}`,
  heapMiB: HEAP_MIB,
  async run(watch) {
    const bodies = Array.from({ length: 100 }, () => body);
    await attacked({ WF_MAX_BODY_BYTES: String(2 * MIB) }, watch, (port) => leave(port, bodies));
  },
});

const unreadAnswers: Attack = {
  what: "60 clients that read nothing of responses of 10 MB",
  heapMiB: SMALL_HEAP_MIB,
  async run(watch) {
    const sockets: Socket[] = [];
    let dropped = 0;
    await attacked({ NODE_OPTIONS: `--max-old-space-size=${SMALL_HEAP_MIB}` }, watch, async (port) => {
      for (let client = 0; client < 60; client++)
        sockets.push(unread(port, { code: LARGE, strict: false, frame: { ms: 1000 + 40 * client } }));
      dropped = await droppedOf(port, sockets.length);
      for (const socket of sockets) socket.destroy();
      return [];
    });
    expect(dropped).toBeGreaterThan(10);
  },
};

const queued: Attack = {
  what: "100 queued jobs of a megabyte",
  heapMiB: HEAP_MIB,
  async run(watch) {
    const body = { code: "L1:\n  R core.SLEEP 60000\n  J 1\n", strict: false, frame: { t: "x".repeat(MIB) } };
    const replies = await attacked({ WF_MEMORY_QUEUE_MAX_BYTES: String(64 * MIB) }, watch, async (port) => {
      const all: Reply[] = [];
      for (let round = 0; round < 10; round++)
        all.push(...(await Promise.all(Array.from({ length: 10 }, () => post(port, "/enqueue", body)))));
      return all;
    });
    expect(replies.filter(({ status }) => status === 202).length).toBeLessThan(70);
    expect(replies.filter(({ text }) => text.includes("queue_full")).length).toBeGreaterThan(20);
  },
};

export const ATTACKS: readonly Attack[] = [
  records(20, {}),
  records(12, { WF_SECURITY_PROFILE: "consumer_secure_default" }),
  sleepers("lists of empty lists", { code: EMPTIES, strict: false, frame: { t: `[${"[],".repeat(300_000)}[]]` } }),
  sleepers("texts joined piece by piece", { code: ROPE, strict: false }),
  sleepers("pairs", { code: PAIRS, strict: false }),
  unreadAnswers,
  queued,
];
