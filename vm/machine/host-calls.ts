/**
 * Core functions that the machine answers itself on the slow path: those that read the outside (clock, ids, environment, waits), and
 * core calls whose names were computed. Counted, gated, recorded and observed like every call; no adapter is asked.
 */
import { instructionLength } from "../../compiler/bytecode/opcodes.ts";
import type { Aux } from "../../compiler/bytecode/program.ts";
import { findFunction, isHostCall } from "../../compiler/functions.ts";
import type { Json } from "../../compiler/json.ts";
import { causeOf } from "../calls/call-errors.ts";
import { timed } from "../calls/call-times.ts";
import { answerHostFunction, type HostAnswer, waitAsked } from "../calls/host-functions.ts";
import { functionOf } from "../functions/table.ts";
import { bookValue } from "../memory/accounting.ts";
import { operands } from "../memory/containers.ts";
import type { HostFacts } from "../run.ts";
import { admitted, resultOf, stands } from "./call-checks.ts";
import { callAt } from "./journal-hooks.ts";
import type { Machine } from "./machine.ts";
import { type ObservedCall, replayedEnd, tellAbandoned, tellObserver } from "./observer-hooks.ts";
import { coreAnswer } from "./slow-paths.ts";

type HostAux = Extract<Aux, { kind: "host" }>;

/** `Host D x n a…`: true when the run must wait. */
export function callHost(m: Machine, pc: number): boolean {
  const { code, aux } = m.tables;
  const entry = aux[code[pc + 2] as number] as HostAux;
  const args = operands(m, pc + 3);
  admitted(m, pc, callOf(entry, args), entry.counted);
  return hostAnswer(m, pc, entry, args);
}

/** `R core.F` whose names were computed: what `CoreCall` and `Host` do for written ones. */
export function computedCore(m: Machine, pc: number, verb: string, args: readonly Json[]): boolean {
  const name = findFunction(verb)?.name ?? verb;
  if (isHostCall(name, args.length))
    return hostAnswer(m, pc, { kind: "host", name, counted: true, written: verb }, args);
  storeAt(m, pc, coreAnswer(m, pc, verb, args, functionOf(name, "verb")));
  return false;
}

function hostAnswer(m: Machine, pc: number, entry: HostAux, args: readonly Json[]): boolean {
  m.checkTime();
  const journal = m.options.journal ?? null;
  const { observer } = m.options;
  if (journal !== null) {
    const wait = waitAsked(entry.name, args);
    if (wait > 0) admitWait(m, pc, wait);
    const logged = journal.begin(callAt(m, pc, { ...callOf(entry, args), pure: false }));
    if (logged === "stands") return stands(m, pc);
    if (logged !== null) {
      if (observer !== undefined) tellObserver(m, observer, pc, callOf(entry, args), replayedEnd(logged), 0);
      storeAt(m, pc, resultOf(logged));
      return false;
    }
  }
  const answer = askHost(m, pc, entry, args);
  m.checkTime();
  if ("value" in answer) {
    succeeded(m, pc, entry, args, answer.value, 0);
    storeAt(m, pc, answer.value);
    return false;
  }
  admitWait(m, pc, answer.wait_ms);
  m.pending = { kind: "wait", ms: answer.wait_ms, due: m.elapsed() + answer.wait_ms, then: "host", pc };
  return true;
}

/** A wait that cannot end in time fails at once, and is reported, because it was admitted as a call. */
function admitWait(m: Machine, pc: number, ms: number): void {
  try {
    checkWait(m, ms);
  } catch (late) {
    hostAbandoned(m, pc, late, 0);
    throw late;
  }
}

/** A host function's wait of `ms` is over. */
export function settleHost(m: Machine, pc: number, ms: number): number {
  const entry = hostEntry(m, pc);
  if (entry.counted) timed(m, "core", ms);
  succeeded(m, pc, entry, operands(m, pc + 3), null, ms);
  storeAt(m, pc, null);
  return pc + instructionLength(m.tables.code, pc);
}

/** The run ends after `ms` of a host function's wait, because of `why`. */
export function hostAbandoned(m: Machine, pc: number, why: unknown, ms: number): void {
  const entry = hostEntry(m, pc);
  if (entry.counted) timed(m, "core", ms);
  tellAbandoned(m, pc, callOf(entry, operands(m, pc + 3)), why, ms);
}

/** The waiting call: one written as a host call, or a computed call of core that turned out to be one. */
function hostEntry(m: Machine, pc: number): HostAux {
  const entry = m.tables.aux[m.tables.code[pc + 2] as number];
  return entry?.kind === "host" ? entry : { kind: "host", name: "sleep", counted: true, written: "SLEEP" };
}

function succeeded(m: Machine, pc: number, entry: HostAux, args: readonly Json[], result: Json, ms: number): void {
  m.options.journal?.end({ ok: true, result });
  const { observer } = m.options;
  if (observer !== undefined) tellObserver(m, observer, pc, callOf(entry, args), { result }, ms);
}

function callOf(entry: HostAux, args: readonly Json[]): ObservedCall {
  return { adapter: "core", verb: entry.written, args };
}

function askHost(m: Machine, pc: number, entry: HostAux, args: readonly Json[]): HostAnswer {
  const { deps, journal, observer, allowEnv } = m.options;
  const before = deps.clock.now();
  try {
    const answer = answerHostFunction(entry.name, args, deps.clock, limitedFacts(deps.facts, allowEnv));
    // A wait is part of its call: its time is noted when it is over.
    if (entry.counted && "value" in answer) timed(m, "core", deps.clock.now() - before);
    return answer;
  } catch (thrown) {
    if (entry.counted) timed(m, "core", deps.clock.now() - before);
    journal?.threw(thrown);
    const cause = causeOf(thrown);
    if (observer !== undefined && cause !== null) tellObserver(m, observer, pc, callOf(entry, args), { cause }, 0);
    throw thrown;
  }
}

/** The facts of a run whose grant names the variables it may read. */
function limitedFacts(facts: HostFacts, allowEnv: readonly string[] | null | undefined): HostFacts {
  if (allowEnv === undefined || allowEnv === null) return facts;
  return { ...facts, env: (name) => (allowEnv.includes(name) ? facts.env(name) : undefined) };
}

function storeAt(m: Machine, pc: number, value: Json): void {
  const d = m.tables.code[pc + 1] as number;
  if (d >= 0) bookValue(m, d, value);
}

/** Fails at once when a wait of `ms` cannot end in time. */
export function checkWait(m: Machine, ms: number): void {
  if (Math.floor(m.elapsed() + ms) > m.maxTime) throw m.late();
}
