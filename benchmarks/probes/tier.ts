/**
 * What generated code takes: memory of ten thousand programs, prepared and run once or until they are hot, and the time to build one. Needs
 * `--expose-gc`.
 */
import { flatten } from "../../compiler/bytecode/flatten.ts";
import type { Program } from "../../compiler/bytecode/program.ts";
import { verifyCode } from "../../compiler/bytecode/verify/verify.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { foldCall } from "../../vm/functions/fold-constants.ts";
import type { Host } from "../../vm/host.ts";
import { ShortRuns } from "../../vm/tier/enter.ts";
import { makeModule } from "../../vm/tier/loops/module.ts";
import { Places } from "../../vm/tier/loops/translate/places.ts";
import { translate } from "../../vm/tier/loops/translate/translate.ts";
import { tierPolicyOf } from "../../vm/tier/policy.ts";
import { type Figure, timed } from "../figure.ts";
import { compiledOn, LIMITS, openHost, sourceOf } from "../peers/weft.ts";
import { summary } from "../statistics.ts";
import { workloadNamed } from "../workloads.ts";
import { heapKib } from "./memory.ts";
import type { ProbeScope } from "./probe.ts";

const PROGRAMS = 10_000;
const QUICK_PROGRAMS = 1000;
/** Programs that are built, of which the first half warms up. */
const BUILT = 200;
const FRAME: JsonObject = { x: 7 };

export async function measureTier({ root, quick }: ProbeScope): Promise<readonly Figure[]> {
  const built = buildFigures(root);
  return [...(await memoryFigures(root, quick ? QUICK_PROGRAMS : PROGRAMS)), ...built];
}

function textOf(root: string, name: string): string {
  const workload = workloadNamed(name);
  if (workload === undefined) throw new Error(`no workload ${name}`);
  return sourceOf(root, workload);
}

async function memoryFigures(root: string, count: number): Promise<Figure[]> {
  const short = (which: number): string => textOf(root, "W10").replace("lt b 100", `lt b ${100 + which / 1024}`);
  // Less than a slice of steps.
  const loop = (which: number): string => textOf(root, "W1").replace("lt i 1000000", `lt i ${4000 + which / 1024}`);
  const kept: object[] = [];
  const figure = async (name: string, sourceAt: (which: number) => string, times: number): Promise<Figure> => {
    await freed();
    const host = openHost();
    const before = heapKib();
    for (let which = 0; which < count; which++) kept.push(runPrepared(host, sourceAt(which), times));
    const value = (heapKib() - before) / count;
    kept.length = 0;
    return { group: `Heap of one program, of ${count.toLocaleString("en-US")} that stay`, name, value, unit: "KiB" };
  };
  return [
    await figure("W10, run once", short, 1),
    await figure("W10, run 40 times: a whole function", short, 40),
    await figure("W1 with 4,000 passes, run once", loop, 1),
    await figure("W1 with 4,000 passes, run five times: hot", loop, 5),
  ];
}

/** Functions that were collected give back their part of what all may take in a later turn of the process. */
async function freed(): Promise<void> {
  heapKib();
  await new Promise((resolve) => setTimeout(resolve, 50));
}

function runPrepared(host: Host, source: string, times: number): object {
  const program = host.prepare(compiledOn(host, "one of many", source), { limits: LIMITS });
  for (let time = 0; time < times; time++) program.runSync(FRAME);
  return program;
}

function buildFigures(root: string): Figure[] {
  const host = openHost();
  const programOf = (source: string): Program => {
    const ir = compiledOn(host, "built", source);
    return flatten(ir, ir.entry as string, foldCall);
  };
  const figures: Figure[] = [];
  const add = (name: string, programs: readonly Program[], build: (program: Program, which: number) => void): void => {
    const times = programs.map((program, which) => {
      const start = performance.now();
      build(program, which);
      return performance.now() - start;
    });
    const warm = summary(times.slice(times.length / 2));
    figures.push({ group: "Building a program, once", name, ...timed(warm, "µs") });
  };
  for (const workload of ["W10", "W5"]) {
    const programs = Array.from({ length: BUILT }, (_, which) => programOf(varied(textOf(root, workload), which)));
    add(`${workload}, as a whole function`, programs, buildShort);
  }
  for (const workload of ["W1", "W2", "W3", "W4"]) {
    const program = programOf(textOf(root, workload));
    add(`${workload}, loops`, new Array<Program>(BUILT).fill(program), buildLoops);
  }
  return figures;
}

/** Programs of other source after translation too, which the engine would know otherwise. */
function varied(source: string, which: number): string {
  const verbs = ["add", "sub", "mul", "lt", "lte", "gt"];
  const digits = which.toString(verbs.length).padStart(3, "0");
  const steps = Array.from(digits, (digit, at) => `  X v${at} ${verbs[Number(digit)]} x ${at + 2}\n`);
  return source.replace("L1:\n", `L1:\n${steps.join("")}`);
}

function buildShort(program: Program): void {
  const policy = tierPolicyOf({ tier: "auto" }, { quantum: 10_000, frameCeiling: 2 ** 28 });
  if (policy === null) throw new Error("the tier is off");
  const runs = new ShortRuns(program, null, { ...policy, heat: 1 });
  const request = { frame: FRAME, limits: {}, check: null, startedAt: 0, signal: undefined };
  if (runs.attempt(request, { now: () => 0, wall: () => 0, wait: () => () => {} }) === null)
    throw new Error("a program was not built");
}

/** As in front of the first block. The engine has compiled the text of an earlier one, so each has more spaces at its end. */
function buildLoops(program: Program, which: number): void {
  const tables = program.variant("fast");
  if (!verifyCode(program, "fast").ok) throw new Error("a program was not verified");
  const places = new Places(program, tables);
  const nothing = new Uint8Array(places.scan.slots);
  const observed = { kinds: nothing, elements: nothing, generic: new Set<number>(), mayLeave: false };
  const made = translate(places, observed, new Map([[0, nothing]]));
  const slots = Array.from(nothing, (_, slot) => tables.constants[slot - places.scan.variables]);
  const module = makeModule({ ...made, source: made.source + " ".repeat(which) }, slots, undefined);
  if (typeof module === "string") throw new Error(`a program was not built: ${module}`);
}
