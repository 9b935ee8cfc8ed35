/** What a recovered store keeps of rows that were copied: none whose checksum is wrong, and no job that would run without what it needs. */

import type { Database } from "better-sqlite3";
import { endedBody } from "../../answers/bodies.ts";
import { unpacked } from "../../durable/journal-rows.ts";
import { expiryOf, isTerminal, type JobStatus } from "../../job.ts";
import { keepsIn } from "../../retention/kept-times.ts";
import { opened, sealed } from "../tables/sealed-texts.ts";
import { frameName, requestName } from "../tables/submission-rows.ts";

/** A line for each that was removed or ended. */
export function removeUnusable(db: Database, now: number): readonly string[] {
  const lost: string[] = [];
  for (const [table, column] of PACKED) lost.push(...removeDamagedData(db, table, column));
  lost.push(...removeDamagedVersions(db), ...removeJobsWithoutRequest(db), ...endUnusableJobs(db, now));
  return lost;
}

const PACKED = [
  ["job_journal", "data"],
  ["job_values", "data"],
  ["job_snapshots", "data"],
  ["signals", "data"],
  ["approvals", "asked"],
  ["approvals", "answers"],
] as const;

function removeDamagedData(db: Database, table: string, column: string): readonly string[] {
  const key = { job_journal: "job, seq", job_snapshots: "job, seq", job_values: "hash" }[table] ?? "rowid";
  const names = key.split(", ");
  const remove = db.prepare(`DELETE FROM ${table} WHERE ${names.map((name) => `${name} = ?`).join(" AND ")}`);
  const rows = db.prepare(`SELECT ${column}, ${key} FROM ${table} WHERE ${column} IS NOT NULL`).raw().all();
  const lost: string[] = [];
  for (const [data, ...values] of rows as [Uint8Array, ...unknown[]][]) {
    if (isReadable(() => unpacked(data))) continue;
    remove.run(...values);
    lost.push(`${table}: what ${names.map((name, at) => `${name} ${values[at]}`).join(", ")} holds is damaged`);
  }
  return lost;
}

function removeDamagedVersions(db: Database): readonly string[] {
  const lost: string[] = [];
  const rows = db.prepare("SELECT name, version, checksum, ir FROM deployment_versions").all();
  for (const { name, version, checksum, ir } of rows as {
    name: string;
    version: number;
    checksum: string;
    ir: string;
  }[]) {
    if (isReadable(() => opened(ir, checksum))) continue;
    db.prepare("DELETE FROM deployment_versions WHERE name = ? AND version = ?").run(name, version);
    lost.push(`program ${name}: version ${version} is damaged`);
  }
  const gone = db
    .prepare(
      `DELETE FROM deployments WHERE version IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM deployment_versions v WHERE v.name = deployments.name AND v.version = deployments.version
       ) RETURNING name`,
    )
    .pluck()
    .all();
  return [...lost, ...gone.map((name) => `program ${name}: its current version is gone; deploy it again`)];
}

/** Jobs of which not even the result could be shown. */
function removeJobsWithoutRequest(db: Database): readonly string[] {
  const gone = db
    .prepare(
      "DELETE FROM jobs WHERE NOT EXISTS (SELECT 1 FROM submissions WHERE number = jobs.submission) RETURNING id, number",
    )
    .all() as { id: string; number: number }[];
  for (const { number } of gone)
    for (const table of ["results", "job_journal", "job_snapshots", "waits", "signals", "tokens", "approvals"])
      db.prepare(`DELETE FROM ${table} WHERE job = ?`).run(number);
  return gone.map(({ id }) => `job ${id}: its request is gone`);
}

type JobTexts = {
  readonly id: string;
  readonly number: number;
  readonly status: JobStatus;
  readonly trace_id: string;
  readonly durable: number;
  readonly keep_ms: number;
  readonly keeps: string | null;
  readonly submission: number;
  readonly label: string;
  readonly checksum: string;
  readonly request: string | null;
  readonly frame: string | null;
  readonly ir: string | null;
  readonly text: string | null;
};

/** One that is over loses a result that is damaged; one that is not over ends when it could not run. */
function endUnusableJobs(db: Database, now: number): readonly string[] {
  const lost: string[] = [];
  const jobs = db.prepare(
    `SELECT id, jobs.number, status, trace_id, durable, keep_ms, keeps, submission, label, checksum, request, frame, ir, text FROM jobs
     JOIN submissions ON submissions.number = jobs.submission LEFT JOIN programs USING (checksum) LEFT JOIN results ON results.job = jobs.number`,
  );
  for (const job of jobs.all() as JobTexts[]) {
    const { id, number, status, text } = job;
    if (text !== null && !isReadable(() => opened(text, id))) {
      db.prepare("DELETE FROM results WHERE job = ?").run(number);
      lost.push(`job ${id}: its result is damaged`);
    }
    if (isTerminal(status) || canRun(job)) continue;
    const reason = job.durable === 1 ? ("journal_unreadable" as const) : undefined;
    const result = endedBody(job.trace_id, "interrupted", undefined, reason);
    db.prepare(
      "UPDATE jobs SET status = 'interrupted', owner = NULL, finished_ms = ?, expires_ms = ?, error = 'interrupted' WHERE number = ?",
    ).run(now, expiryOf({ keepMs: job.keep_ms, keeps: keepsIn(job.keeps) }, "interrupted", now), number);
    db.prepare("INSERT OR REPLACE INTO results (job, text) VALUES (?, ?)").run(number, sealed(result, id));
    db.prepare("UPDATE waits SET ended_ms = ? WHERE job = ? AND ended_ms IS NULL").run(now, number);
    lost.push(`job ${id}: what it needs to run is damaged; it is interrupted`);
  }
  return lost;
}

function canRun({ id, submission, checksum, label, request, frame, ir }: JobTexts): boolean {
  if (request === null || ir === null) return false;
  return isReadable(() => {
    opened(request, requestName({ label, checksum }));
    opened(ir, checksum);
    if (frame !== null) opened(frame, frameName(id, submission));
  });
}

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
