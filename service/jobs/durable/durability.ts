/** Whether jobs are durable, by what their request, their deployment and the service say (docs/durable.md). */

import { spanText } from "../../../compiler/catalog/time-span.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { isObject } from "../../../compiler/json.ts";
import { capabilitiesOf } from "../../../compiler/policy/capabilities-of.ts";
import { WAITING_ADAPTERS, type WrittenTime, writtenTimes } from "../../../compiler/policy/waits.ts";
import { shownLabel } from "../../../grammar/text/written-label.ts";
import type { OnUnknown } from "../../../vm/durable/call-options.ts";
import { constraintsOf } from "../../../vm/grant/normalize-grant.ts";
import type { DeploymentSettings, UnknownWays } from "../../programs/deployment-settings.ts";
import type { RunPlan } from "../../run/plan.ts";
import type { EnqueueRequestMembers } from "../../schemas/jobs.ts";
import type { Services } from "../../services.ts";
import { faults, ServiceFault } from "../../wire/errors.ts";
import type { Submission } from "../job.ts";
import { firstSignals } from "./first-signals.ts";

type Asked = Partial<
  Pick<
    EnqueueRequestMembers,
    "durable" | "on_unknown" | "lifetime_s" | "retry" | "signals" | "replay_log" | "replay_artifact_id" | "trace"
  >
>;
type Own = Pick<DeploymentSettings, "durable" | "on_unknown" | "lifetime_s">;

export type Durability = {
  readonly durable: NonNullable<Submission["durable"]> | null;
  /** Members of the request as they are kept with the job. */
  readonly members: { readonly on_unknown?: UnknownWays };
  readonly warnings: readonly string[];
};

/** Throws ServiceFault invalid_request and not_durable. `now`: milliseconds since 1970. */
export function durabilityOf(
  { config, durableJobs, gateway, freshId }: Pick<Services, "config" | "durableJobs" | "gateway" | "freshId">,
  asked: Asked,
  own: Own,
  plan: RunPlan,
  now: number,
): Durability {
  const { durable: mode, unknownRetry, durableLifetimeS } = config.jobs;
  checkTogether(asked);
  const ways = (asked.on_unknown ?? own.on_unknown ?? undefined) as UnknownWays | undefined;
  if (!unknownRetry && ways !== undefined && allWays(ways).includes("retry")) throw retryNotAllowed();
  const said = asked.durable ?? own.durable ?? null;
  const called = calledBy(plan, gateway.host.catalog);
  const waits = WAITING_ADAPTERS.some((name) => called.has(name));
  // Emitting does not wait, but only a durable job may: its journal keeps an event from being emitted twice.
  const needs = waits || called.has("event");
  const able = durableJobs && !config.workers.isolated;
  // What a caller says against it is said for this job: a replay, or a job that starts over.
  const free = asked.retry !== true && (asked.replay_log ?? asked.replay_artifact_id ?? null) === null;
  const wanted = said ?? (free && able && (mode === "on" || (mode === "auto" && needs)));
  const members = ways === undefined ? {} : { on_unknown: ways };
  const signals = firstSignals(asked.signals ?? [], config.jobs, freshId);
  if (!wanted && signals.length > 0) throw notDurable("it is queued with signals, which only a durable job takes");
  if (!wanted) {
    const warnings = waits ? ["waits_not_durable: the program waits, and a wait ends with the process"] : [];
    return { durable: null, members, warnings };
  }
  if (!durableJobs) throw notDurable("this service keeps no journals: set WF_STATE_DIR or WF_DATABASE_URL");
  if (config.workers.isolated) throw notDurable("runs of this service begin in worker threads (WF_ISOLATION=worker)");
  if (keepsInstances(plan))
    throw notDurable("the program uses wasm with reuse_instance, whose state a crash would lose");
  const seconds = asked.lifetime_s ?? own.lifetime_s ?? durableLifetimeS;
  const first = signals.length === 0 ? {} : { signals };
  const lifetimeMs = seconds * 1000;
  return { durable: { lifetimeMs, ...first }, members, warnings: longWaits(plan.prepared.ir, lifetimeMs, now) };
}

