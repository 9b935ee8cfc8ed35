/**
 * The way out of the machine: adapter calls and host functions. Counting, gate and deadline come first, then the adapter;
 * its answer is validated and copied. Nothing an adapter holds is shared with the frame.
 */
import { instructionLength } from "../compiler/bytecode/opcodes.ts";
import type { Aux, CallAux } from "../compiler/bytecode/program.ts";
import type { Json } from "../compiler/json.ts";
import type { AdapterContext, AdapterInstance } from "./adapter.ts";
import { enforce } from "./auth-enforce.ts";
import { bookValue } from "./booking.ts";
import { operand, operands } from "./containers.ts";
import { callCauseOf, type FailureCause, notConfigured, unknownVerb, verbOf } from "./dispatch-errors.ts";
import { answerHostFunction } from "./host-functions.ts";
import type { Machine } from "./machine.ts";
import { admit, timed } from "./slow.ts";
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
  admit(m, adapter, verb, !aux.enforce);
  if (aux.enforce) {
    mapped(adapter, verb, () => finish(m, pc, enforce(args)));
    return false;
  }
  m.checkTime();
  const { clock } = m.options.deps;
  const before = clock.now();
  return mapped(adapter, verb, () => {
    const handler = verbOf(instanceOf(m, adapter), verb);
    if (handler === undefined) throw unknownVerb(adapter, verb);
    const copies = args.map((arg) => checkedJson(arg));
    const controller = lazyController();
    let answer: unknown;
    try {
      answer = handler.run(copies, context(m, pc, controller.signal));
    } finally {
      timed(m, adapter, clock.now() - before);
      m.checkTime();
    }
    if (!isPromise(answer)) {
      finish(m, pc, checkedJson(answer));
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
  mapped(adapter, verb, () => {
    if ("thrown" in settled) throw settled.thrown;
    finish(m, pc, checkedJson(settled.value));
  });
  return pc + instructionLength(m.tables.code, pc);
}

/** `Host D x n a…`: true when the run must wait. */
export function callHost(m: Machine, pc: number): boolean {
  const { code, aux } = m.tables;
  const entry = aux[code[pc + 2] as number] as Extract<Aux, { kind: "host" }>;
  const args = operands(m, pc + 3);
  admit(m, "core", entry.written, entry.counted);
  m.checkTime();
  const { clock, facts } = m.options.deps;
  const before = clock.now();
  const answer = answerHostFunction(entry.name, args, clock, facts);
  if (entry.counted) timed(m, "core", clock.now() - before);
  if ("value" in answer) {
    const d = code[pc + 1] as number;
    if (d >= 0) bookValue(m, d, answer.value);
    return false;
  }
  checkWait(m, answer.wait_ms);
  m.pending = { kind: "wait", ms: answer.wait_ms, then: "host", pc };
  return true;
}

/** A host function's wait is over. */
export function settleHost(m: Machine, pc: number): number {
  const d = m.tables.code[pc + 1] as number;
  if (d >= 0) bookValue(m, d, null);
  return pc + instructionLength(m.tables.code, pc);
}

/** Fails at once when a wait of `ms` cannot end in time. */
export function checkWait(m: Machine, ms: number): void {
  if (Math.floor(m.elapsed() + ms) > m.maxTime) throw m.late();
}

export async function closeInstances(m: Machine): Promise<void> {
  for (const instance of m.instances.values()) await instance.close?.();
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

function mapped<T>(adapter: string, verb: string, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    throw new CallFailure(callCauseOf(thrown, adapter, verb));
  }
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
  const plan = m.plans[m.sp] ?? null;
  const attempt = plan !== null && plan.site === number ? plan.made + 1 : 1;
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
