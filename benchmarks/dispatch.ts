/**
 * What one adapter call costs a program: the same loop with and without the call, divided by its turns. The calls do nothing, so
 * all of it is dispatch: counting, gate, argument check by schema, deadline, answer check, and recording where it is on. A
 * native async call of the same shape is timed beside, in the same process and in turn with the others.
 */

import { catalogEntryOf } from "../adapters/catalog-entry.ts";
import { arg, defineAdapter, verbsFor, z } from "../adapters/define.ts";
import { linkAdapter } from "../adapters/link.ts";
import { createServices } from "../adapters/services.ts";
import { builtinAdapters } from "../compiler/catalog/builtin.ts";
import { createCatalog } from "../compiler/catalog.ts";
import type { Ir } from "../compiler/ir/graph.ts";
import type { Json } from "../compiler/json.ts";
import { createHost, type Host } from "../vm/host.ts";
import type { Pace } from "./measure.ts";
import { LIMITS } from "./sides.ts";
import { type Summary, summary } from "./statistics.ts";

export type DispatchRow = {
  readonly name: string;
  /** Processor time of one call, in milliseconds. */
  readonly cpu_ms: Summary;
  /** First aim, in milliseconds; null: none was set. */
  readonly aim_ms: number | null;
};

const TURNS = 2000;
const MICROSECOND = 0.001;

const verb = verbsFor<Record<never, never>>();
const facts = {
  summary: "Gives its argument back",
  effect: "io-read",
  kind: "unknown",
  determinism: "external",
  args: z.tuple([arg("value", z.number()), arg("unit", z.string().optional())]),
  options: z.strictObject({ timeout_s: z.number().positive().optional() }),
  result: z.number(),
} as const;

const noop = defineAdapter({
  apiVersion: 1,
  name: "noop",
  version: "1.0.0",
  summary: "Does nothing",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "local_state",
  sandboxSafe: true,
  networkFacing: false,
  durable: false,
  maturity: "experimental",
  settings: {},
  verbs: {
    now: verb({ ...facts, run: ({ args: [value] }) => value }),
    later: verb({ ...facts, run: async ({ args: [value] }) => value }),
  },
});

type Case = { readonly name: string; readonly step: string; readonly record: boolean; readonly aim_ms: number | null };

const CASES: readonly Case[] = [
  { name: "core call", step: "R core.ADD x 1 ->r", record: false, aim_ms: 2 * MICROSECOND },
  { name: "core call, recorded", step: "R core.ADD x 1 ->r", record: true, aim_ms: null },
  { name: "external call, answered at once", step: "R noop.now x ->r", record: false, aim_ms: 6 * MICROSECOND },
  { name: "external call, answered by a promise", step: "R noop.later x ->r", record: false, aim_ms: 6 * MICROSECOND },
  { name: "external call with options", step: 'R noop.now x "s" {"timeout_s": 2} ->r', record: false, aim_ms: null },
  { name: "external call, recorded", step: "R noop.now x ->r", record: true, aim_ms: null },
];

/** One row for each kind of call, and one for the native call. */
export async function measureDispatch(pace: Pace): Promise<readonly DispatchRow[]> {
  const host = openHost();
  const xs = Array.from({ length: TURNS }, (_, at) => at);
  const irs = new Map(["Set r x", ...CASES.map(({ step }) => step)].map((step) => [step, loopOf(host, step)]));
  const weft = (step: string, record: boolean) => () => runOnce(host, irs.get(step) as Ir, xs, record);
  const timed = [
    { name: "native async call", work: () => nativeCalls(xs), base: async () => {}, aim_ms: null },
    ...CASES.map(({ name, step, record, aim_ms }) => ({
      name,
      work: weft(step, record),
      base: weft("Set r x", record),
      aim_ms,
    })),
  ];
  for (const { work, base } of timed) await timeOf(work, base, pace.warm_ms);
  const samples = timed.map((): number[] => []);
  for (let repetition = 0; repetition < pace.repetitions; repetition++)
    for (const [at, { work, base }] of timed.entries()) samples[at]?.push(await timeOf(work, base, pace.repetition_ms));
  return timed.map(({ name, aim_ms }, at) => ({ name, aim_ms, cpu_ms: summary(samples[at] ?? []) }));
}

/** Milliseconds of processor time that one call adds to a turn of the loop. */
async function timeOf(work: () => Promise<unknown>, base: () => Promise<unknown>, least_ms: number): Promise<number> {
  const [full, empty] = [await timeEach(work, least_ms), await timeEach(base, least_ms / 2)];
  return (full - empty) / TURNS;
}

async function timeEach(work: () => Promise<unknown>, least_ms: number): Promise<number> {
  let runs = 0;
  let spent = 0;
  const start = process.cpuUsage();
  do {
    await work();
    runs += 1;
    const { user, system } = process.cpuUsage(start);
    spent = (user + system) / 1000;
  } while (spent < least_ms && runs < 1_000_000);
  return spent / runs;
}

async function runOnce(host: Host, ir: Ir, xs: readonly number[], record: boolean): Promise<void> {
  const limits = { ...LIMITS, max_adapter_calls: TURNS };
  const answer = await host.run({ ir, frame: { xs: xs as Json }, limits, record });
  if (!answer.ok) throw new Error(answer.error.message);
  if (answer.out !== TURNS) throw new Error(`the loop gave ${JSON.stringify(answer.out)}`);
}

function loopOf(host: Host, step: string): Ir {
  const source = `# frame: xs\nL1:\n  Loop xs x ->L2 ->L3\nL2:\n  ${step}\nL3:\n  X n len xs\n  J n\n`;
  const { ir, diagnostics } = host.compile(source, { strict: false });
  if (ir === null) throw new Error(`does not compile: ${JSON.stringify(diagnostics)}`);
  return ir;
}

async function echo(value: number): Promise<number> {
  return value;
}

async function nativeCalls(xs: readonly number[]): Promise<number> {
  let sum = 0;
  for (const x of xs) sum += await echo(x);
  return sum;
}

function openHost(): Host {
  const clock = {
    now: () => performance.now(),
    wall: () => Date.now(),
    wait: (ms: number, then: () => void) => {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
  };
  const places = {
    stateDir: null,
    dataRoot: null,
    agentRoot: null,
    memoryDb: null,
    cachePath: null,
    summaryRoot: null,
  };
  const { services } = createServices({ places, environment: {} });
  const linked = linkAdapter(noop, {}, { services, secret: async () => undefined, log: () => {}, now: clock.wall });
  if (!linked.ok) throw new Error("settings without any are valid");
  return createHost({
    clock,
    facts: { uuid: () => crypto.randomUUID(), env: () => undefined },
    catalog: createCatalog([...builtinAdapters, catalogEntryOf(noop)]),
    adapters: new Map([["noop", linked.adapter]]),
    traceId: () => crypto.randomUUID(),
  });
}