function checkTogether({ durable, retry, replay_log, replay_artifact_id }: Asked): void {
  if (durable !== true) return;
  const issue = (path: string, message: string) => ({ path, code: "exclusive", message });
  if (retry === true)
    throw faults.invalidRequest([issue("/retry", "a durable job continues; it does not start over: leave out retry")]);
  if ((replay_log ?? null) !== null)
    throw faults.invalidRequest([issue("/replay_log", "a durable job has a journal of its own")]);
  if ((replay_artifact_id ?? null) !== null)
    throw faults.invalidRequest([issue("/replay_artifact_id", "a durable job has a journal of its own")]);
}

function allWays(ways: UnknownWays): readonly OnUnknown[] {
  return typeof ways === "string" ? [ways] : Object.values(ways);
}

function retryNotAllowed(): ServiceFault {
  const message = "calls of unknown outcome are not repeated here; the operator sets WF_UNKNOWN_RETRY=1 to allow it";
  return faults.invalidRequest([{ path: "/on_unknown", code: "not_yours", message }]);
}

function notDurable(message: string): ServiceFault {
  return new ServiceFault("not_durable", `the job cannot be durable: ${message}`, {
    issues: [{ path: "/durable", code: "not_durable", message }],
  });
}

/** By adapter and verb, the most exact first. */
export function unknownWay(ways: UnknownWays | undefined, adapter: string, verb: string): OnUnknown {
  if (ways === undefined) return "fail";
  if (typeof ways === "string") return ways;
  const name = `${adapter}.${verb}`.toLowerCase();
  for (const [word, way] of Object.entries(ways)) if (word.toLowerCase() === name) return way;
  return ways["*"] ?? "fail";
}

/** Waits that the program writes out and that outlast a job of it: of what the program says and of no other time, where `now` is null. */
export function longWaits(ir: Ir, lifetimeMs: number, now: number | null): readonly string[] {
  const life = spanText(lifetimeMs);
  return writtenOf(ir).flatMap(({ call, label, node, line, span, date }) => {
    const ends = date === null || now === null ? span : date - now;
    if (ends === null || ends < lifetimeMs) return [];
    const what = date === null ? `takes ${spanText(ends)}` : `waits until ${new Date(date).toISOString()}`;
    const place = line === null ? `${shownLabel(label)} ${node}` : `line ${line}`;
    return [
      `wait_longer_than_job: ${call} at ${place} ${what}, and the job lives for ${life}: shorten it, or give the job a longer lifetime_s`,
    ];
  });
}

const written = new WeakMap<object, readonly WrittenTime[]>();

function writtenOf(ir: Ir): readonly WrittenTime[] {
  const before = written.get(ir);
  if (before !== undefined) return before;
  const found = writtenTimes(ir);
  written.set(ir, found);
  return found;
}

type Catalog = Services["gateway"]["host"]["catalog"];
/** By program, since it is asked for every job. */
const known = new WeakMap<object, ReadonlySet<string | null>>();

/** Adapters that a program may call. */
function calledBy({ prepared: { ir } }: RunPlan, catalog: Catalog): ReadonlySet<string | null> {
  const before = known.get(ir);
  if (before !== undefined) return before;
  const called = new Set(
    ir.nodes.flatMap((node) => capabilitiesOf(node.op, node.data, catalog).map(({ adapter }) => adapter)),
  );
  known.set(ir, called);
  return called;
}

function keepsInstances({ prepared: { adapters, admission } }: RunPlan): boolean {
  const settings = constraintsOf(admission.grant, "wasm");
  return adapters.has("wasm") && isObject(settings) && settings["reuse_instance"] === true;
}
