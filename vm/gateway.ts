/**
 * The one way from a caller's request to a run: what the server grants and what the caller asked for are merged, the program is
 * checked against the resulting policy, and only then are adapters made ready, with the settings that both sides left. All
 * surfaces go through here and have no rules of their own. Nothing outside the process happens before the policy verdict.
 */
import type { SettingTable } from "../compiler/catalog/settings.ts";
import type { Ir } from "../compiler/ir/graph.ts";
import { type Admission, type AdmissionRefused, admit, OPEN_SERVER, type ServerSide } from "./admission.ts";
import type { FrameRunner } from "./batch/frame-runner.ts";
import type { CallerRequest } from "./caller-request.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Grant } from "./grant/grant.ts";
import { mergeGrants } from "./grant/merge.ts";
import { suggestedAdapters } from "./grant/suggest.ts";
import type { Host, HostBatchRequest, HostRunRequest, RunAnswer } from "./host.ts";
import { type AdapterLinker, type Prepared, type PrepareRefused, prepare } from "./preparation.ts";
import type { RunError } from "./run.ts";

/** The way from what a caller asks for to a run: `admit`, `prepare`, `run`. */
export interface Gateway {
  readonly host: Host;
  readonly server: ServerSide;
  /** The server's grant, before any caller. */
  readonly grant: Grant;
  /** How settings of adapters merge. */
  readonly settings: SettingTable;
  /** Merges what a caller asked for; the answer for equal requests is remembered. */
  admit(request: CallerRequest): Admission | AdmissionRefused;
  /** Policy verdict first, then settings and adapters. Remembered per program and admission, and then given at once. */
  prepare(ir: Ir, admission: Admission): Prepared | PrepareRefused | Promise<Prepared | PrepareRefused>;
  run(prepared: Prepared, request?: GatewayRun): Promise<RunAnswer>;
  /** `run` for callers that can take the answer at once: it comes without a promise when the run is over within its first slice. */
  begin(prepared: Prepared, request?: GatewayRun): RunAnswer | Promise<RunAnswer>;
  /** Runs a prepared program with many frames (`vm/batch.ts`). Throws FatalFailure of a load code. */
  batch(prepared: Prepared, request?: GatewayBatch): FrameRunner;
}

/** What a caller may choose of a run besides what was admitted. */
export type GatewayRun = Omit<HostRunRequest, "ir" | "limits" | "allowedAdapters" | "adapters" | "allowEnv">;

type GatewayBatch = Pick<HostBatchRequest, "label" | "dryRun" | "observer">;

const KEPT_ADMISSIONS = 256;
/** Longer requests are read anew each time: what is remembered must not grow with what callers send. */
const LONGEST_KEPT_REQUEST = 16_384;

/** A gateway in front of `host`. `server`: what the server grants; default: the resource floor. */
export function createGateway(host: Host, linker: AdapterLinker, server: ServerSide = OPEN_SERVER): Gateway {
  const merged = server.sides.map((side) => side.grant).reduce((a, b) => mergeGrants(a, b, linker.settings));
  const admissions = new Map<string, Admission>();
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
    admit(request) {
      const key = keyOf(request);
      const known = admissions.get(key);
      if (known !== undefined) return known;
      const admission = admit(request, rules);
      if (!admission.ok || key.length > LONGEST_KEPT_REQUEST) return admission;
      const [oldest] = admissions.keys();
      if (admissions.size >= KEPT_ADMISSIONS && oldest !== undefined) admissions.delete(oldest);
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
    run: async (prepared, request) => gateway.begin(prepared, request),
    begin(prepared, request = {}) {
      const answer = host.begin(hostRequest(prepared, request));
      if (answer instanceof Promise) return answer.then((later) => told(later, prepared, request));
      return told(answer, prepared, request);
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
  const { allowed_adapters, policy, limits, adapters } = request;
  const isEmpty =
    allowed_adapters === undefined && policy === undefined && limits === undefined && adapters === undefined;
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
    dryRun: asked.dryRun,
    observer: asked.observer,
    progress: asked.progress,
    traceId: asked.traceId,
    trace: asked.trace,
    finalFrame: asked.finalFrame,
    signal: asked.signal,
    record: asked.record,
    replay: asked.replay,
    replayContinues: asked.replayContinues,
  };
}

/** What is known of a prepared program before this run of it. A replay asks no adapter, so none need be there. */
export function warningsBefore(
  warnings: readonly string[],
  { replay, replayContinues = false }: Pick<GatewayRun, "replay" | "replayContinues">,
): readonly string[] {
  if (replay === undefined || replayContinues) return warnings;
  return warnings.filter((one) => !one.startsWith("adapter_not_enabled") && !one.startsWith("setting_would_refuse"));
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
