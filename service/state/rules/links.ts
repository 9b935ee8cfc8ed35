/** Links: the hash of what stands in an address, and what it does once (docs/approvals.md). */
import type { Link, StoredLink } from "../../jobs/approvals/approvals.ts";
import type { NewSignal, SignalSent } from "../../jobs/durable/waits.ts";
import { LINK_KEPT_MS } from "../../jobs/retention/retention.ts";
import type { JobKey } from "../job-port.ts";
import type { Port } from "../port.ts";
import { row, run, type Step } from "../step.ts";
import { isGood, spend } from "./link-rows.ts";
import { sendTo } from "./signals.ts";

type Row = {
  readonly kind: "approval" | "signal";
  readonly job: JobKey;
  readonly name: string;
  readonly person: string | null;
  readonly expires_ms: number;
  readonly used_ms: number | null;
};

const FOUND = "SELECT * FROM weft.tokens WHERE hash = $1";

export const linkChanges = {
  /** For a job of any state. */
  *addLink(
    { jobKey }: Port,
    { job, link: { hash, target, expiresMs } }: { readonly job: string; readonly link: Link },
  ): Step<void> {
    const of = target.kind === "approval" ? [target.approval, target.person] : [target.name, null];
    yield* run(
      `INSERT INTO weft.tokens (hash, kind, job, name, person, expires_ms)
       SELECT $1, $2, ${jobKey}, $4, $5, $6::bigint FROM weft.jobs WHERE id = $3`,
      ...[hash, target.kind, job, ...of, expiresMs],
    );
  },

  /** Null: the link was spent, or is too old. A signal that is not taken leaves the link as it is. */
  *sendByLink(
    port: Port,
    { hash, signal }: { readonly hash: string; readonly signal: NewSignal },
  ): Step<SignalSent | null> {
    const link = yield* row<Row>(FOUND, hash);
    if (link?.kind !== "signal") return null;
    yield* port.lockedJobOf(link.job);
    const now = port.now();
    if (!(yield* isGood(hash, now))) return null;
    const sent = yield* sendTo(port, signal);
    if (sent.state === "kept") yield* spend(hash, now);
    return sent;
  },
};

export const linkReads = {
  *link(port: Port, hash: string): Step<StoredLink | null> {
    const found = yield* row<Row>(FOUND, hash);
    const job = found === undefined ? undefined : (yield* port.jobsOf([found.job])).get(found.job);
    if (found === undefined || job === undefined) return null;
    const { kind, name, person, expires_ms, used_ms } = found;
    const target =
      kind === "approval" ? ({ kind, approval: name, person: person ?? "" } as const) : ({ kind, name } as const);
    return { hash, target, job, expiresMs: expires_ms, usedMs: used_ms };
  },
};

export function forgetLinks(now: number): Step<void> {
  return run("DELETE FROM weft.tokens WHERE expires_ms <= $1", now - LINK_KEPT_MS);
}
