/** What a host is made with, what it is asked to run, and what it answers. */

import type { OtherCompiler } from "../../compiler/cache.ts";
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { JsonObject } from "../../compiler/json.ts";
import type { Adapter, RunScope } from "../adapter.ts";
import type { InputMode } from "../inputs/check-inputs.ts";
import type { MachineDeps } from "../machine/options.ts";
import type { Isolate } from "../offload/isolation.ts";
import type { DriveMovable } from "../offload/moving.ts";
import type { HashOnly } from "../recording/record-log.ts";
import type { ShownState } from "../recording/shown-state.ts";
import type { CallObserver, Cancellation, Limits, Outcome, TraceOptions, Usage } from "../run.ts";
import type { TierSetting } from "../tier/policy.ts";
import type { AnswerBounds } from "./answer-bounds.ts";

/** Everything impure that runs need, and the bounds of the host. */
export type HostDeps = Omit<MachineDeps, "frames"> & {
  readonly catalog: AdapterCatalog;
  /** Fresh id for each run. */
  readonly traceId: () => string;
  /** Compiled programs kept; 0: none. Default 4096. */
  readonly compileCacheEntries?: number;
  /** The ceiling of all runs together, those up to 1 MiB left out; default: four times that of one. */
  readonly framesTotalBytes?: number;
  /** What the server grants; a request's limits can only be tighter. Default: no limits of its own. */
  readonly serverLimits?: Limits;
  /** Lets other work of the process run between slices of a long run; default `setImmediate`. */
  readonly turn?: (then: () => void) => void;
  /** When a run or a compilation may begin: null at once, else once the promise is kept. Default: at once. */
  readonly begins?: () => Promise<void> | null;
  /** Compiles large sources in another thread; without it every source is compiled where it is asked for. */
  readonly compileAside?: OtherCompiler;
  /** Steps of one slice; no result depends on it. Default 10 000. */
  readonly quantum?: number;
  /** Lets long runs continue in a worker thread; without it every run ends where it started. */
  readonly driveMovable?: DriveMovable;
  /** Every run begins and ends elsewhere. */
  readonly isolate?: Isolate;
  /** Whether short programs run as functions made from their bytecode (docs/tier.md). Default `auto`. */
  readonly tier?: TierSetting;
  /** Called when source made from a program's bytecode was refused, which is a defect of Weft; for the operator's log. */
  readonly tierRefused?: (entry: string, reason: string) => void;
  /** Verbs whose arguments a record holds only as a hash. Default: those that the catalog says so of. */
  readonly hashOnly?: HashOnly;
};
/** One run. */
export type HostRunRequest = {
  /** Normalised IR: compiler output or what `normalize` returned. */
  readonly ir: Ir;
  /** Any reference spelling (`L1`, `1`, `->L1`, `chk/ENTRY`); absent: the default entry. */
  readonly label?: string | undefined;
  readonly frame?: JsonObject | undefined;
  /**
   * The frame as JSON text, in place of `frame`: a Python program gets `5.0` as a float, whole numbers of any length, and members in their order.
   * The answer then has `out_text` where the text of the result says more than its value.
   */
  readonly frameText?: string | undefined;
  /** The answer has `out_text` as well. */
  readonly outText?: boolean | undefined;
  /**
   * What happens when the frame is not what the program declares: `strict` (default) rejects with InputInvalid, `loose` warns, `checked`
   * does nothing, because the caller has looked.
   */
  readonly inputs?: InputMode | undefined;
  readonly limits?: Limits;
  /** null or absent: every adapter. */
  readonly allowedAdapters?: readonly string[] | ReadonlySet<string> | null;
  /** The adapters of this run with their settings. Default: those of the host. */
  readonly adapters?: ReadonlyMap<string, Adapter>;
  /** Writing verbs check their arguments and answer without acting. */
  readonly dryRun?: boolean | undefined;
  /** Host variables that core.ENV may read, of those the host exposes; absent or null: all of them. */
  readonly allowEnv?: readonly string[] | null | undefined;
  readonly observer?: CallObserver | undefined;
  /** Told what was used so far whenever the run pauses: between slices and before waits. Must not throw. */
  readonly progress?: ((usage: Usage) => void) | undefined;
  /** Filled with what a Python program shows of itself: `progress(…)` and `set_state(…)`. */
  readonly shown?: ShownState | undefined;
  /** Default: a fresh one. */
  readonly traceId?: string | undefined;
  readonly trace?: boolean | TraceOptions | undefined;
  /** Report the final variables, for tests and debugging. */
  readonly finalFrame?: boolean | undefined;
  readonly signal?: Cancellation | undefined;
  /** Ends the run without its cleanup, also in the middle of it. */
  readonly halt?: Cancellation | undefined;
  /** Told when the cleanup of the cancelled run begins, with the milliseconds it may take. Must not throw. */
  readonly cleans?: ((ms: number) => void) | undefined;
  /** How verbs of `timer`, `signal` and `approval` wait. Default: only short spans, which count for `max_time_ms`. */
  readonly wait?: RunScope["wait"];
  /** How questions to people are asked. Default: they cannot be. */
  readonly desk?: RunScope["desk"];
  /** Answer with a log of the calls. */
  readonly record?: boolean | undefined;
  /** How large the answer may be. Default: no bound but those of the values and of a record (128 MiB). */
  readonly answerBounds?: AnswerBounds | undefined;
  /** A log in any accepted form: no call is made, the log answers. `run` rejects with ReplayLogInvalid when it is not valid. */
  readonly replay?: unknown;
  /** With `replay`: the log's last failure is made anew, and calls beyond the log are made live. */
  readonly replayContinues?: boolean | undefined;
};

/** What the host adds to an outcome. */
type RunDetails = {
  readonly trace_id: string;
  /** Written form of the entry label: `L1`, `L_entry`, `chk/ENTRY`. */
  readonly label_written: string;
  readonly duration_ms: number;
  readonly adapter_p95_ms: Readonly<Record<string, number>>;
  readonly limits: Limits;
  readonly warnings: readonly string[];
};
/** What a run came to: its value or its error, with what it used. */
export type RunAnswer = Outcome & RunDetails;
