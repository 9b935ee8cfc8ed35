/**
 * The way out of the machine: adapter calls and host functions. Counting, gate and deadline come first, then the adapter;
 * its answer is validated and copied. Nothing an adapter holds is shared with the frame.
 */
import { instructionLength } from "../../compiler/bytecode/opcodes.ts";
import type { CallAux } from "../../compiler/bytecode/program.ts";
import type { Json } from "../../compiler/json.ts";
import { addCharge, charge } from "../calls/budget.ts";
import { callCauseOf } from "../calls/call-errors.ts";
import { timed } from "../calls/call-times.ts";
import { enforce, isEnforce } from "../calls/enforce.ts";
import { type CallPlace, isPromise, type StartedCall } from "../calls/session.ts";
import { transactionInBranch } from "../errors/branch-failures.ts";
import { AdapterError } from "../errors/failures.ts";
import { bookValue } from "../memory/accounting.ts";
import { operand, operands } from "../memory/containers.ts";
import { measured } from "../memory/long-work.ts";
import { canonicalTextTask } from "../recording/record.ts";
import { Pace, type Task } from "../tasks/task.ts";
import type { Charge } from "../usage.ts";
import { textOf } from "../values/text.ts";
import { admitted, CallFailure, isHeld, placeOf, resultOf, stands } from "./call-checks.ts";
import { computedCore } from "./host-calls.ts";
import { callAt } from "./journal-hooks.ts";
import type { Machine } from "./machine.ts";
import { replayedEnd, tellAbandoned, tellObserver } from "./observer-hooks.ts";
import type { PendingCall } from "./options.ts";
import { resumed } from "./slow-paths.ts";

/** `Invoke D x n a…`: true when the run must wait for the answer. */
export function invoke(m: Machine, pc: number): boolean {
  // A function of core whose name was computed.
  if (m.task !== null) {
    finish(m, pc, resumed(m));
    return false;
  }
  const aux = m.tables.aux[m.tables.code[pc + 2] as number] as CallAux;
  const { adapter, verb, args } = spoken(m, pc, aux);
  const computed = aux.adapter === null;
  if (m.branch.turns !== null && adapter === "txn") throw transactionInBranch();
  if (isHeld(m, pc, adapter)) return true;
  const enforces = aux.enforce || (computed && isEnforce(adapter, verb));
  admitted(m, pc, { adapter, verb, args }, !enforces);
  if (computed && adapter === "core") return computedCore(m, pc, verb, args);
  if (enforces) {
    finish(m, pc, enforced(adapter, verb, args));
    return false;
  }
  m.checkTime();
  // Before the journal answers: replayed calls count as visits too, or the call ids after them would begin again.
  const place = placeOf(m, pc);
  const journal = m.options.journal ?? null;
  if (journal !== null) {
    const logged = journal.begin(callAt(m, pc, { adapter, verb, args, pure: false }, place.visit));
    if (logged === "stands") return stands(m, pc);
    if (logged !== null) {
      const { observer } = m.options;
      if (observer !== undefined) tellObserver(m, observer, pc, { adapter, verb, args }, replayedEnd(logged), 0);
      if (logged.charged !== undefined) charge(m, logged.charged);
      finish(m, pc, resultOf(logged));
      return false;
    }
  }
  return call(m, pc, { adapter, verb, args }, place);
}

/** Makes a call that passed counter, gate and log: true when the run must wait for the answer. */
function call(m: Machine, pc: number, spoken: Spoken, place: CallPlace): boolean {
  const { adapter, verb, args } = spoken;
  const { clock } = m.options.deps;
  const before = clock.now();
  let after = before;
  let started: StartedCall | null = null;
  let answer: Json = null;
  try {
    try {
      started = m.session.start(adapter, verb, args, place);
    } finally {
      after = clock.now();
      // What an adapter takes of the thread is taken off the next slice: a millisecond is about a thousand steps.
      m.debt += (after - before) * 1000;
      m.checkTimeAt(after);
    }
    if (isPromise(started.answer)) {
      if (!m.session.isConcurrent(adapter)) m.branch.turns?.take(adapter);
      m.pending = { kind: "call", call: started, promise: started.answer, pc, since: before };
      return true;
    }
    answer = m.session.taken(started, started.answer, m.executor !== null);
  } catch (thrown) {
    // The time limit may have passed already; then the answer is not awaited.
    if (started !== null) m.session.abandon(started);
    throw failed(m, pc, spoken, started, thrown, after - before);
  }
  succeeded(m, pc, spoken, started, answer, after - before);
  finish(m, pc, answer);
  return false;
}

/** The answer of a call that the run waited for. Returns the pc to continue at. */
export function settle(
  m: Machine,
  pending: PendingCall,
  settled: { readonly value: unknown } | { readonly thrown: unknown } | "expired",
): number {
  const { pc, call: started, since } = pending;
  m.branch.turns?.free(started.adapter);
  const aux = m.tables.aux[m.tables.code[pc + 2] as number] as CallAux;
  const asked = spoken(m, pc, aux);
  const ms = m.options.deps.clock.now() - since;
  let answer: Json;
  try {
    if (settled === "expired") throw m.session.expire(started);
    if ("thrown" in settled) throw settled.thrown;
    const task = m.session.takenInPieces(started, settled.value, new Pace(m.meter), m.executor !== null);
    if (task !== null) {
      // The instruction begins again and finds its task.
      m.task = takenLater(m, pc, asked, started, task, ms);
      return pc;
    }
    answer = m.session.taken(started, settled.value, m.executor !== null);
  } catch (thrown) {
    throw failed(m, pc, asked, started, thrown, ms);
  }
  succeeded(m, pc, asked, started, answer, ms);
  finish(m, pc, answer);
  return pc + instructionLength(m.tables.code, pc);
}

