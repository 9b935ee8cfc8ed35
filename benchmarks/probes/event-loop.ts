/**
 * How late timers are while four programs without an end run in the same thread: by the clock, which other processes of the machine
 * delay as well, and by the processor time that this process spent meanwhile, which is what the programs are to blame for.
 */
import type { Figure } from "../figure.ts";
import { compiledOn, openHost } from "../peers/weft.ts";
import type { ProbeScope } from "./probe.ts";

const ENDLESS = "L1:\n  Set c true\n  While c ->L2 ->L3 limit=1000000000\nL2:\n  Set c true\nL3:\n  J 1\n";
const RUNS = 4;
const GROUP = "Lateness of a timer of 1 ms";

export async function measureEventLoop({ quick }: ProbeScope): Promise<readonly Figure[]> {
  const lasting = quick ? 1000 : 4000;
  const idle = await lateness(lasting / 4);
  const host = openHost();
  const ir = compiledOn(host, "endless", ENDLESS);
  const stop = new AbortController();
  const runs = Array.from({ length: RUNS }, () => host.run({ ir, frame: {}, limits: {}, signal: stop.signal }));
  const busy = await lateness(lasting);
  stop.abort();
  await Promise.all(runs);
  const title = `next to ${RUNS} endless programs, p99`;
  return [
    { group: GROUP, name: "nothing else in the process, p99 by the clock", value: p99(idle.wall), unit: "ms" },
    { group: GROUP, name: `${title} by the clock`, value: p99(busy.wall), unit: "ms" },
    {
      group: GROUP,
      name: `${title} in processor time`,
      value: p99(busy.cpu),
      unit: "ms",
      target: { at_most: 5 },
    },
  ];
}

type Lateness = { readonly wall: number[]; readonly cpu: number[] };

/** Milliseconds by which each timer of one millisecond was late. */
async function lateness(lasting_ms: number): Promise<Lateness> {
  const late: Lateness = { wall: [], cpu: [] };
  const start = performance.now();
  for (let now = start; now - start < lasting_ms; now = performance.now()) {
    const cpu = process.cpuUsage();
    const set = performance.now();
    await new Promise<void>((resolve) => setTimeout(resolve, 1));
    late.wall.push(Math.max(0, performance.now() - set - 1));
    const { user, system } = process.cpuUsage(cpu);
    late.cpu.push(Math.max(0, (user + system) / 1000 - 1));
  }
  return late;
}

function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(0.99 * (sorted.length - 1))] ?? Number.NaN;
}
