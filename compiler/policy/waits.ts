/** The waits of a program, as far as they are known before a run: for what, for whom, and how long at most. */

import { readSpan } from "../catalog/time-span.ts";
import { stepName } from "../diagram/label-names.ts";
import type { IrIndex } from "../ir/analysis.ts";
import { CALL_OPS, type CallData, type Ir, type IrNode, type IrOperand } from "../ir/graph.ts";
import { placeOf } from "../ir/unbounded.ts";
import { literalTexts, optionOf } from "./argument-facts.ts";
import type { Unknown, Use, Wait } from "./report-shape.ts";

/** Verbs that wait, by adapter, with the place of their longest time: an argument, or the option `timeout`. */
const WAITING: Readonly<Record<string, Readonly<Record<string, "argument" | "time" | "timeout">>>> = {
  timer: { sleep: "argument", until: "time" },
  signal: { wait: "timeout" },
  approval: { ask: "timeout", wait: "timeout" },
  job: { run: "timeout", wait: "timeout", wait_any: "timeout" },
};

/** Adapters whose verbs wait. */
export const WAITING_ADAPTERS: readonly string[] = Object.keys(WAITING);

/** In the order of the program. */
export function waitsOf(index: IrIndex): Wait[] {
  return index.labelIds.flatMap((id) => index.chainOf(id).flatMap((node) => waitOf(node) ?? []));
}

/** `ask line 7 signal.wait`, for each. */
export function waitingSteps(ir: Ir): readonly string[] {
  return ir.nodes.flatMap((node) => {
    const wait = waitOf(node);
    return wait === null ? [] : [`${stepName(ir, node)} ${wait.adapter}.${wait.verb}`];
  });
}

/** Waits that have no end that the program says. */
export function unknownWaits(every: readonly Use[]): Unknown[] {
  return every.flatMap(({ node }): Unknown[] => {
    const wait = waitOf(node);
    if (wait === null || wait.bounded) return [];
    const call = `${wait.adapter}.${wait.verb}`;
    const reason = isEndless(wait, node)
      ? wait.adapter === "job"
        ? `${call} has no timeout: it waits until the other job is over`
        : `${call} has no timeout: it waits as long as the job lives`
      : `how long ${call} waits is computed`;
    return [{ what: "waits", ...placeOf(node), reason }];
  });
}

/** Whether the step waits for a signal or people, and has no timeout. Other jobs end by themselves. */
export function endlessWait(node: IrNode): boolean {
  const wait = waitOf(node);
  return wait !== null && wait.adapter !== "job" && isEndless(wait, node);
}

function isEndless({ adapter }: Wait, node: IrNode): boolean {
  return adapter !== "timer" && timeoutOf(node.data as CallData) === undefined;
}

/** A call that waits for a time, a signal, people or jobs; null: another step. */
export function waitOf(node: IrNode): Wait | null {
  if (!CALL_OPS.has(node.op)) return null;
  const { adapter, verb, args } = node.data as CallData;
  if (typeof adapter !== "string" || typeof verb !== "string") return null;
  const [name, word] = [adapter.toLowerCase(), verb.toLowerCase()];
  const verbs = Object.hasOwn(WAITING, name) ? WAITING[name] : undefined;
  const kind = verbs !== undefined && Object.hasOwn(verbs, word) ? verbs[word] : undefined;
  if (kind === undefined) return null;
  const named = namesOf(name, word, args);
  const seconds = kind === "time" ? null : secondsOf(kind === "argument" ? args[0] : timeoutOf({ args }));
  return {
    ...placeOf(node),
    adapter: name,
    verb: word,
    names: named ?? [],
    computed: named === null,
    longest_s: seconds,
    bounded: seconds !== null || (kind === "time" && (args[0]?.k === "str" || args[0]?.k === "num")),
  };
}

/** A wait, or the time of a question, whose length or date the program says. */
export type WrittenTime = {
  readonly call: string;
  readonly label: string;
  readonly node: string;
  readonly line: number | null;
  /** Milliseconds; null: it is a date. */
  readonly span: number | null;
  /** Milliseconds since 1970; null: it is a span. */
  readonly date: number | null;
};

/** In the order of the program. Those of included files have no line. */
export function writtenTimes({ nodes }: Pick<Ir, "nodes">): readonly WrittenTime[] {
  return nodes.flatMap((node): WrittenTime[] => {
    const wait = waitOf(node);
    const seconds = wait === null ? questionSeconds(node) : wait.longest_s;
    const date = wait === null || seconds !== null ? null : dateOf(node.data as CallData);
    if (seconds === null && date === null) return [];
    const { label, id, line, file } = node;
    const call = wait === null ? "approval.open" : `${wait.adapter}.${wait.verb}`;
    const place = { label, node: id, line: file === undefined ? (line ?? null) : null };
    return [{ call, ...place, span: seconds === null ? null : seconds * 1000, date }];
  });
}

/** How long a question stays open that the run does not wait for at once. */
function questionSeconds(node: IrNode): number | null {
  if (!CALL_OPS.has(node.op)) return null;
  const { adapter, verb, args } = node.data as CallData;
  const isQuestion = String(adapter).toLowerCase() === "approval" && String(verb).toLowerCase() === "open";
  return isQuestion ? secondsOf(timeoutOf({ args })) : null;
}

function dateOf({ args: [time] }: CallData): number | null {
  if (time?.k === "num") return time.v;
  const ms = time?.k === "str" ? Date.parse(time.v) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** Names of signals, or people who are asked; null: only a run knows them. */
function namesOf(adapter: string, verb: string, args: readonly IrOperand[]): readonly string[] | null {
  if (adapter === "signal") return args[0] === undefined ? null : literalTexts(args[0]);
  if (adapter !== "approval" || verb !== "ask") return [];
  const to = optionOf("to", args.slice(1));
  return to === undefined ? [] : to === null ? null : literalTexts(to);
}

function timeoutOf({ args }: Pick<CallData, "args">): IrOperand | undefined | null {
  return optionOf("timeout", args.slice(1));
}

function secondsOf(operand: IrOperand | undefined | null): number | null {
  if (operand?.k !== "str" && operand?.k !== "num") return null;
  const ms = readSpan(operand.v);
  return ms === null ? null : ms / 1000;
}
