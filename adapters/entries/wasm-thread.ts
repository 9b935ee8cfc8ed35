/**
 * The thread that runs WebAssembly: one call at a time, each in an instance of its own unless the caller keeps one.
 * Modules were admitted before they came here and have no import but `wf.log`. A call that does not end is ended with
 * the thread.
 */
import { parentPort } from "node:worker_threads";
import type { TrapKind, WasmFailure, WasmJob, WasmOutcome, WasmReply, WorkerMessage } from "../engine/wasm/messages.ts";
import { type WasmFunction, type WasmInstance, type WasmMemory, webAssembly } from "../engine/wasm/types.ts";

const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_LOG_LINES = 20;
const MAX_LOG_BYTES = 200;

/** Parts of the engine's messages, which carry no code; the first that occurs. */
const TRAPS: readonly (readonly [part: string, kind: TrapKind])[] = [
  ["unreachable", "unreachable"],
  ["memory access", "memory_out_of_bounds"],
  ["data segment", "memory_out_of_bounds"],
  ["null function or function signature", "indirect_call_mismatch"],
  ["signature mismatch", "indirect_call_mismatch"],
  ["by zero", "integer_divide_by_zero"],
  ["divide result unrepresentable", "integer_overflow"],
  ["float unrepresentable", "invalid_conversion"],
  ["table", "table_out_of_bounds"],
  ["element segment", "table_out_of_bounds"],
];

class CallFailed extends Error {
  readonly failure: WasmFailure;
  constructor(failure: WasmFailure) {
    super(failure.reason);
    this.failure = failure;
  }
}

type Running = { readonly instance: WasmInstance; readonly log: string[] };

const kept = new Map<string, Running>();

function start(job: WasmJob): Running {
  const log: string[] = [];
  let memory: WasmMemory | undefined;
  const wf = {
    log(ptr: number | bigint, length: number | bigint) {
      if (memory === undefined || log.length >= MAX_LOG_LINES) return;
      const from = Number(ptr) >>> 0;
      const bytes = new Uint8Array(memory.buffer).subarray(from, from + Math.min(Number(length) >>> 0, MAX_LOG_BYTES));
      log.push(new TextDecoder().decode(bytes));
    },
  };
  const instance = new webAssembly.Instance(job.module, { wf });
  memory = memoryOf(instance);
  return { instance, log };
}

function running(job: WasmJob): Running {
  if (job.keep === null) return start(job);
  const before = kept.get(job.keep);
  if (before !== undefined) {
    before.log.length = 0;
    return before;
  }
  const started = start(job);
  kept.set(job.keep, started);
  return started;
}

/** The export of that name may be something else. */
function memoryOf(instance: WasmInstance): WasmMemory | undefined {
  const found = instance.exports["memory"];
  return typeof found === "object" && found.buffer instanceof ArrayBuffer ? found : undefined;
}

function functionOf(instance: WasmInstance, name: string): WasmFunction {
  const found = instance.exports[name];
  if (typeof found !== "function") throw broken(`it exports no function ${name}`);
  return found;
}

function call({ instance }: Running, job: WasmJob): WasmOutcome {
  const act = functionOf(instance, job.export);
  if ("text" in job.input) return { text: textCall(instance, act, job.input.text) };
  const result = act(...job.input.numbers);
  if (result === undefined) return { numbers: [] };
  return { numbers: (Array.isArray(result) ? result : [result]) as readonly (number | bigint)[] };
}

/** Writes the text where `wf_alloc` says, and reads the answer from where the function says: `ptr << 32 | length`. */
function textCall(instance: WasmInstance, act: WasmFunction, text: string): string {
  const memory = memoryOf(instance);
  if (memory === undefined) throw broken("it exports no memory");
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MAX_TEXT_BYTES) throw new CallFailed({ reason: "too_large" });
  const ptr = Number(functionOf(instance, "wf_alloc")(bytes.length)) >>> 0;
  place(memory, ptr, bytes.length).set(bytes);
  const packed = BigInt.asUintN(64, act(ptr, bytes.length) as bigint);
  const length = Number(packed & 0xffff_ffffn);
  if (length > MAX_TEXT_BYTES) throw new CallFailed({ reason: "too_large" });
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      place(memory, Number(packed >> 32n), length),
    );
  } catch (thrown) {
    if (thrown instanceof CallFailed) throw thrown;
    throw broken("its answer is not UTF-8");
  }
}

/** The memory may have grown, so its buffer is asked for each time. */
function place(memory: WasmMemory, ptr: number, length: number): Uint8Array {
  if (ptr + length > memory.buffer.byteLength) throw broken("it names a place outside its memory");
  return new Uint8Array(memory.buffer, ptr, length);
}

function broken(what: string): CallFailed {
  return new CallFailed({ reason: "interface", what });
}

function failureOf(thrown: unknown): WasmFailure {
  if (thrown instanceof CallFailed) return thrown.failure;
  if (thrown instanceof webAssembly.RuntimeError) {
    const kind = TRAPS.find(([part]) => thrown.message.includes(part))?.[1] ?? "other";
    return { reason: "trap", kind };
  }
  if (thrown instanceof RangeError) {
    return /memory/i.test(thrown.message) ? { reason: "no_memory" } : { reason: "trap", kind: "stack_overflow" };
  }
  return { reason: "trap", kind: "other" };
}

function reply(job: WasmJob): WasmReply {
  let at: Running | undefined;
  try {
    at = running(job);
    return { outcome: call(at, job), log: at.log };
  } catch (thrown) {
    // The memory of a call that stopped half-way must not be reused.
    if (job.keep !== null) kept.delete(job.keep);
    return { failure: failureOf(thrown), log: at?.log ?? [] };
  }
}

function say(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

parentPort?.on("message", (job: WasmJob) => say(reply(job)));
say("ready");
