/**
 * The one way from a caller's request to a run: what the server grants and what the caller asked for are merged, the program is
 * checked against the resulting policy, and only then are adapters made ready, with the settings that both sides left. All
 * surfaces go through here and have no rules of their own. Nothing outside the process happens before the policy verdict.
 */
import { BoundedMap } from "../compiler/bounded-map.ts";
import type { SettingTable } from "../compiler/catalog/settings.ts";
import type { Ir } from "../compiler/ir/graph.ts";
import { type Admission, type AdmissionRefused, admit, OPEN_SERVER, type ServerSide } from "./admission/admit.ts";
import type { CallerRequest } from "./admission/caller-request.ts";
import { explainFailure } from "./admission/explain-failure.ts";
import { type AdapterLinker, gateWithGone, type Prepared, prepare } from "./admission/prepare.ts";
import { issuesRefusal, labelRefusal, type PlanRefused, type PrepareRefused } from "./admission/refusal.ts";
import type { FrameRunner } from "./batch/frame-runner.ts";
import type { DurableRequest, DurableRun } from "./durable/durable-request.ts";
import type { Grant } from "./grant/grant.ts";
import { mergeGrants } from "./grant/merge.ts";
import { suggestedAdapters } from "./grant/suggest.ts";
import type { Host, HostBatchRequest, HostRunRequest, RunAnswer } from "./host.ts";
import type { RunError } from "./run.ts";

/** The way from what a caller asks for to a run: `admit`, `plan`, `run`. */
export interface Gateway {
  readonly host: Host;
  readonly server: ServerSide;
  /** The server's grant, before any caller. */
  readonly grant: Grant;
  /** How settings of adapters merge. */
  readonly settings: SettingTable;
  /**
   * Merges what a caller asked for; the answer for equal requests is remembered. `within`: what the deployment asked for that the request
   * runs.
   */
  admit(request: CallerRequest, within?: CallerRequest | null): Admission | AdmissionRefused;
  /** Policy verdict first, then settings and adapters. Remembered per program and admission, and then given at once. */
  prepare(ir: Ir, admission: Admission): Prepared | PrepareRefused | Promise<Prepared | PrepareRefused>;
  /** `prepare`, and the entry. `label`: as the caller names it; absent: the program's own entry. */
  plan(ir: Ir, admission: Admission, label: string | undefined): Promise<Planned | PlanRefused>;
  run(prepared: Prepared, request?: GatewayRun): Promise<RunAnswer>;
  /** Runs a prepared program so that it survives its process. */
  durable(prepared: Prepared, request: GatewayDurable): DurableRun;
  /** Runs a prepared program with many frames (`vm/batch.ts`). Throws FatalFailure of a load code. */
  batch(prepared: Prepared, request?: GatewayBatch): FrameRunner;
}

/** A program that can be run any number of times, from one of its labels. */
export type Planned = { readonly ok: true; readonly prepared: Prepared; readonly entry: string };

/** What a caller may choose of a run besides what was admitted. */
export type GatewayRun = Omit<HostRunRequest, "ir" | "limits" | "allowedAdapters" | "adapters" | "allowEnv">;

/** `continues`: it began under the adapters of another time. */
type GatewayDurable = Omit<DurableRequest, "ir" | "limits" | "allowedAdapters" | "adapters" | "allowEnv"> & {
  readonly continues?: boolean;
};

type GatewayBatch = Pick<HostBatchRequest, "label" | "inputs" | "dryRun" | "observer" | "outText">;

const KEPT_ADMISSIONS = 256;
/** Longer requests are read anew each time: what is remembered must not grow with what callers send. */
const MAX_KEPT_REQUEST_LENGTH = 16_384;

