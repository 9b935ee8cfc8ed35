/**
 * The machine's side of the journal: what a call says of itself, and core functions under a journal. Without a journal nothing here
 * is reached.
 */
import type { Json } from "../../compiler/json.ts";
import { unknownCoreFunction } from "../calls/call-errors.ts";
import type { PureFunction } from "../functions/table.ts";
import type { MachineJournal } from "../recording/journal.ts";
import type { JournalledCall } from "../recording/record-log.ts";
import type { Machine } from "./machine.ts";

type Written = Pick<JournalledCall, "adapter" | "verb" | "args" | "pure">;

export type CoreCall = {
  readonly verb: string;
  readonly args: readonly Json[];
  readonly implementation: PureFunction | undefined;
};

/** The call at `pc` with its place. `visit`: of its call id; 0 for host functions, which have none. */
export function callAt(m: Machine, pc: number, { adapter, verb, args, pure }: Written, visit = 0): JournalledCall {
  const number = m.tables.site_at[pc] as number;
  const site = m.tables.sites[number];
  const attempt = attemptOf(m, number);
  const { name: branch } = m.branch;
  return { adapter, verb, args, pure, branch, label: site?.label ?? "", node: site?.id ?? "", visit, attempt };
}

/** 1, and one more for every repeat that Retry made of the visit. */
export function attemptOf(m: Machine, site: number): number {
  if (m.executor !== null) return m.executor.attempt;
  const plan = m.plans[m.sp] ?? null;
  return plan !== null && plan.site === site ? plan.made + 1 : 1;
}

/** A pure core call: computed in any case, so a replay can compare. */
export function journalledCore(m: Machine, journal: MachineJournal, pc: number, core: CoreCall): Json {
  const { verb, args, implementation } = core;
  journal.begin(callAt(m, pc, { adapter: "core", verb, args, pure: true }));
  let result: Json;
  try {
    if (implementation === undefined) throw unknownCoreFunction(verb);
    result = implementation(args, m.meter);
  } catch (thrown) {
    journal.threw(thrown);
    throw thrown;
  }
  journal.end({ ok: true, result });
  return result;
}
