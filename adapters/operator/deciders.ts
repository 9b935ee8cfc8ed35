/**
 * The operator's own say in every call of an adapter: deciders are asked after allowlist and policy and before the verb, and can only
 * refuse. One that is late, throws or answers anything but a decision refuses. Without deciders nothing of this is there.
 */
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import type { Json } from "../../compiler/json.ts";
import { capabilitiesOf, type NodeFacts } from "../../compiler/policy/capabilities-of.ts";
import type { Adapter, AdapterVerb, BoundCall, CallContext } from "../../vm/adapter.ts";
import { FatalFailure } from "../../vm/errors/failures.ts";
import { detached } from "../../vm/memory/copy-out.ts";
import { runAdapterLog } from "../definition/adapter-log.ts";
import type { AdapterLog } from "../definition/effect.ts";
import type { Timers } from "../engine/timers.ts";
import { cancelledCall } from "../errors.ts";

/** One call that is about to be made. */
export type DecidedCall = {
  readonly adapter: string;
  readonly verb: string;
  /** A copy. */
  readonly args: readonly Json[];
  readonly label_id: string;
  readonly node_id: string;
  readonly trace_id: string;
  /** What policy knows of the verb; literals are not among it. */
  readonly facts: NodeFacts;
};

/** A rule of the operator's own. What it does not answer in 50 ms is refused. */
export type PolicyDecider = {
  readonly name: string;
  /** `reason` goes to the operator's log. */
  decide(call: DecidedCall): Promise<{ readonly allow: boolean; readonly reason?: string }>;
};

export type DecisionDeps = {
  readonly deciders: readonly PolicyDecider[];
  readonly catalog: AdapterCatalog;
  readonly timers: Timers;
  readonly log: AdapterLog;
};

/** How long a decider may take. */
const DECISION_MS = 50;
const MAX_REASON = 300;

/** The same adapter, whose calls are made when every decider allows them. */
export function decidedAdapter(adapter: Adapter, deps: DecisionDeps): Adapter {
  const verbs = new Map<AdapterVerb, AdapterVerb>();
  return {
    ...adapter,
    verb(word) {
      const known = adapter.verb(word);
      if (known === undefined) return undefined;
      let decided = verbs.get(known);
      if (decided === undefined) {
        decided = { ...known, bind: (args) => decidedCall(adapter.name, known, known.bind(args), args, deps) };
        // A verb that stands for any word is made anew for each; those are not kept.
        if (adapter.verb(known.name) === known) verbs.set(known, decided);
      }
      return decided;
    },
  };
}

function decidedCall(
  adapter: string,
  { name: verb }: AdapterVerb,
  bound: BoundCall,
  args: readonly Json[],
  deps: DecisionDeps,
): BoundCall {
  return {
    ...bound,
    async run(instance, context) {
      const [facts] = capabilitiesOf("R", { adapter, verb, args: [], out: null }, deps.catalog);
      if (facts === undefined) throw new Error("a call has facts");
      for (const decider of deps.deciders) {
        const call = { adapter, verb, args: args.map((arg) => detached(arg)), ...placeOf(context), facts };
        const refusal = await refusalOf(decider, call, deps.timers);
        if (refusal === null) continue;
        runAdapterLog(deps.log, context.run)("decider_refused", {
          decider: decider.name,
          adapter,
          verb,
          reason: refusal,
        });
        throw refused(adapter, verb, decider.name);
      }
      if (context.signal.aborted) throw cancelledCall();
      return bound.run(instance, context);
    },
  };
}

/** Why the decider refuses; null: it allows the call. */
async function refusalOf(decider: PolicyDecider, call: DecidedCall, timers: Timers): Promise<string | null> {
  let stop = (): void => {};
  const late = new Promise<"late">((resolve) => {
    stop = timers.after(DECISION_MS, () => resolve("late"));
  });
  try {
    // Called inside of a promise, so that what it throws at once is a refusal too.
    const decision: unknown = await Promise.race([Promise.resolve().then(() => decider.decide(call)), late]);
    if (decision === "late") return `no decision within ${DECISION_MS} ms`;
    if (typeof decision !== "object" || decision === null || !("allow" in decision)) return "no decision";
    if (decision.allow === true) return null;
    const reason = "reason" in decision && typeof decision.reason === "string" ? decision.reason : "refused";
    return reason.slice(0, MAX_REASON);
  } catch {
    return "the decider failed";
  } finally {
    stop();
  }
}

/** `<trace_id>/<label>/<node>/<visit>`, in a branch with its name and a colon before the label. Ids of labels may have slashes, but no colons. */
function placeOf({ callId, traceId }: CallContext): Pick<DecidedCall, "label_id" | "node_id" | "trace_id"> {
  const place = callId.slice(traceId.length + 1);
  const steps = place.slice(place.lastIndexOf(":") + 1).split("/");
  return { trace_id: traceId, label_id: steps.slice(0, -2).join("/"), node_id: steps.at(-2) ?? "" };
}

function refused(adapter: string, verb: string, decider: string): FatalFailure {
  return new FatalFailure("RUNTIME_ADAPTER_NOT_ALLOWED", `adapter ${adapter} is not allowed`, "denied", {
    adapter,
    verb,
    rule: { member: "decider", value: decider, source: "server" },
  });
}
