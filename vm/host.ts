/**
 * The one facade over compiler and machine. Surfaces (CLI, service, MCP) call this and nothing below it.
 */

import type { Program } from "../compiler/bytecode/program.ts";
import { createCompileCache } from "../compiler/cache.ts";
import type { AdapterCatalog } from "../compiler/catalog.ts";
import type { Ir } from "../compiler/ir/graph.ts";
import { type NormalizeResult, normalizeTask } from "../compiler/ir/supplied/normalize.ts";
import type { CompileOptions, CompileResult } from "../compiler/options.ts";
import { measuredChecksum } from "../compiler/policy/measured.ts";
import type { Policy } from "../compiler/policy/policy.ts";
import { type PolicyVerdict, type RuleSources, validatePolicy } from "../compiler/policy/validate.ts";
import type { Adapter } from "./adapter.ts";
import { createBatchHost, entryOf, type HostBatchRequest } from "./batch/batch-host.ts";
import type { FrameRunner } from "./batch/frame-runner.ts";
import type { DurableRequest, DurableRun } from "./durable/durable-request.ts";
import { startDurable } from "./durable/durable-run.ts";
import { givenIr, givenLabel } from "./inputs/request-invalid.ts";
import { type PreparedProgram, type PrepareOptions, prepared } from "./prepared.ts";
import { type ResolvedLabel, resolveLabel } from "./runs/programs.ts";
import type { HostDeps, HostRunRequest, RunAnswer } from "./runs/requests.ts";
import { Runner } from "./runs/runner.ts";
import { inTurns } from "./tasks/task.ts";
import type { TierUse } from "./tier/policy.ts";

export type { HostBatchRequest } from "./batch/batch-host.ts";
export type { HostDeps, HostRunRequest, RunAnswer } from "./runs/requests.ts";

/** Compiles programs and runs them. */
export interface Host {
  readonly catalog: AdapterCatalog;
  /** How short programs run (docs/tier.md). */
  readonly tier: TierUse;
  /** Whether core.ENV has a value for the variable, as far as the host decides it. */
  readsVariable(name: string): boolean;
  /** Those of every run, ready as they are. */
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** Compiles with the host's catalog, through the bounded compile cache. */
  compile(source: string, options?: Omit<CompileOptions, "catalog">): CompileResult & { readonly cached: boolean };
  /** The same; large sources are compiled in another thread where the host has one. */
  compileInTurns(
    source: string,
    options?: Omit<CompileOptions, "catalog">,
  ): Promise<CompileResult & { readonly cached: boolean }>;
  /** Reads IR that somebody else wrote, in pieces; like `normalize` with the host's catalog. It must not change meanwhile. */
  normalizeInTurns(input: unknown): Promise<NormalizeResult>;
  /** The bytecode of an IR for runs from `entry` (default: its default entry); remembered. Throws FatalFailure of a load code. */
  program(ir: Ir, entry?: string): Program;
  /** Makes what a run of a large program needs beforehand, in pieces, so that the run begins at once. Throws as `program`. */
  programInTurns(ir: Ir, entry: string, traced: boolean): Promise<Program>;
  /** Resolves a requested entry label; null when the program has none like it, with the nearest ids. */
  resolveLabel(ir: Ir, label: string | undefined): ResolvedLabel;
  /** Checks every step against a policy. Surfaces ask before `run` and run nothing after a refusal. */
  checkPolicy(ir: Ir, policy: Policy, sources?: RuleSources): PolicyVerdict;
  /** Rejects with RequestInvalid or ReplayLogInvalid when its caller made a mistake; then nothing ran. */
  run(request: HostRunRequest): Promise<RunAnswer>;
  /**
   * Runs to the end in one go and answers at once: no promise, and no turn for other work, so give `max_time_ms` or `max_steps`. Throws
   * RunWaits when the run has to wait for something: an adapter that answers with a promise, the delay of a retry.
   */
  runSync(request: HostRunRequest): RunAnswer;
  /** Begins a run that survives its process, or continues with one (docs/durable.md). */
  durable(request: DurableRequest): DurableRun;
  /** Settles limits, label and allowlist of a program that is run again and again. Throws FatalFailure of a load code, and RequestInvalid. */
  prepare(ir: Ir, options?: PrepareOptions): PreparedProgram;
  /** Settles everything but the frame. Throws FatalFailure of a load code, and RequestInvalid. */
  batch(request: HostBatchRequest): FrameRunner;
}

