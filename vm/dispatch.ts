/**
 * The way out of the machine: adapter calls and host functions. Counting, gate and deadline come first, then the adapter;
 * its answer is validated and copied. Nothing an adapter holds is shared with the frame.
 */
import { instructionLength } from "../compiler/bytecode/opcodes.ts";
import type { Aux, CallAux } from "../compiler/bytecode/program.ts";
import { findFunction, isHostCall } from "../compiler/functions.ts";
import type { Json } from "../compiler/json.ts";
import type { AdapterContext, AdapterInstance } from "./adapter.ts";
import { enforce, isEnforce } from "./auth-enforce.ts";
import { bookValue } from "./booking.ts";
import { operand, operands } from "./containers.ts";
import { detached } from "./detach.ts";
import { callCauseOf, type FailureCause, notConfigured, unknownVerb, verbOf } from "./dispatch-errors.ts";
import { functionOf } from "./functions/table.ts";
import { answerHostFunction, type HostAnswer, waitAsked } from "./host-functions.ts";
import type { CallJournal, CallOutcome } from "./journal.ts";
import { attemptOf, callAt } from "./journalled-calls.ts";
import type { Machine } from "./machine.ts";
import { admit, coreAnswer, timed } from "./slow.ts";
import { textOf } from "./text.ts";
import { checkedJson } from "./values.ts";

/** A failed call, mapped to code, message and data already. */
export class CallFailure extends Error {
  readonly failure: FailureCause;
  constructor(failure: FailureCause) {
    super(failure.message);
    this.name = "CallFailure";
    this.failure = failure;
  }
}

/** `Invoke D x n a…`: true when the run must wait for the answer. */
export function invoke(m: Machine, pc: number): boolean {
  const aux = m.tables.aux[m.tables.code[pc + 2] as number] as CallAux;
  const { adapter, verb, args } = spoken(m, pc, aux);
  const computed = aux.adapter === null;
  const enforces = aux.enforce || (computed && isEnforce(adapter, verb));
  admit(m, adapter, verb, !enforces);
  if (computed && adapter === "core") return computedCore(m, pc, verb, args);
  if (enforces) {
    mapped(null, adapter, verb, () => finish(m, pc, enforce(args)));
    return false;
  }
  m.checkTime();
  const journal = m.options.journal ?? null;
  if (journal !== null) {
    const logged = journal.begin(callAt(m, pc, { adapter, verb, args, pure: false }));
    if (logged !== null) {
      finish(m, pc, resultOf(logged));
      return false;
    }
  }
  const { clock } = m.options.deps;
  const before = clock.now();
  return mapped(journal, adapter, verb, () => {
    const handler = verbOf(instanceOf(m, adapter), verb);
    if (handler === undefined) throw unknownVerb(adapter, verb);
    const copies = args.map((arg) => detached(arg));
    const controller = lazyController();
    let answer: unknown;
    try {
      answer = handler.run(copies, context(m, pc, controller.signal));
    } finally {
      timed(m, adapter, clock.now() - before);
      m.checkTime();
    }
    if (!isPromise(answer)) {
      finish(m, pc, answered(journal, answer));
      return false;
    }
    m.pending = { kind: "call", promise: answer, abort: controller.abort, pc };
    return true;
  });
}

/** The answer of a call that the run waited for. Returns the pc to go on at. */
export function settle(
  m: Machine,
  pc: number,
  settled: { readonly value: unknown } | { readonly thrown: unknown },
): number {
  const aux = m.tables.aux[m.tables.code[pc + 2] as number] as CallAux;
  const { adapter, verb } = spoken(m, pc, aux);
  const journal = m.options.journal ?? null;
  mapped(journal, adapter, verb, () => {
    if ("thrown" in settled) throw settled.thrown;
    finish(m, pc, answered(journal, settled.value));
  });
  return pc + instructionLength(m.tables.code, pc);
}

/** `Host D x n a…`: true when the run must wait. */
export function callHost(m: Machine, pc: number): boolean {
  const { code, aux } = m.tables;
  const entry = aux[code[pc + 2] as number] as HostAux;
  const args = operands(m, pc + 3);
  admit(m, "core", entry.written, entry.counted);
  return hostAnswer(m, pc, entry, args);
}

/** `R core.F` whose names were computed: what `CoreCall` and `Host` do for written ones. */
function computedCore(m: Machine, pc: number, verb: string, args: readonly Json[]): boolean {
  const name = findFunction(verb)?.name ?? verb;
  if (isHostCall(name, args.length))
    return hostAnswer(m, pc, { kind: "host", name, counted: true, written: verb }, args);
  storeAt(m, pc, coreAnswer(m, pc, verb, args, functionOf(name, "verb")));
  return false;
}

