/** A batch on simulated services of up to 100 replicas: nothing twice and nothing missing, whatever dies, gets lost or is full; and how fast it is. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { capacity } from "../../../../benchmarks/scale/model.ts";
import type { QueuedBlock } from "../../../../cli/batch/resume/record.ts";
import { blocksOf } from "../../../../cli/batch/via/blocks.ts";
import { gatherRows } from "../../../../cli/batch/via/gather.ts";
import { patience } from "../../../../cli/batch/via/patience.ts";
import { compile } from "../../../../compiler/compile.ts";
import type { Ir } from "../../../../compiler/ir/graph.ts";
import type { CompileResult } from "../../../../compiler/options.ts";
import { cutLines, EVERY_LINE } from "../../../../vm/batch/rows/cut-lines.ts";
import { readPage } from "../../../docs/page.ts";
import { randomOf } from "../../../support/random.ts";
import { type Installation, SimulatedService, SimulatedTime } from "./simulated-service.ts";

const IR = irOf(compile("def main(row: int):\n    return row * 2\n"));

function irOf({ ir }: CompileResult): Ir {
  if (ir === null) throw new Error("the program does not compile");
  return ir;
}

type Story = {
  readonly rows: number;
  readonly installation: Installation;
  readonly seed?: number;
  readonly block?: number;
  readonly ahead?: number;
  /** Part of the requests that get lost. */
  readonly lossy?: number;
  /** Milliseconds after which the command is killed, each time that it was started. */
  readonly kills?: readonly number[];
  /** Milliseconds that pass before it is started again. */
  readonly pauseMs?: number;
  /** Milliseconds at which a replica dies. */
  readonly deaths?: readonly (readonly [ms: number, replica: number])[];
  /** Rows that the input has more, each time that the command is started again. */
  readonly grows?: number;
};

/** Plays a batch until it is whole. */
async function played({
  rows,
  installation,
  seed = 1,
  block = 500,
  ahead = 8000,
  lossy = 0,
  kills = [],
  ...rest
}: Story) {
  const time = new SimulatedTime();
  const service = new SimulatedService(time, installation, randomOf(seed), lossy);
  const written: unknown[] = [];
  let recorded: readonly QueuedBlock[] = [];
  let mostQueued = 0;
  for (const [ms, replica] of rest.deaths ?? []) time.wait(ms, () => service.die(replica));
  const start = async (count: number, killMs: number | undefined): Promise<void> => {
    const dead = { isDead: false };
    const known = new Map(recorded.map(({ from, count: size }) => [from, size]));
    const reading = { ir: IR, entry: null, strict: false, checks: true, warn: () => {} };
    const cutting = { first: recorded[0]?.from ?? written.length, mostRows: block, known };
    const parts = gatherRows(blocksOf(cutLines(linesOf(count), EVERY_LINE), reading, cutting), {
      jobs: service.client(dead),
      clock: time,
      patience: patience({ clock: time, signal: new AbortController().signal, note: () => {} }),
      id: "b",
      request: '{"ir":{}',
      rows: "lean",
      ahead,
      before: recorded,
      written: written.length,
      record: (blocks) => {
        if (!dead.isDead) recorded = blocks;
        mostQueued = Math.max(
          mostQueued,
          blocks.reduce((sum, { count: size }) => sum + size, 0),
        );
      },
      settled: async () => {},
    });
    const work = (async () => {
      for await (const { bytes } of parts) {
        if (dead.isDead) return;
        for (const line of new TextDecoder().decode(bytes).trimEnd().split("\n")) written.push(JSON.parse(line));
      }
    })();
    if (killMs === undefined) return time.play(work);
    const killed = time.after(killMs).then(() => {
      dead.isDead = true;
    });
    return time.play(Promise.race([work, killed]));
  };
  let count = rows;
  for (const killMs of kills) {
    await start(count, killMs);
    count += rest.grows ?? 0;
    await time.play(time.after(rest.pauseMs ?? 0));
  }
  await start(count, undefined);
  return { written, service, seconds: time.now() / 1000, count, recorded, mostQueued };
}

async function* linesOf(count: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at += 1000) {
    const rows = Array.from({ length: Math.min(1000, count - at) }, (_, one) => `{"row":${at + one}}\n`);
    yield new TextEncoder().encode(rows.join(""));
  }
}

const doubled = (count: number) => Array.from({ length: count }, (_, row) => ({ ok: true, out: row * 2 }));

/** Rows of all jobs that were ever queued, in their order. */
const queuedRows = (service: SimulatedService): number[] =>
  service.jobs.map(({ row }) => row).toSorted((a, b) => a - b);
const allRows = (count: number): number[] => Array.from({ length: count }, (_, row) => row);