/** Characters that are compiled in some tens of milliseconds. */
const LONG_SOURCE = 32 * 1024;

/** Whether another thread is worth its while. Files that are read while they are included are not at hand there. */
function isLong(source: string, includes: CompileOptions["includes"]): boolean {
  if (includes === undefined) return source.length > LONG_SOURCE;
  if (includes.all === undefined) return false;
  return Object.values(includes.all.files).reduce((length, text) => length + text.length, 0) > LONG_SOURCE;
}

function compiled({ result, hit }: { readonly result: CompileResult; readonly hit: boolean }) {
  const { ok, ir, diagnostics, undeclared_reads } = result;
  return { ok, ir, diagnostics, undeclared_reads, cached: hit };
}

/** A host for any number of runs, one after the other or side by side. */
export function createHost(given: HostDeps): Host {
  const { deps, frames, programs, tier, limitsOf, quantum, turn, batch } = createBatchHost(given);
  const { compileCacheEntries, clock, serverLimits: server = {} } = deps;
  const cache = createCompileCache({
    now: () => clock.now(),
    ...(compileCacheEntries === undefined ? {} : { max_entries: compileCacheEntries }),
  });
  const runner = new Runner({ deps, frames, programs, server, limitsOf, quantum, turn });

  return {
    catalog: deps.catalog,
    adapters: deps.adapters,
    tier,
    readsVariable: (name) => deps.facts.env(name) !== undefined,
    program: (ir, entry) => programs.load(givenIr(ir), entry ?? ir.entry).machines.program,
    async programInTurns(ir, entry, traced) {
      const { program } = programs.load(givenIr(ir), entry).machines;
      await inTurns(program.variantTask(traced ? "traced" : "fast"), clock, turn);
      // The log event of a run names the checksum: computing that of a large program takes a third of a second.
      await inTurns(measuredChecksum(ir), clock, turn);
      return program;
    },
    resolveLabel: (ir, label) => resolveLabel(givenIr(ir), label),
    compile(source, options = {}) {
      // The catalog first: a member added to a copy gives each copy a shape of its own, and reading those takes longer than a short run.
      return compiled(cache.compile(source, { catalog: deps.catalog, ...options }));
    },
    async compileInTurns(source, options = {}) {
      const begins = deps.begins?.() ?? null;
      if (begins !== null) await begins;
      const full = { catalog: deps.catalog, ...options };
      if (deps.compileAside !== undefined && isLong(source, full.includes))
        return compiled(await cache.compileBy(deps.compileAside, source, full));
      return compiled(cache.compile(source, full));
    },
    normalizeInTurns: (input) => inTurns(normalizeTask(input, deps.catalog), clock, turn),
    prepare: (given, options = {}) => {
      const ir = givenIr(given);
      return prepared(ir, options, {
        deps,
        program: programs.load(ir, entryOf(ir, givenLabel(options.label))),
        limits: limitsOf(options.limits ?? {}),
        run: (request) => runner.run(request),
        runSync: (request) => runner.runSync(request),
        batch: (outText) => batch({ ...options, ir, outText }),
      });
    },
    batch,
    checkPolicy: (ir, policy, sources) => validatePolicy(givenIr(ir), policy, deps.catalog, sources),
    run: (request) => runner.run(request),
    runSync: (request) => runner.runSync(request),
    durable: (request) => startDurable({ clock, turn, settle: (one) => runner.settle(one) }, request),
  };
}
