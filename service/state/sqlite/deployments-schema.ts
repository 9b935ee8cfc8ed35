/** Tables of deployments in SQLite: one of the steps of the job store's file (`service/jobs/sqlite/tables/schema.ts`). */
export const DEPLOYMENTS = `
  CREATE TABLE deployments (
    name TEXT PRIMARY KEY, version INTEGER, last_version INTEGER NOT NULL, enabled INTEGER NOT NULL, source TEXT NOT NULL,
    tags TEXT NOT NULL, description TEXT, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE deployment_versions (
    name TEXT NOT NULL, version INTEGER NOT NULL, content TEXT NOT NULL, checksum TEXT NOT NULL, compiler TEXT NOT NULL,
    semantics INTEGER NOT NULL, source_hash TEXT, created_ms INTEGER NOT NULL, warnings TEXT NOT NULL, schedules TEXT NOT NULL,
    settings TEXT NOT NULL, source TEXT NOT NULL, ir TEXT NOT NULL, PRIMARY KEY (name, version)
  );
  ALTER TABLE submissions ADD COLUMN deployment TEXT;
  ALTER TABLE submissions ADD COLUMN version INTEGER;
  CREATE INDEX submissions_deployment ON submissions (deployment, version) WHERE deployment IS NOT NULL;
`;
