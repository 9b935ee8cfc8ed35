/**
 * What one adapter call costs a program: the same loop with and without the call, divided by its turns. The calls do nothing, so
 * all of it is dispatch: counting, gate, argument check by schema, deadline, answer check, and recording where it is on. A
 * native async call of the same form is timed in the same process, in turn with the others.
 */

import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import type { Host } from "../../vm/host.ts";
import type { Figure } from "../figure.ts";
import { noopHost } from "../peers/noop.ts";
import { compiledOn, LIMITS } from "../peers/weft.ts";
import type { ProbeScope } from "./probe.ts";
import { timeInTurn } from "./timing.ts";

const TURNS = 2000;
const GROUP = "What one adapter call adds to a turn of a loop";

type Case = { readonly name: string; readonly step: string; readonly record: boolean; readonly most_ns: number | null };

const CASES: readonly Case[] = [
  { name: "core call", step: "R core.ADD x 1 ->r", record: false, most_ns: 2000 },
  { name: "core call, recorded", step: "R core.ADD x 1 ->r", record: true, most_ns: null },
  { name: "external call, answered at once", step: "R noop.now x ->r", record: false, most_ns: 6000 },
  { name: "external call, answered by a promise", step: "R noop.later x ->r", record: false, most_ns: 6000 },
  { name: "external call with options", step: 'R noop.now x "s" {"timeout_s": 2} ->r', record: false, most_ns: null },
  { name: "external call, recorded", step: "R noop.now x ->r", record: true, most_ns: null },
];

/** One figure for each kind of call, and one for the native call. */
export async function measureDispatch({ pace }: ProbeScope): Promise<readonly Figure[]> {
  const host = noopHost();
  const xs = Array.from({ length: TURNS }, (_, at) => at);
  const irs = new Map(["Set r x", ...CASES.map(({ step }) => step)].map((step) => [step, loopOf(host, step)]));
  const weft = (step: string, record: boolean) => () => runOnce(host, irs.get(step) as Ir, xs, record);
  const works = [
    () => nativeCalls(xs),
    weft("Set r x", false),
    weft("Set r x", true),
    ...CASES.map(({ step, record }) => weft(step, record)),
  ];
  const [native, plain, recorded, ...calls] = (await timeInTurn(works, pace)).map(
    ({ median }) => (median * 1e6) / TURNS,
  );
  const figures = CASES.map(({ name, record, most_ns }, at): Figure => {
    const value = (calls[at] ?? Number.NaN) - ((record ? recorded : plain) ?? Number.NaN);
    return { group: GROUP, name, value, unit: "ns", ...(most_ns === null ? {} : { target: { at_most: most_ns } }) };
  });
  return [{ group: GROUP, name: "native async call", value: native ?? Number.NaN, unit: "ns" }, ...figures];
}

async function runOnce(host: Host, ir: Ir, xs: readonly number[], record: boolean): Promise<void> {
  const limits = { ...LIMITS, max_adapter_calls: TURNS };
  const answer = await host.run({ ir, frame: { xs: xs as Json }, limits, record });
  if (!answer.ok) throw new Error(answer.error.message);
  if (answer.out !== TURNS) throw new Error(`the loop gave ${JSON.stringify(answer.out)}`);
}

function loopOf(host: Host, step: string): Ir {
  const source = `# frame: xs\nL1:\n  Loop xs x ->L2 ->L3\nL2:\n  ${step}\nL3:\n  X n len xs\n  J n\n`;
  return compiledOn(host, step, source);
}

async function echo(value: number): Promise<number> {
  return value;
}

async function nativeCalls(xs: readonly number[]): Promise<number> {
  let sum = 0;
  for (const x of xs) sum += await echo(x);
  return sum;
}