/** A large answer, taken over and measured in pieces. */
function* takenLater(
  m: Machine,
  pc: number,
  call: Spoken,
  started: StartedCall,
  task: Task<Json>,
  ms: number,
): Task<Json> {
  let answer: Json;
  let text: string | undefined;
  try {
    answer = yield* measured(task, m);
    if (m.options.observer !== undefined) text = yield* writtenOut(answer, m);
  } catch (thrown) {
    if (thrown instanceof AdapterError) throw failed(m, pc, call, started, thrown, ms);
    // A limit of the run.
    m.options.journal?.threw(thrown);
    throw thrown;
  }
  succeeded(m, pc, call, started, answer, ms, text);
  return answer;
}

function* writtenOut(answer: Json, m: Machine): Task<string> {
  const pace = new Pace(m.meter);
  const text = yield* canonicalTextTask(answer, pace);
  pace.end();
  return text;
}

/** The run ends while it waits for a call, because of `why`: its answer is dropped, but the call was made. */
export function abandoned(m: Machine, { pc, call: started, since }: PendingCall, why: unknown): void {
  m.session.abandon(started);
  m.branch.turns?.free(started.adapter);
  const aux = m.tables.aux[m.tables.code[pc + 2] as number] as CallAux;
  const asked = spoken(m, pc, aux);
  const ms = m.options.deps.clock.now() - since;
  timed(m, asked.adapter, ms);
  tellAbandoned(m, pc, asked, why, ms);
}

function succeeded(
  m: Machine,
  pc: number,
  call: Spoken,
  started: StartedCall,
  result: Json,
  ms: number,
  text?: string,
): void {
  timed(m, call.adapter, ms);
  const charged = chargedBy(m, started);
  m.options.journal?.end(charged === null ? { ok: true, result } : { ok: true, result, charged });
  const { observer } = m.options;
  if (observer !== undefined) tellObserver(m, observer, pc, call, { result, text }, ms);
  if (charged !== null) charge(m, charged);
}

/** What the run pays with the answer; null: nothing, or it paid for the job before. */
function chargedBy(m: Machine, started: StartedCall | null): Charge | null {
  const charged = started?.charged?.() ?? null;
  if (charged === null || m.options.journal?.hasPaid?.(charged.job) === true) return null;
  addCharge(m.session.usage, charged);
  return charged;
}

/** The failure to throw, told to journal, observer and the operator's log. */
function failed(
  m: Machine,
  pc: number,
  call: Spoken,
  started: StartedCall | null,
  thrown: unknown,
  ms: number,
): CallFailure {
  const { adapter, verb } = call;
  const meant = started === null ? thrown : m.session.failure(started, thrown);
  const cause = meant instanceof CallFailure ? meant.failure : callCauseOf(meant, adapter, verb);
  timed(m, adapter, ms);
  const charged = chargedBy(m, started);
  m.options.journal?.threw(meant, cause, charged ?? undefined);
  const { observer, deps } = m.options;
  if (observer !== undefined) tellObserver(m, observer, pc, call, { cause }, ms);
  if (cause.data["cause_type"] === "adapter_crash") deps.crashed?.(adapter, verb, thrown);
  if (charged !== null) charge(m, charged);
  return new CallFailure(cause);
}

type Spoken = { readonly adapter: string; readonly verb: string; readonly args: Json[] };

function spoken(m: Machine, pc: number, aux: CallAux): Spoken {
  const args = operands(m, pc + 3);
  if (aux.fallback) args.pop();
  const adapter = (aux.adapter ?? textOf(args.shift() ?? null)).toLowerCase();
  const verb = aux.verb ?? textOf(args.shift() ?? null);
  if (aux.text_key) args[1] = textOf(args[1] ?? null);
  return { adapter, verb, args };
}

function finish(m: Machine, pc: number, answer: Json): void {
  const { code, aux } = m.tables;
  const entry = aux[code[pc + 2] as number] as CallAux;
  const d = code[pc + 1] as number;
  if (d < 0) return;
  let value = answer;
  if (value === null && entry.fallback) value = operand(m, pc + 3 + (code[pc + 3] as number));
  if (entry.txid) value = transactionId(value);
  bookValue(m, d, value);
}

function transactionId(answer: Json): Json {
  if (answer === null || typeof answer !== "object" || Array.isArray(answer)) return answer;
  const holder = answer as { readonly [key: string]: Json };
  return Object.hasOwn(holder, "txn_id") ? (holder["txn_id"] ?? null) : answer;
}

function enforced(adapter: string, verb: string, args: readonly Json[]): Json {
  try {
    return enforce(args);
  } catch (thrown) {
    throw new CallFailure(callCauseOf(thrown, adapter, verb));
  }
}
