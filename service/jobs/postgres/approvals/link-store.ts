/** Links in PostgreSQL: the hash of what stands in an address, and what it does once. Who spends one has locked the row of its job. */
import type { LinkStore, StoredLink } from "../../approvals/approvals.ts";
import type { NewSignal, SignalSent } from "../../durable/waits.ts";
import type { Database, Statements } from "../database.ts";
import { sendSignal } from "../durable/waking.ts";
import { COLUMNS, jobOf } from "../job-rows.ts";

const GOOD = "SELECT 1 FROM weft.tokens WHERE hash = $1 AND used_ms IS NULL AND expires_ms > $2";

/** `now`: milliseconds since 1970, steady. */
export function postgresLinks(database: Database, now: () => number): LinkStore {
  return {
    async add(job, { hash, target, expiresMs }) {
      const of = target.kind === "approval" ? [target.approval, target.person] : [target.name, null];
      await database.query(
        `INSERT INTO weft.tokens (hash, kind, job, name, person, expires_ms)
         SELECT $1, $2, id, $4, $5, $6::bigint FROM weft.jobs WHERE id = $3`,
        [hash, target.kind, job, ...of, expiresMs],
      );
    },
    find: (hash) => find(database, hash),
    send: (hash, signal) => database.transaction((on) => sendByLink(on, hash, signal, now)),
  };
}

export async function isGood(on: Statements, hash: string, now: number): Promise<boolean> {
  return (await on.query(GOOD, [hash, now])).length > 0;
}

export async function spend(on: Statements, hash: string, now: number): Promise<void> {
  await on.query("UPDATE weft.tokens SET used_ms = $2 WHERE hash = $1", [hash, now]);
}

async function find(on: Statements, hash: string): Promise<StoredLink | null> {
  const [row] = await on.query("SELECT * FROM weft.tokens WHERE hash = $1", [hash]);
  const [job] = await on.query(`SELECT ${COLUMNS} FROM weft.jobs WHERE id = $1`, [row?.["job"] ?? null]);
  if (row === undefined || job === undefined) return null;
  const { kind, name, person, expires_ms, used_ms } = row;
  const target = kind === "approval" ? { kind, approval: name, person: person ?? "" } : { kind, name };
  return { hash, target, job: jobOf(job), expiresMs: expires_ms, usedMs: used_ms };
}

/** A signal that is not taken leaves the link as it is. */
async function sendByLink(
  on: Statements,
  hash: string,
  signal: NewSignal,
  clock: () => number,
): Promise<SignalSent | null> {
  await on.query("SELECT 1 FROM weft.jobs WHERE id = (SELECT job FROM weft.tokens WHERE hash = $1) FOR UPDATE", [hash]);
  const now = clock();
  if (!(await isGood(on, hash, now))) return null;
  const sent = await sendSignal(on, signal, now);
  if (sent.state === "kept") await spend(on, hash, now);
  return sent;
}
