/** Many parked jobs in a state directory: copies of one that parked there by itself. */
import Database from "better-sqlite3";

/** Characters of a checksum (`service/jobs/sqlite/tables/sealed-texts.ts`). */
const SEAL_LENGTH = 9;

/** The service must have left the directory. The copies sleep until `untilMs`, milliseconds since 1970. */
export function multiplyParked(stateDir: string, count: number, untilMs: number): void {
  const db = new Database(`${stateDir}/weft.db`);
  const one = db
    .prepare("SELECT number FROM jobs WHERE status = 'sleeping' ORDER BY number DESC LIMIT 1")
    .pluck()
    .get();
  if (one === undefined) throw new Error("no job sleeps");
  const numbers = `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ${count - 1})`;
  const copied = (table: string, changed: Readonly<Record<string, string>>): void => {
    const columns = (db.pragma(`table_info(${table})`) as readonly { readonly name: string }[]).map(({ name }) => name);
    const values = columns.map((name) => changed[name] ?? `t.${name}`);
    const key = table === "jobs" ? "number" : "job";
    db.exec(`${numbers} INSERT INTO ${table} (${columns.join(", ")})
      SELECT ${values.join(", ")} FROM n, ${table} t WHERE t.${key} = ${one}`);
  };
  db.transaction(() => {
    // The last digits of an id are random.
    // The checksum at the end of a frame is made with the id; a frame without one is read as of an earlier version.
    copied("jobs", {
      number: `${one} + at`,
      id: "substr(t.id, 1, 24) || printf('%012x', at)",
      frame: `substr(t.frame, 1, length(t.frame) - ${SEAL_LENGTH})`,
    });
    copied("job_journal", { job: `${one} + at` });
    copied("waits", { job: `${one} + at` });
    db.exec(`UPDATE submissions SET last_job = ${one} + ${count - 1} WHERE last_job = ${one}`);
    db.exec(`UPDATE waits SET until_ms = ${untilMs}`);
  })();
  db.close();
}

/** How many sleep. */
export function sleeping(stateDir: string): number {
  const db = new Database(`${stateDir}/weft.db`, { readonly: true });
  try {
    return db.prepare("SELECT count(*) FROM jobs WHERE status = 'sleeping'").pluck().get() as number;
  } finally {
    db.close();
  }
}

/** `count` of them are due at `untilMs`. */
export function makeDue(stateDir: string, count: number, untilMs: number): void {
  const db = new Database(`${stateDir}/weft.db`);
  db.exec(
    `UPDATE waits SET until_ms = ${untilMs} WHERE job IN (SELECT number FROM jobs WHERE status = 'sleeping' LIMIT ${count})`,
  );
  db.close();
}
