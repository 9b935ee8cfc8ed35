/**
 * The one facade over compiler and machine. Surfaces (CLI, service, MCP) call this and nothing below it.
 */

import { flatten } from "../compiler/bytecode/flatten.ts";
import type { Program } from "../compiler/bytecode/program.ts";
import { createCompileCache } from "../compiler/cache.ts";
import { type AdapterCatalog, findAdapter, findVerb } from "../compiler/catalog.ts";
import type { Ir } from "../compiler/ir/graph.ts";
import type { JsonObject } from "../compiler/json.ts";
import type { CompileOptions, CompileResult } from "../compiler/options.ts";
import type { Policy } from "../compiler/policy/policy.ts";
import { type PolicyVerdict, type RuleSources, validatePolicy } from "../compiler/policy/validate.ts";
import { nearest } from "../grammar/nearest.ts";
import type { Adapter } from "./adapter.ts";
import { drive } from "./driver.ts";
import { FatalFailure } from "./errors.ts";
import { foldCall } from "./fold.ts";
import { givenLimits, limitSource, mergeLimits } from "./grant/limits.ts";
import { type CallJournal, openJournal } from "./journal.ts";
import { loadError } from "./load.ts";
import { Machine, QUANTUM } from "./machine.ts";
import type { DriveMovable } from "./moved/moving.ts";
import type { HashOnly } from "./record.ts";
import type { CallObserver, Clock, HostFacts, Limits, Outcome, RunError, Usage } from "./run.ts";
import { createTrace } from "./trace.ts";

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
  /** What the server grants; a request's limits can only be tighter. Default: no limits of its own. */
  readonly serverLimits?: Limits;
  /** Lets other work of the process run between slices of a long run; default `setImmediate`. */
  readonly turn?: (then: () => void) => void;
  /** Steps of one slice; no result depends on it. Default 10 000. */
  readonly quantum?: number;
  /** Lets long runs go on elsewhere; without it every run ends where it began. */
  readonly driveMovable?: DriveMovable;
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