/** A gateway in front of `host`. `server`: what the server grants; default: the resource floor. */
export function createGateway(host: Host, linker: AdapterLinker, server: ServerSide = OPEN_SERVER): Gateway {
  const merged = server.sides.map((side) => side.grant).reduce((a, b) => mergeGrants(a, b, linker.settings));
  const admissions = new BoundedMap<Admission>({ max: KEPT_ADMISSIONS });
  const plans = new WeakMap<Ir, WeakMap<Admission, ReturnType<Gateway["prepare"]>>>();
  const rules = { catalog: host.catalog, settings: linker.settings, server, merged };

  /** An answer with what was known of it before. */
  const told = (answer: RunAnswer, prepared: Prepared, request: GatewayRun): RunAnswer => {
    const said = answer.ok ? answer : { ...answer, error: explained(answer.error, prepared, host, linker) };
    const known = warningsBefore(prepared.warnings, request);
    return known.length === 0 ? said : { ...said, warnings: [...new Set([...known, ...said.warnings])] };
  };

  const gateway: Gateway = {
    host,
    server,
    grant: merged,
    settings: linker.settings,
    admit(request, within = null) {
      const key = within === null ? keyOf(request) : `${keyOf(request)} ${keyOf(within)}`;
      const known = admissions.get(key);
      if (known !== undefined) return known;
      const admission = admit(request, rules, within);
      if (!admission.ok || key.length > MAX_KEPT_REQUEST_LENGTH) return admission;
      admissions.set(key, admission);
      return admission;
    },
    prepare(ir, admission) {
      let known = plans.get(ir);
      if (known === undefined) {
        known = new WeakMap();
        plans.set(ir, known);
      }
      let plan = known.get(admission);
      if (plan === undefined) {
        const plans = known;
        plan = prepare(host, linker, ir, admission);
        plans.set(admission, plan);
        plan.then(
          (settled) => plans.set(admission, settled),
          // What broke down once may work the next time; a refusal is an answer, and stays.
          () => plans.delete(admission),
        );
      }
      return plan;
    },
    async plan(ir, admission, label) {
      const prepared = await gateway.prepare(ir, admission);
      if (!prepared.ok) return prepared;
      const found = host.resolveLabel(ir, label);
      if (found.id !== null) return { ok: true, prepared, entry: found.id };
      if (label === undefined) return issuesRefusal("invalid_ir", [], "the program has no label to run");
      return labelRefusal(ir, found.near, "/label", "the requested label does not exist");
    },
    async run(prepared, request = {}) {
      return told(await host.run(hostRequest(prepared, request)), prepared, request);
    },
    durable(prepared, request) {
      const { journal, onUnknown, why, owner, maxJournalBytes, lingerMs, snapshots, handsOver, told: hear } = request;
      const { rehearses, tellsEnd } = request;
      const own = {
        journal,
        onUnknown,
        why,
        owner,
        maxJournalBytes,
        lingerMs,
        snapshots,
        handsOver,
        rehearses,
        tellsEnd,
        told: hear,
      };
      const allowedAdapters = request.continues === true ? gateWithGone(prepared, host) : prepared.gate;
      const run = host.durable({ ...hostRequest(prepared, request), ...own, allowedAdapters });
      const result = run.result.then((end) =>
        "answer" in end ? { ...end, answer: told(end.answer, prepared, request) } : end,
      );
      return { ...run, result };
    },
    batch(prepared, request = {}) {
      const explain = (error: RunError): RunError => explained(error, prepared, host, linker);
      return host.batch({ ...request, ...settledOf(prepared), explain });
    },
  };
  return gateway;
}

/** Most callers ask for nothing of their own. */
function keyOf(request: CallerRequest): string {
  const { allowed_adapters, policy, limits, adapters, around } = request;
  const isEmpty =
    allowed_adapters === undefined &&
    policy === undefined &&
    limits === undefined &&
    adapters === undefined &&
    around === undefined;
  return isEmpty ? "{}" : JSON.stringify(request);
}

/** What admission and preparation left of a run's choices. */
function settledOf({ ir, admission, adapters, gate, allowEnv }: Prepared) {
  return { ir, limits: admission.limits, allowedAdapters: gate, adapters, allowEnv };
}

/** Member by member: spreading two objects into one takes as long as a short run. */
function hostRequest({ ir, admission, adapters, gate, allowEnv }: Prepared, asked: GatewayRun): HostRunRequest {
  return {
    ir,
    limits: admission.limits,
    allowedAdapters: gate,
    adapters,
    allowEnv,
    label: asked.label,
    frame: asked.frame,
    frameText: asked.frameText,
    outText: asked.outText,
    inputs: asked.inputs,
    dryRun: asked.dryRun,
    observer: asked.observer,
    progress: asked.progress,
    traceId: asked.traceId,
    trace: asked.trace,
    finalFrame: asked.finalFrame,
    signal: asked.signal,
    halt: asked.halt,
    cleans: asked.cleans,
    record: asked.record,
    answerBounds: asked.answerBounds,
    replay: asked.replay,
    replayContinues: asked.replayContinues,
    wait: asked.wait,
    desk: asked.desk,
    shown: asked.shown,
  };
}

/** Warnings about what a replay does not ask for. */
const LIVE_ONLY = ["adapter_not_enabled", "setting_would_refuse", "variable_hidden"];

/** What is known of a prepared program before this run of it. A replay asks no adapter, so none need be there. */
export function warningsBefore(
  warnings: readonly string[],
  { replay, replayContinues = false }: Pick<GatewayRun, "replay" | "replayContinues">,
): readonly string[] {
  if (replay === undefined || replayContinues) return warnings;
  return warnings.filter((one) => !LIVE_ONLY.some((word) => one.startsWith(word)));
}

/** The error with what the grant adds to it; a call that failed because its adapter is not there tells how it would be. */
function explained(error: RunError, prepared: Prepared, host: Host, linker: AdapterLinker): RunError {
  const said = explainFailure(error, prepared.admission);
  const { adapter, adapter_code } = said.data;
  if (adapter_code !== "ADAPTER_NOT_CONFIGURED" || typeof adapter !== "string" || prepared.adapters.has(adapter))
    return said;
  if (host.catalog.adapter(adapter) === undefined) return said;
  const suggested_adapters = suggestedAdapters(prepared.ir, [adapter], host.catalog, linker.settings);
  return { ...said, data: { ...said.data, suggested_adapters } };
}
