/** Links in SQLite: the hash of what stands in an address, and what it does once. Each is one call inside the transaction of its batch. */
import type { Link, StoredLink } from "../../approvals/approvals.ts";
import type { NewSignal, SignalSent } from "../../durable/waits.ts";
import { LINK_KEPT_MS } from "../../retention.ts";
import { jobAt, type Sql } from "../tables/job-rows.ts";

type SendSignal = (signal: NewSignal & { readonly now: number }) => SignalSent;
type Row = {
  readonly kind: "approval" | "signal";
  readonly job: number;
  readonly name: string;
  readonly person: string | null;
  readonly expires_ms: number;
  readonly used_ms: number | null;
};

export function linkTables(sql: Sql, sendSignal: SendSignal) {
  return {
    addLink({ job, hash, target, expiresMs }: Link & { readonly job: string }): void {
      const of = target.kind === "approval" ? [target.approval, target.person] : [target.name, null];
      sql(
        `INSERT INTO tokens (hash, kind, job, name, person, expires_ms)
         SELECT ?, ?, number, ?, ?, ? FROM jobs WHERE id = ?`,
      ).run(hash, target.kind, ...of, expiresMs, job);
    },

    link({ hash }: { readonly hash: string }): StoredLink | null {
      const row = sql("SELECT * FROM tokens WHERE hash = ?").get(hash) as Row | undefined;
      if (row === undefined) return null;
      const job = jobAt(sql, sql("SELECT id FROM jobs WHERE number = ?").pluck().get(row.job) as string);
      if (job === null) return null;
      const { kind, name, person, expires_ms, used_ms } = row;
      const target =
        kind === "approval" ? ({ kind, approval: name, person: person ?? "" } as const) : ({ kind, name } as const);
      return { hash, target, job, expiresMs: expires_ms, usedMs: used_ms };
    },

    /** Null: the link was spent, or is too old. A signal that is not taken leaves the link as it is. */
    sendByLink({
      hash,
      now,
      ...signal
    }: NewSignal & { readonly hash: string; readonly now: number }): SignalSent | null {
      const isGood = "SELECT 1 FROM tokens WHERE hash = ? AND kind = 'signal' AND used_ms IS NULL AND expires_ms > ?";
      if (sql(isGood).get(hash, now) === undefined) return null;
      const sent = sendSignal({ ...signal, now });
      if (sent.state === "kept") sql("UPDATE tokens SET used_ms = ? WHERE hash = ?").run(now, hash);
      return sent;
    },

    forgetLinks: ({ now }: { readonly now: number }): void =>
      void sql("DELETE FROM tokens WHERE expires_ms <= ?").run(now - LINK_KEPT_MS),
  };
}
