import type { Json } from "../../compiler/json.ts";
import type { FailureCause } from "../errors/failures.ts";
import type { Charge } from "../usage.ts";

export type RecordedError = {
  /** RUNTIME_OP_ERROR; absent: RUNTIME_ADAPTER_ERROR. */
  readonly code?: string;
  readonly message: string;
  /** Only of RUNTIME_OP_ERROR. */
  readonly cause_type?: string;
  /** Only of RUNTIME_ADAPTER_ERROR. */
  readonly adapter_code?: string;
  readonly retryable: boolean;
  readonly retry_after_ms: number | null;
  readonly details: Json;
  readonly details_text?: string;
  readonly details_truncated?: true;
};

/**
 * `args_hash` stands for arguments that must not, or cannot, be written down; `result_hash` for a result nested too deeply or too large. `args_text`,
 * `result_text` and `details_text` of an error are the JSON texts of values that say more than JavaScript's, such as 5.0.
 */
export type RecordedCall = {
  readonly seq: number;
  /** Only of calls in branches. */
  readonly branch?: string;
  readonly label_id: string;
  readonly node_id: string;
  readonly attempt: number;
  readonly adapter: string;
  readonly verb: string;
  readonly args?: readonly Json[];
  readonly args_text?: string;
  readonly args_hash?: string;
  readonly ok: boolean;
  readonly result?: Json;
  readonly result_text?: string;
  readonly result_hash?: string;
  readonly error?: RecordedError;
  /** What a job used that shared the budget of the run. */
  readonly charged?: Charge;
};

/** The calls of a run, to be replayed. */
export type RecordLog = {
  readonly format: "weft-record";
  /** 2: it has calls of branches. */
  readonly version: 1 | 2;
  readonly program_checksum: string;
  readonly label: string;
  /** The run succeeded and every call is in the log. */
  readonly complete: boolean;
  /** Added by surfaces that hand the log on. */
  readonly sensitive?: true;
  /** Calls beyond the ceiling of a log. */
  readonly dropped?: number;
  readonly calls: readonly RecordedCall[];
};

/** Hash-only verbs: their arguments are compared but never written down. */
export type HashOnly = (adapter: string, verb: string) => boolean;

export type ReplayFigures = { readonly matched: number; readonly remaining: number };

/** A call that passed counter and gate. */
export type JournalledCall = {
  readonly adapter: string;
  /** As the program spells it. */
  readonly verb: string;
  readonly args: readonly Json[];
  /** A core function of its arguments alone: a replay computes it and compares. */
  readonly pure: boolean;
  /** Name of the branch; absent or empty outside of branches. */
  readonly branch?: string;
  readonly label: string;
  readonly node: string;
  /** How often the step was visited, this visit included; 0 where calls have no id. */
  readonly visit?: number;
  readonly attempt: number;
};

/** `charged`: what a job used that shared the budget of the run. */
export type CallOutcome = (
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly failure: FailureCause }
) & { readonly charged?: Charge };
