/**
 * The one facade over compiler and machine. Surfaces (CLI, service, MCP) call this and nothing below it.
 */

import type { Program } from "../compiler/bytecode/program.ts";
import { createCompileCache } from "../compiler/cache.ts";
import type { AdapterCatalog } from "../compiler/catalog.ts";
import type { Ir } from "../compiler/ir/graph.ts";
import type { JsonObject } from "../compiler/json.ts";
import type { CompileOptions, CompileResult } from "../compiler/options.ts";
import type { Policy } from "../compiler/policy/policy.ts";
import { type PolicyVerdict, type RuleSources, validatePolicy } from "../compiler/policy/validate.ts";
import type { Adapter } from "./adapter.ts";
import { createFrameRunner, type FrameRunner } from "./batch/frame-runner.ts";
import { defaultTotal, FrameShare } from "./frame-share.ts";
import { createLimiter } from "./grant/limits.ts";
import { keepShapes } from "./lasting-shapes.ts";
import { FRAME_CEILING, QUANTUM } from "./machine.ts";
import type { Isolate } from "./moved/isolation.ts";
import type { DriveMovable } from "./moved/moving.ts";
import { Programs, type ResolvedLabel, resolveLabel } from "./programs.ts";
import type { HashOnly } from "./record.ts";
import { givenAdapters, givenIr, givenLabel } from "./request-invalid.ts";
import type { CallObserver, Cancellation, Clock, HostFacts, Limits, Outcome, RunError, Usage } from "./run.ts";
import { Runner, withSource } from "./runner.ts";

/** Everything impure that runs need, and the bounds of the host. */
export type HostDeps = {
  readonly clock: Clock;
  readonly facts: HostFacts;
  readonly catalog: AdapterCatalog;
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** Fresh id for each run. */
  readonly traceId: () => string;
  /** Compiled programs kept; 0: none. Default 4096. */
  readonly compileCacheEntries?: number;
  /** Built-in ceiling of a run's frame; default 256 MiB. */
  readonly frameCeilingBytes?: number;
  /** The same of all runs together, those up to 1 MiB left out; default: four times that of one. */
  readonly framesTotalBytes?: number;
  /** What the server grants; a request's limits can only be tighter. Default: no limits of its own. */
  readonly serverLimits?: Limits;
  /** Lets other work of the process run between slices of a long run; default `setImmediate`. */
  readonly turn?: (then: () => void) => void;
  /** Steps of one slice; no result depends on it. Default 10 000. */
  readonly quantum?: number;
  /** Lets long runs go on elsewhere; without it every run ends where it began. */
  readonly driveMovable?: DriveMovable;
  /** Every run begins and ends elsewhere. */
  readonly isolate?: Isolate;
  /** Verbs whose arguments a record holds only as a hash. Default: those that the catalog says so of. */
  readonly hashOnly?: HashOnly;
  /** Told when an adapter threw what is no error of adapters: for the operator's log, never for the run's answer. */
  readonly crashed?: (adapter: string, verb: string, thrown: unknown) => void;
};

export type TraceOptions = {
  readonly max_events?: number;
  readonly max_value_bytes?: number;
  readonly frame_keys?: boolean;
};

/** One run. */
export type HostRunRequest = {
  /** Normalised IR: compiler output or what `normalize` returned. */
  readonly ir: Ir;
  /** Any reference spelling (`L1`, `1`, `->L1`, `chk/ENTRY`); absent: the default entry. */
  readonly label?: string | undefined;
  readonly frame?: JsonObject | undefined;
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
  /** Default: a fresh one. */
  readonly traceId?: string | undefined;
  readonly trace?: boolean | TraceOptions | undefined;
  /** Report the final variables, for tests and debugging. */
  readonly finalFrame?: boolean | undefined;
  readonly signal?: Cancellation | undefined;
  /** Answer with a log of the calls. */
  readonly record?: boolean | undefined;
  /** A log in any accepted form: no call is made, the log answers. `run` rejects with ReplayLogInvalid when it is none. */
  readonly replay?: unknown;
  /** With `replay`: the log's last failure is made anew, and calls beyond the log are made live. */
  readonly replayContinues?: boolean | undefined;
};

/** A program that is run with one frame after the other. */
export type HostBatchRequest = Pick<
  HostRunRequest,
  "ir" | "label" | "limits" | "allowedAdapters" | "adapters" | "dryRun" | "allowEnv" | "observer"