describe("a batch on simulated replicas", () => {
  it("queues each row once and writes each once, in order, whenever the command is killed and whatever gets lost", async () => {
    const story = fc.record({
      rows: fc.integer({ min: 0, max: 400 }),
      block: fc.integer({ min: 1, max: 90 }),
      seed: fc.integer({ min: 1, max: 1_000_000 }),
      lossy: fc.constantFrom(0, 0.05, 0.3),
      kills: fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 6 }),
      pauseMs: fc.constantFrom(0, 1000, 90_000_000),
      grows: fc.constantFrom(0, 0, 7),
      queueMax: fc.constantFrom(100, 1000),
      ahead: fc.constantFrom(50, 8000),
    });
    await fc.assert(
      fc.asyncProperty(story, async ({ queueMax, ...rest }) => {
        const installation = { replicas: 3, workers: 2, rowMs: (row: number) => 20 + (row % 13) * 30, queueMax };
        const { written, service, count, recorded } = await played({ ...rest, installation });
        expect(queuedRows(service)).toEqual(allRows(count));
        expect(written).toEqual(doubled(count));
        expect(recorded).toEqual([]);
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  it("writes rows whose replica died as interrupted, or runs them again where that is asked for", async () => {
    const installation = { replicas: 4, workers: 4, rowMs: () => 1000 };
    const deaths = [[1500, 0], [2500, 2]] as const; // biome-ignore format: one row
    const once = await played({ rows: 100, installation, deaths });
    const failed = once.written.filter((row) => (row as { ok: boolean }).ok === false);
    expect(failed).toHaveLength(8);
    expect(failed[0]).toMatchObject({ error: "interrupted", job_id: expect.any(String) });
    const again = await played({ rows: 100, installation: { ...installation, restarts: true }, deaths });
    expect(again.written).toEqual(doubled(100));
    expect(again.service.jobs.reduce((sum, { starts }) => sum + starts, 0)).toBe(108);
  });

  it("does not ask without a pause where too many wait already, and the service answers at once", async () => {
    const { written, service, seconds } = await played({
      rows: 40,
      installation: { replicas: 1, workers: 1, rowMs: () => 1000, waits: false },
    });
    expect(written).toEqual(doubled(40));
    expect(service.asked).toBeLessThan(6 * seconds);
  });

  it("cuts blocks by bytes, so that each fits into a request", async () => {
    const line = `{"row":1,"t":"${"\u20ac".repeat(100_000)}"}\n`;
    const reading = { ir: IR, entry: null, strict: false, checks: false, warn: () => {} };
    const input = cutLines(
      [new TextEncoder().encode(line.repeat(8))] as unknown as AsyncIterable<Uint8Array>,
      EVERY_LINE,
    );
    const sizes: number[] = [];
    for await (const { rows } of blocksOf(input, reading, { first: 0, mostRows: 500, known: new Map() }))
      sizes.push(rows.length);
    expect(sizes).toEqual([3, 3, 2]);
  });

  it("keeps fewer rows on their way than a service keeps results, so that none is lost to a slow one", async () => {
    const rowMs = (row: number): number => (row === 10 ? 60_000 : 10);
    const { written, mostQueued } = await played({
      rows: 20_000,
      installation: { replicas: 10, workers: 16, rowMs, resultMax: 10_000 },
    });
    expect(written).toEqual(doubled(20_000));
    expect(mostQueued).toBeLessThanOrEqual(8500);
  });
});

/** Of docs/scale.md: rows of 200 ms, of which 2 ms are computing, on replicas with 16 workers and two cores. */
const USUAL = { workers: 16, jobMs: 200, cpuMs: 2, coresPerReplica: 2, commitsPerSecond: 6000 };

describe("docs/scale.md, a batch on replicas", () => {
  const { text } = readPage("scale.md");
  const section = text.slice(text.indexOf("## A batch on replicas"));
  /** A figure of the row that begins so. */
  const figure = (row: string, column: number): number => {
    const line = section.split("\n").find((one) => one.startsWith(row)) ?? "";
    return Number(line.split(" | ")[column]?.replaceAll(/[,| ]/g, ""));
  };
  /** Rows a second; `slow`: the part of the rows that take a hundred times as long. */
  const rate = async (replicas: number, rows: number, slow: number, ahead: number): Promise<number> => {
    const random = randomOf(7);
    const long = () => (random() < slow ? 100 : 1);
    const times = Array.from({ length: rows }, () => -USUAL.jobMs * long() * Math.log(1 - random()));
    const installation = {
      replicas,
      workers: USUAL.workers,
      rowMs: (row: number) => times[row] ?? USUAL.jobMs,
      speed: (replica: number) => [1, 0.75, 1.25][replica % 3] ?? 1,
      jobsPerSecond: USUAL.commitsPerSecond / 3,
    };
    const { written, seconds } = await played({ rows, ahead, installation });
    expect(written).toHaveLength(rows);
    return rows / seconds;
  };

  it.each([1, 3, 10, 100])("says how many rows a second %i replicas do", async (replicas) => {
    const { jobsPerSecond } = capacity({ ...USUAL, replicas });
    expect(figure(`| ${replicas} |`, 1)).toBe(jobsPerSecond);
    const played = await rate(replicas, Math.max(1000, jobsPerSecond * 20), 0, 8000);
    expect(played / figure(`| ${replicas} |`, 2), String(played)).toBeGreaterThan(0.95);
    expect(played / figure(`| ${replicas} |`, 2), String(played)).toBeLessThan(1.05);
  });

  it.each([8000, 50_000])(
    "says what slow rows cost with %i rows ahead",
    async (ahead) => {
      const row = `| \`--ahead ${ahead}\` |`;
      const played = [await rate(10, 20_000, 0.02, ahead), await rate(100, 100_000, 0.02, ahead)];
      for (const [at, one] of played.entries()) {
        expect(one / figure(row, at + 1), played.join()).toBeGreaterThan(0.95);
        expect(one / figure(row, at + 1), played.join()).toBeLessThan(1.05);
      }
    },
    60_000,
  );
});
