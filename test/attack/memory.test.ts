/**
 * Small requests that make a service hold much: it stays alive, answers probes in between, and its memory stays below a bound. Each attack
 * ended a process of 1.0.0.
 */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { endServices, isBuilt, type ServeProcess, serveProcess } from "../service/jobs/faults/serve-process.ts";
import { mainThreadMs } from "./held-loop.ts";

afterAll(endServices);

const MIB = 1024 * 1024;
const HEAP_MIB = 768;
const SMALL_HEAP_MIB = 512;
/** Heap, the young generation, code, and what is on its way to the sockets. */
const MAX_RESIDENT = (HEAP_MIB + 512) * MIB;

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

/**
 * Asks for /health until `stop` aborts; milliseconds that the service's thread worked between each question and its answer. Not those that
 * passed: this process receives hundreds of megabytes meanwhile, and is often late to look.
 */
async function probe({ port, pid }: ServeProcess, stop: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!stop.aborted) {
    const before = mainThreadMs(pid);
    const response = await fetch(`http://127.0.0.1:${port}/health`);
    await response.text();
    expect(response.status).toBe(200);
    times.push(mainThreadMs(pid) - before);
    await sleep(20);
  }
  return times;
}

/** The most the process ever had in memory. */
function peakOf({ pid }: ServeProcess): number {
  const [, kilobytes = "0"] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

async function attacked(
  variables: Readonly<Record<string, string>>,
  attack: (port: number) => Promise<readonly Reply[]>,
): Promise<{ readonly replies: readonly Reply[]; readonly peak: number; readonly median: number }> {
  const bounds = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`, WF_DRAIN_MS: "1000" };
  const service = await serveProcess({ ...bounds, ...variables });
  expect(service.port).toBeGreaterThan(0);
  const stop = new AbortController();
  const probes = probe(service, stop.signal);
  const replies = await attack(service.port);
  stop.abort();
  const times = (await probes).sort((a, b) => a - b);
  const peak = peakOf(service);
  // It says server_busy until it has caught up.
  while ((await post(service.port, "/run", { code: "L1:\n  J 1\n" })).status !== 200) await sleep(50);
  await service.end("SIGTERM");
  return { replies, peak, median: times[Math.floor(times.length / 2)] ?? Number.POSITIVE_INFINITY };
}

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

describe.skipIf(!isBuilt || process.platform !== "linux")("a service that is asked to hold much", () => {
  it.each<[number, Readonly<Record<string, string>>]>([
    [20, {}],
    [12, { WF_SECURITY_PROFILE: "consumer_secure_default" }],
  ])(
    "survives %i records of large calls %j",
    async (count, variables) => {
      const { replies, peak, median } = await attacked(variables, async (port) =>
        Promise.all(
          Array.from({ length: count }, () => post(port, "/run", { code: RECORDS, strict: false, record_calls: true })),
        ),
      );
      for (const { status, text } of replies) {
        expect([200, 503]).toContain(status);
        expect(text.length).toBeLessThan(17 * MIB);
      }
      expect(replies.some(({ text }) => text.includes("record_cut: "))).toBe(true);
      expect(peak).toBeLessThan(MAX_RESIDENT);
      expect(median).toBeLessThan(100);
    },
    300_000,
  );

  it.each<[string, object]>([
    ["lists of empty lists", { code: EMPTIES, strict: false, frame: { t: `[${"[],".repeat(300_000)}[]]` } }],
    ["texts joined piece by piece", { code: ROPE, strict: false }],
    ["pairs", { code: PAIRS, strict: false }],
  ])(
    "survives 100 sleeping runs with %s",
    async (_what, body) => {
      const { peak, median } = await attacked({ WF_MAX_BODY_BYTES: String(2 * MIB) }, (port) =>
        leave(
          port,
          Array.from({ length: 100 }, () => body),
        ),
      );
      expect(peak).toBeLessThan(MAX_RESIDENT);
      expect(median).toBeLessThan(100);
    },
    120_000,
  );

  it("survives 60 clients that read nothing of responses of 10 MB", async () => {
    const bounds = { NODE_OPTIONS: `--max-old-space-size=${SMALL_HEAP_MIB}` };
    const sockets: Socket[] = [];
    let dropped = 0;
    const { peak, median } = await attacked(bounds, async (port) => {
      for (let client = 0; client < 60; client++)
        sockets.push(unread(port, { code: LARGE, strict: false, frame: { ms: 1000 + 40 * client } }));
      dropped = await droppedOf(port, sockets.length);
      for (const socket of sockets) socket.destroy();
      return [];
    });
    expect(dropped).toBeGreaterThan(10);
    expect(peak).toBeLessThan((SMALL_HEAP_MIB + 384) * MIB);
    expect(median).toBeLessThan(100);
  }, 120_000);

  it("survives 100 queued jobs of a megabyte", async () => {
    const body = { code: "L1:\n  R core.SLEEP 60000\n  J 1\n", strict: false, frame: { t: "x".repeat(MIB) } };
    const { replies, peak, median } = await attacked({ WF_MEMORY_QUEUE_MAX_BYTES: String(64 * MIB) }, async (port) => {
      const all: Reply[] = [];
      for (let round = 0; round < 10; round++)
        all.push(...(await Promise.all(Array.from({ length: 10 }, () => post(port, "/enqueue", body)))));
      return all;
    });
    expect(replies.filter(({ status }) => status === 202).length).toBeLessThan(70);
    expect(replies.filter(({ text }) => text.includes("queue_full")).length).toBeGreaterThan(20);
    expect(peak).toBeLessThan(MAX_RESIDENT);
    expect(median).toBeLessThan(100);
  }, 120_000);
});