> & {
  /** Adds to the error of a failed run what the caller knows of it. */
  readonly explain?: (error: RunError) => RunError;
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

/** Compiles programs and runs them. */
export interface Host {
  readonly catalog: AdapterCatalog;
  /** Those of every run, ready as they are. */
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** Compiles with the host's catalog, through the bounded compile cache. */
  compile(source: string, options?: Omit<CompileOptions, "catalog">): CompileResult & { readonly cached: boolean };
  /** The bytecode of an IR for runs from `entry` (default: its default entry); remembered. Throws FatalFailure of a load code. */
  program(ir: Ir, entry?: string): Program;
  /** Resolves a requested entry label; null when the program has none like it, with the nearest ids. */
  resolveLabel(ir: Ir, label: string | undefined): ResolvedLabel;
  /** Checks every step against a policy. Surfaces ask before `run` and run nothing after a refusal. */
  checkPolicy(ir: Ir, policy: Policy, sources?: RuleSources): PolicyVerdict;
  /** Rejects with RequestInvalid or ReplayLogInvalid when its caller made a mistake; then nothing ran. */
  run(request: HostRunRequest): Promise<RunAnswer>;
  /** `run` for callers that can take the answer at once: it comes without a promise when the run is over within its first slice. */
  begin(request: HostRunRequest): RunAnswer | Promise<RunAnswer>;
  /**
   * Runs to the end in one go and answers at once: no promise, and no turn for other work, so give `max_time_ms` or `max_steps`. Throws
   * RunWaits when the run has to wait for something: an adapter that answers with a promise, the delay of a retry.
   */
  runSync(request: HostRunRequest): RunAnswer;
  /** Settles everything but the frame. Throws FatalFailure of a load code, and RequestInvalid. */
  batch(request: HostBatchRequest): FrameRunner;
}

/** A host for any number of runs, one after the other or side by side. */
export function createHost(given: HostDeps): Host {
  const { frameCeilingBytes = FRAME_CEILING } = given;
  const frames = new FrameShare(given.framesTotalBytes ?? defaultTotal(frameCeilingBytes));
  const deps = { ...given, frames };
  const { compileCacheEntries, clock, quantum = QUANTUM, serverLimits: server = {} } = deps;
  const cache = createCompileCache({
    now: () => clock.now(),
    ...(compileCacheEntries === undefined ? {} : { max_entries: compileCacheEntries }),
  });
  const idle = { deps, traceId: "", limits: {}, allowed: null, trace: null, signal: undefined, quantum };
  keepShapes();
  const programs = new Programs(idle);
  const limitsOf = createLimiter(server);
  const turn = deps.turn ?? ((then: () => void): void => void setImmediate(then));
  const runner = new Runner({ deps, programs, server, limitsOf, quantum, turn });

  return {
    catalog: deps.catalog,
    adapters: deps.adapters,
    program: (ir, entry) => programs.load(givenIr(ir), entry ?? ir.entry).machines.program,
    resolveLabel: (ir, label) => resolveLabel(givenIr(ir), label),
    compile(source, options = {}) {
      // The catalog first: a member added to a copy gives each copy a shape of its own, and reading those takes longer than a short run.
      const { result, hit } = cache.compile(source, { catalog: deps.catalog, ...options });
      const { ok, ir, diagnostics, undeclared_reads } = result;
      return { ok, ir, diagnostics, undeclared_reads, cached: hit };
    },
    batch(request) {
      const { dryRun = false, adapters, allowEnv, observer, explain = (error) => error } = request;
      const ir = givenIr(request.ir);
      const label = givenLabel(request.label);
      const { limits, asked } = limitsOf(request.limits ?? {});
      const entry = label === undefined ? ir.entry : (resolveLabel(ir, label).id ?? label);
      const { machines } = programs.load(ir, entry);
      const allowed = givenAdapters(request.allowedAdapters);
      return createFrameRunner({
        program: machines.program,
        machines,
        machine: { deps, limits, quantum, adapters, dryRun, allowEnv, observer, allowed },
        turn,
        traceId: deps.traceId,
        explain: (error) => explain(withSource(error, server, asked)),
      });
    },
    checkPolicy: (ir, policy, sources) => validatePolicy(givenIr(ir), policy, deps.catalog, sources),
    run: (request) => runner.run(request),
    begin: (request) => runner.begin(request),
    runSync: (request) => runner.runSync(request),
  };
}