export type HostRunRequest = {
  /** Normalised IR: compiler output or what `normalize` returned. */
  readonly ir: Ir;
  /** Any reference spelling (`L1`, `1`, `->L1`, `chk/ENTRY`); absent: the default entry. */
  readonly label?: string;
  readonly frame?: JsonObject;
  readonly limits?: Limits;
  /** null or absent: every adapter. */
  readonly allowedAdapters?: readonly string[] | ReadonlySet<string> | null;
  /** The adapters of this run with their settings. Default: those of the host. */
  readonly adapters?: ReadonlyMap<string, Adapter>;
  /** Writing verbs check their arguments and answer without acting. */
  readonly dryRun?: boolean;
  /** Host variables that core.ENV may read, of those the host exposes; absent or null: all of them. */
  readonly allowEnv?: readonly string[] | null;
  readonly observer?: CallObserver;
  /** Told what was used so far whenever the run pauses: between slices and before waits. Must not throw. */
  readonly progress?: (usage: Usage) => void;
  /** Default: a fresh one. */
  readonly traceId?: string;
  readonly trace?: boolean | TraceOptions;
  /** Report the final variables, for tests and debugging. */
  readonly finalFrame?: boolean;
  readonly signal?: AbortSignal;
  /** Answer with a log of the calls. */
  readonly record?: boolean;
  /** A log in any accepted form: no call is made, the log answers. `run` rejects with ReplayLogInvalid when it is none. */
  readonly replay?: unknown;
  /** With `replay`: the log's last failure is made anew, and calls beyond the log are made live. */
  readonly replayContinues?: boolean;
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
export type RunAnswer = Outcome & RunDetails;

export interface Host {
  readonly catalog: AdapterCatalog;
  /** Those of every run, ready as they are. */
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** Compiles with the host's catalog, through the bounded compile cache. */
  compile(source: string, options?: Omit<CompileOptions, "catalog">): CompileResult & { readonly cached: boolean };
  /** The bytecode of an IR for runs from `entry` (default: its default entry); remembered. Throws FatalFailure of a load code. */
  program(ir: Ir, entry?: string): Program;
  /** Resolves a requested entry label; null when the program has none like it, with the nearest ids. */
  resolveLabel(
    ir: Ir,
    label: string | undefined,
  ): { readonly id: string } | { readonly id: null; readonly near: readonly string[] };
  /** Checks every step against a policy. Surfaces ask before `run` and run nothing after a refusal. */
  checkPolicy(ir: Ir, policy: Policy, sources?: RuleSources): PolicyVerdict;
  run(request: HostRunRequest): Promise<RunAnswer>;
}

export function createHost(deps: HostDeps): Host {
  const { compileCacheEntries } = deps;
  const cache = createCompileCache({
    now: () => deps.clock.now(),
    ...(compileCacheEntries === undefined ? {} : { max_entries: compileCacheEntries }),
  });
  const programs = new WeakMap<Ir, Map<string, Program>>();
  const turn = deps.turn ?? ((then: () => void): void => void setImmediate(then));

  const program = (ir: Ir, entry: string | null = ir.entry): Program => {
    let known = programs.get(ir);
    if (known === undefined) {
      known = new Map();
      programs.set(ir, known);
    }
    const flat = known.get(entry ?? "");
    if (flat !== undefined) return flat;
    const refused = loadError(ir, entry);
    if (refused !== null || entry === null) {
      const { code, message, data } = refused ?? { code: "RUNTIME_UNKNOWN_LABEL", message: "nothing to run", data: {} };
      throw new FatalFailure(code as "RUNTIME_UNKNOWN_LABEL", message, "program", data);
    }
    const made = flatten(ir, entry, foldCall);
    known.set(entry, made);
    return made;
  };

  return {
    catalog: deps.catalog,
    adapters: deps.adapters,
    program,
    resolveLabel,
    compile(source, options = {}) {
      const { result, hit } = cache.compile(source, { ...options, catalog: deps.catalog });
      return { ...result, cached: hit };
    },
    checkPolicy: (ir, policy, sources) => validatePolicy(ir, policy, deps.catalog, sources),
    async run(request) {
      const { ir, trace } = request;
      const started = deps.clock.now();
      const server = deps.serverLimits ?? {};
      const { limits: asked, warnings: ignored } = givenLimits(request.limits ?? {});
      const { record = false, replay } = request;
      const journal = openJournal({
        record,
        replay,
        hashOnly: deps.hashOnly ?? ((adapter, verb) => isPrivate(deps.catalog, adapter, verb)),
        continues: request.replayContinues ?? false,
      });
      const warnings = journal === null ? ignored : [...ignored, ...checksumWarning(journal, ir)];
      const limits = mergeLimits(server, asked);
      const label = request.label === undefined ? ir.entry : (resolveLabel(ir, request.label).id ?? request.label);
      const trace_id = request.traceId ?? deps.traceId();
      const answer = (outcome: Outcome, times: ReadonlyMap<string, readonly number[]>, noticed = warnings): RunAnswer =>
        answerOf(outcome.ok ? outcome : { ...outcome, error: withSource(outcome.error, server, asked) }, {
          trace_id,
          label_written: writtenLabel(outcome.label),
          duration_ms: Math.round((deps.clock.now() - started) * 1000) / 1000,
          adapter_p95_ms: p95(times),
          limits,
          warnings: noticed,
        });
      const flat = programs.get(ir)?.get(label ?? "");
      const refused = flat === undefined ? loadError(ir, label) : null;
      if (refused !== null || label === null) {
        if (refused === null) throw new Error("a program without entry passed the loader");
        const events = trace === undefined || trace === false ? {} : { trace: createTrace().finish() };
        const refusal: Outcome = { ok: false, label: label ?? "", error: refused, usage: NO_USAGE, ...events };
        return answer(journal === null ? refusal : journal.conclude(refusal, ir.checksum), new Map());
      }
      const machine = new Machine(flat ?? program(ir, label), request.frame ?? {}, {
        deps,
        traceId: trace_id,
        limits,
        allowed: gateOf(request.allowedAdapters),
        trace: trace === undefined || trace === false ? null : createTrace(trace === true ? {} : trace),
        signal: request.signal,
        quantum: deps.quantum ?? QUANTUM,
        journal,
        adapters: request.adapters,
        dryRun: request.dryRun ?? false,
        allowEnv: request.allowEnv,
        observer: request.observer,
      });
      const { progress, finalFrame = false } = request;
      const { driveMovable } = deps;
      let outcome: Outcome;
      let callTimes: ReadonlyMap<string, readonly number[]> = machine.callTimes;
      if (driveMovable !== undefined && journal === null && machine.kind !== "traced") {
        ({ outcome, callTimes } = await driveMovable(machine, turn, { ir, finalFrame, progress }));
      } else {
        const paused = (m: Machine): Machine => {
          progress?.(m.usage());
          return m;
        };
        await drive(machine, turn, progress === undefined ? undefined : paused);
        outcome = machine.outcome(finalFrame);
      }
      const said = machine.openSession?.warnings ?? [];
      return answer(
        journal === null ? outcome : journal.conclude(outcome, ir.checksum),
        callTimes,
        said.length === 0 ? warnings : [...warnings, ...said],
      );
    },
  };
}

/** The plain success is spelled out: spreading it cost more than a short run takes (27 % of W10). */
function answerOf(outcome: Outcome, run: RunDetails): RunAnswer {
  const { trace, frame, record, replay } = outcome;
  if (!outcome.ok || trace !== undefined || frame !== undefined || record !== undefined || replay !== undefined) {
    return { ...outcome, ...run };
  }
  const { out, label, usage } = outcome;
  const { trace_id, label_written, duration_ms, adapter_p95_ms, limits, warnings } = run;
  return {
    ok: true,
    out,
    label,
    usage,
    trace_id,
    label_written,
    duration_ms,
    adapter_p95_ms,
    limits,
    warnings,
  };
}

function isPrivate(catalog: AdapterCatalog, adapter: string, verb: string): boolean {
  const entry = findAdapter(catalog, adapter);
  return entry !== undefined && findVerb(entry, verb)?.record === "hash";
}

function gateOf(allowed: HostRunRequest["allowedAdapters"]): ReadonlySet<string> | null {
  if (allowed === undefined || allowed === null) return null;
  return allowed instanceof Set ? allowed : new Set(allowed);
}

const NO_USAGE: Usage = { steps: 0, depth: 0, adapter_calls: 0, time_ms: 0, frame_bytes: null, loop_iters: 0 };

/** Replaying an old log against changed source is the point of it, so this is no error. */
function checksumWarning(journal: CallJournal, ir: Ir): string[] {
  const recorded = journal.replayedChecksum;
  if (recorded === null || recorded === ir.checksum) return [];
  return ["replay_checksum_differs: the log was recorded with another version of the program"];
}

/** A breach tells whose limit it was. */
function withSource(error: RunError, server: Limits, asked: Limits): RunError {
  const { meter, limit } = error.data;
  if (typeof meter !== "string") return error;
  return { ...error, data: { ...error.data, source: limitSource(meter, limit, server, asked) } };
}

/** References are spelled freely (language reference 7.2): arrow, leading L and trailing colon mean nothing. */
function resolveLabel(ir: Ir, label: string | undefined): { id: string } | { id: null; near: readonly string[] } {
  if (label === undefined) return ir.entry === null ? { id: null, near: [] } : { id: ir.entry };
  const text = label.replace(/^->/, "").replace(/:$/, "");
  const bare = text.startsWith("L") ? text.slice(1) : text;
  if (Object.hasOwn(ir.labels, bare)) return { id: bare };
  if (Object.hasOwn(ir.labels, text)) return { id: text };
  const near = nearest(bare, Object.keys(ir.labels));
  return { id: null, near: near === null ? [] : [near] };
}

function writtenLabel(id: string): string {
  return id.includes("/") ? id : `L${id}`;
}

function p95(times: ReadonlyMap<string, readonly number[]>): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const [adapter, all] of times) {
    const sorted = [...all].sort((a, b) => a - b);
    figures[adapter] = Math.round((sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 0) * 1000) / 1000;
  }
  return figures;
}
