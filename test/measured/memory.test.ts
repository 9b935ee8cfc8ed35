/** How much memory a service takes under attacks that make it hold much, and how long its thread works before it answers a probe. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { ATTACKS, MIB, type Watch } from "../attack/holding-attacks.ts";
import { endServices, isBuilt, type ServeProcess } from "../service/jobs/faults/serve-process.ts";
import { isMeasurable, mainThreadMs } from "./held-loop.ts";

afterAll(endServices);

/** Besides the heap: the young generation, code, and what is on its way to the sockets. */
const BESIDES_MIB = 512;
const MAX_MEDIAN_MS = 100;

/** The most the process ever had in memory. */
function peakOf({ pid }: ServeProcess): number {
  const [, kilobytes = "0"] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

/**
 * Asks for /health; milliseconds that the service's thread worked between each question and its answer. Not those that passed: this process
 * receives hundreds of megabytes meanwhile, and is often late to look.
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

describe.skipIf(!isBuilt || !isMeasurable)("the memory of a service stays within its bound under", () => {
  it.each(ATTACKS.map((attack) => [attack.what, attack] as const))(
    "%s",
    { timeout: 300_000 },
    async (_what, { run, heapMiB }) => {
      let [peak, median] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      const watch: Watch = (service) => {
        const stop = new AbortController();
        const probes = probe(service, stop.signal);
        return async () => {
          stop.abort();
          const times = (await probes).sort((a, b) => a - b);
          median = times[times.length >> 1] ?? median;
          peak = peakOf(service);
        };
      };
      await run(watch);
      expect(peak).toBeLessThan((heapMiB + BESIDES_MIB) * MIB);
      expect(median).toBeLessThan(MAX_MEDIAN_MS);
    },
  );
});
