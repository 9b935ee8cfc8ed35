/** The version next to the current one of a deployment (docs/channels.md), and when it ends by itself. */
import { type NextChannel, withOutcome } from "../../../programs/channels/channel.ts";
import type {
  NextEnded,
  NextOutcome,
  NextPromotion,
  NextRequest,
  NextSet,
  Removal,
  RolledBack,
} from "../../../programs/store.ts";
import type { Port } from "../../port.ts";
import { any, row, run, type Step } from "../../step.ts";
import { changeable, programChanges } from "./changes.ts";

const SET = "UPDATE weft.deployments SET next = $2, next_outcomes = $3, updated_ms = $4 WHERE name = $1";
const VERSION = "SELECT 1 FROM weft.deployment_versions WHERE name = $1 AND version = $2::bigint";

export const channelChanges = {
  *setNext(port: Port, request: NextRequest): Step<NextSet> {
    const { name, version, weight, key, abort } = request;
    const found = yield* changeable(request);
    if (found.state !== "found") return found;
    if (version === found.version) return { state: "is_current" };
    if (!(yield* any(VERSION, name, version))) return { state: "version_not_found" };
    const before = found.next?.version === version ? found.next : null;
    const now = port.wall();
    const next: NextChannel = { version, weight, key, abort, sinceMs: before?.sinceMs ?? now };
    yield* run(SET, name, JSON.stringify(next), before === null ? "" : found.outcomes, now);
    yield* port.deploymentChanged(name);
    return { state: "changed" };
  },

  *promoteNext(port: Port, request: NextPromotion): Step<RolledBack | { readonly state: "no_next" }> {
    const found = yield* changeable(request);
    if (found.state !== "found") return found;
    if (found.next?.version !== request.version) return { state: "no_next" };
    // What becomes current is `next` no more.
    return yield* programChanges.rollbackProgram(port, request);
  },

  *abortNext(port: Port, request: Removal): Step<NextEnded> {
    const { name } = request;
    const found = yield* changeable(request);
    if (found.state !== "found") return found;
    if (found.next === null) return { state: "no_next" };
    yield* run(SET, name, null, "", port.wall());
    yield* port.deploymentChanged(name);
    return { state: "ended", version: found.next.version };
  },

  /** A run of `next` ended. Returns how many of how many failed, where that ended `next`. */
  *noteNext(
    port: Port,
    { name, version, failed }: NextOutcome,
  ): Step<{ readonly failures: number; readonly of: number } | null> {
    const found = yield* row<{ readonly next: string | null; readonly next_outcomes: string }>(
      "SELECT next, next_outcomes FROM weft.deployments WHERE name = $1 FOR UPDATE",
      name,
    );
    const next = found?.next == null ? null : (JSON.parse(found.next) as NextChannel);
    if (next === null || next.version !== version || next.abort === null) return null;
    const { outcomes, failures, isAborted } = withOutcome(found?.next_outcomes ?? "", failed, next.abort);
    if (!isAborted) {
      yield* run("UPDATE weft.deployments SET next_outcomes = $2 WHERE name = $1", name, outcomes);
      return null;
    }
    yield* run(SET, name, null, "", port.wall());
    yield* port.deploymentChanged(name);
    return { failures, of: next.abort.of };
  },
};
