/** Tables of schedules in SQLite: one of the steps of the job store's file (`service/jobs/sqlite/tables/schema.ts`). */
export const SCHEDULES = `
  CREATE TABLE schedules (
    id TEXT PRIMARY KEY, program TEXT NOT NULL, version INTEGER NOT NULL, spec TEXT NOT NULL, enabled INTEGER NOT NULL,
    paused INTEGER NOT NULL, paused_because TEXT, next_due_ms INTEGER, next_at_ms INTEGER, base_ms INTEGER NOT NULL,
    waiting_ms INTEGER, revision INTEGER NOT NULL, computed INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE INDEX schedules_next ON schedules (next_at_ms) WHERE next_at_ms IS NOT NULL;
  CREATE INDEX schedules_program ON schedules (program);
  CREATE TABLE fires (
    schedule TEXT NOT NULL, due_ms INTEGER NOT NULL, outcome TEXT NOT NULL, job_id TEXT, at_ms INTEGER NOT NULL, error TEXT,
    PRIMARY KEY (schedule, due_ms)
  ) WITHOUT ROWID;
`;