function hostAnswer(m: Machine, pc: number, entry: HostAux, args: readonly Json[]): boolean {
  m.checkTime();
  const journal = m.options.journal ?? null;
  if (journal !== null) {
    const wait = waitAsked(entry.name, args);
    if (wait > 0) checkWait(m, wait);
    const logged = journal.begin(callAt(m, pc, { adapter: "core", verb: entry.written, args, pure: false }));
    if (logged !== null) {
      storeAt(m, pc, resultOf(logged));
      return false;
    }
  }
  const answer = askHost(m, entry, args, journal);
  m.checkTime();
  if ("value" in answer) {
    journal?.end({ ok: true, result: answer.value });
    storeAt(m, pc, answer.value);
    return false;
  }
  checkWait(m, answer.wait_ms);
  m.pending = { kind: "wait", ms: answer.wait_ms, then: "host", pc };
  return true;
}

/** A host function's wait is over. */
export function settleHost(m: Machine, pc: number): number {
  m.options.journal?.end({ ok: true, result: null });
  storeAt(m, pc, null);
  return pc + instructionLength(m.tables.code, pc);
}

type HostAux = Extract<Aux, { kind: "host" }>;

function askHost(m: Machine, entry: HostAux, args: readonly Json[], journal: CallJournal | null): HostAnswer {
  const { clock, facts } = m.options.deps;
  const before = clock.now();
  try {
    const answer = answerHostFunction(entry.name, args, clock, facts);
    if (entry.counted) timed(m, "core", clock.now() - before);
    return answer;
  } catch (thrown) {
    journal?.threw(thrown);
    throw thrown;
  }
}

function storeAt(m: Machine, pc: number, value: Json): void {
  const d = m.tables.code[pc + 1] as number;
  if (d >= 0) bookValue(m, d, value);
}

/** Fails at once when a wait of `ms` cannot end in time. */
export function checkWait(m: Machine, ms: number): void {
  if (Math.floor(m.elapsed() + ms) > m.maxTime) throw m.late();
}

export async function closeInstances(m: Machine): Promise<void> {
  for (const instance of m.instances.values()) {
    try {
      await instance.close?.();
    } catch {
      // What one adapter fails to release keeps neither the others open nor the run from its answer.
    }
  }
}

type Spoken = { readonly adapter: string; readonly verb: string; readonly args: Json[] };

function spoken(m: Machine, pc: number, aux: CallAux): Spoken {
  const args = operands(m, pc + 3);
  if (aux.fallback) args.pop();
  const adapter = aux.adapter ?? textOf(args.shift() ?? null).toLowerCase();
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

function mapped<T>(journal: CallJournal | null, adapter: string, verb: string, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    const cause = callCauseOf(thrown, adapter, verb);
    journal?.threw(thrown, cause);
    throw new CallFailure(cause);
  }
}

/** The adapter's answer as a value of our own, told to the journal before anything is done with it. */
function answered(journal: CallJournal | null, answer: unknown): Json {
  const result = checkedJson(answer);
  journal?.end({ ok: true, result });
  return result;
}

function resultOf(logged: CallOutcome): Json {
  if (logged.ok) return logged.result;
  throw new CallFailure(logged.failure);
}

function instanceOf(m: Machine, name: string): AdapterInstance {
  const opened = m.instances.get(name);
  if (opened !== undefined) return opened;
  const adapter = m.options.deps.adapters.get(name);
  if (adapter === undefined) throw notConfigured(name);
  const instance = adapter.open();
  m.instances.set(name, instance);
  return instance;
}

/** The same call id for all Retry attempts of one visit. */
function context(m: Machine, pc: number, signal: () => AbortSignal): AdapterContext {
  const number = m.tables.site_at[pc] as number;
  const site = m.tables.sites[number];
  const attempt = attemptOf(m, number);
  const place = `${site?.label}/${site?.id}`;
  const visit = (m.visits.get(place) ?? 0) + (attempt === 1 ? 1 : 0);
  m.visits.set(place, visit);
  const { traceId } = m.options;
  return {
    get signal() {
      return signal();
    },
    remainingMs: () => Math.max(0, m.maxTime - m.elapsed()),
    callId: `${traceId}/${place}/${visit}`,
    attempt,
    traceId,
  };
}

/** Most adapters never ask for the signal, so it is made on demand. */
function lazyController(): { readonly signal: () => AbortSignal; readonly abort: () => void } {
  let controller: AbortController | undefined;
  let aborted = false;
  return {
    signal: () => {
      controller ??= new AbortController();
      if (aborted) controller.abort();
      return controller.signal;
    },
    abort: () => {
      aborted = true;
      controller?.abort();
    },
  };
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
