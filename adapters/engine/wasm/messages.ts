/** What the thread that asks and the threads that run WebAssembly say to each other. */
import type { WasmModule } from "./types.ts";

/** One call. `numbers` passes them as the engine takes them; `text` is JSON, handed over in the module's memory. */
export type WasmJob = {
  readonly module: WasmModule;
  readonly export: string;
  readonly input: { readonly numbers: readonly (number | bigint)[] } | { readonly text: string };
  /** The instance of this name is made at its first call and kept; null: a fresh one. */
  readonly keep: string | null;
};

export type TrapKind =
  | "unreachable"
  | "memory_out_of_bounds"
  | "table_out_of_bounds"
  | "indirect_call_mismatch"
  | "integer_divide_by_zero"
  | "integer_overflow"
  | "invalid_conversion"
  | "stack_overflow"
  | "other";

/** Why a call gave no result. */
export type WasmFailure =
  | { readonly reason: "trap"; readonly kind: TrapKind }
  /** The module breaks the rules of the JSON interface. */
  | { readonly reason: "interface"; readonly what: string }
  | { readonly reason: "too_large" }
  /** The machine has no memory for another instance. */
  | { readonly reason: "no_memory" };

export type WasmOutcome = { readonly numbers: readonly (number | bigint)[] } | { readonly text: string };

export type WasmReply = {
  /** What the module wrote through `wf.log`, capped. */
  readonly log: readonly string[];
} & ({ readonly outcome: WasmOutcome } | { readonly failure: WasmFailure });

/** What a thread says: once that it is ready, then a reply to each job. */
export type WorkerMessage = "ready" | WasmReply;
