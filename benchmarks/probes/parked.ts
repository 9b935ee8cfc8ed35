/**
 * A hundred thousand parked jobs on SQLite: what they take of the heap, how long a service with them needs to start, and how late ten thousand
 * wake that are due at one moment. Needs `--expose-gc`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "../figure.ts";
import { makeDue, multiplyParked, sleeping } from "../service/parked-jobs.ts";
import { served } from "./durable.ts";
import { heapKib } from "./memory.ts";
import type { ProbeScope } from "./probe.ts";

const SLEEPS = 'L1:\n  R timer.sleep "1d" ->t\n  J 1\n';
const DAY_MS = 86_400_000;
const LOOK_MS = 20;
/** A service is there well before the jobs are due. */
const STARTED_MS = 3000;

export async function measureParked({ quick }: ProbeScope): Promise<readonly Figure[]> {
  const parked = quick ? 2000 : 100_000;
  const due = parked / 10;
  const group = `${parked.toLocaleString("en-US")} parked jobs on SQLite`;
  const folder = mkdtempSync(join(tmpdir(), "weft-parked-probe-"));
  try {
    const first = await served(folder);
    await first.queued({ code: SLEEPS });
    await until(() => sleeping(folder) === 1);
    await first.stop();
    const empty = await started(folder);
    multiplyParked(folder, parked, Date.now() + DAY_MS);
    const full = await started(folder);
    const at = Date.now() + STARTED_MS + full.ms;
    makeDue(folder, due, at);
    const last = await served(folder);
    await until(() => Date.now() >= at);
    const before = process.cpuUsage();
    await until(() => sleeping(folder) <= parked - due);
    const woken = Date.now() - at;
    const { user, system } = process.cpuUsage(before);
    await last.stop();
    return [
      {
        group,
        name: "heap, next to one parked job",
        value: full.kib - empty.kib,
        unit: "KiB",
        target: { at_most: 10_240 },
      },
      { group, name: "start", value: full.ms, unit: "ms", target: { at_most: 2000 } },
      { group, name: "start with one parked job", value: empty.ms, unit: "ms" },
      {
        group,
        name: `${due.toLocaleString("en-US")} due at one moment, until the last is awake`,
        value: woken,
        unit: "ms",
        target: { at_most: 5000 },
      },
      {
        group,
        name: "processor time of that, with the runs of those awake",
        value: (user + system) / 1000,
        unit: "ms",
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function started(folder: string): Promise<{ readonly ms: number; readonly kib: number }> {
  const began = performance.now();
  const service = await served(folder);
  const ms = performance.now() - began;
  const kib = heapKib();
  await service.stop();
  return { ms, kib };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}
