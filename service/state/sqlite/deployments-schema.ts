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

/** Versions that wait for a person (`service/programs/proposals/`), and who accepted those that are deployed. */
export const PROPOSALS = `
  ALTER TABLE deployment_versions ADD COLUMN acceptance TEXT;
  CREATE TABLE proposals (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, state TEXT NOT NULL, base INTEGER, deploy_source TEXT NOT NULL, content TEXT NOT NULL,
    checksum TEXT NOT NULL, compiler TEXT NOT NULL, semantics INTEGER NOT NULL, source_hash TEXT, created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL, warnings TEXT NOT NULL, schedules TEXT NOT NULL, settings TEXT NOT NULL, source TEXT NOT NULL,
    ir TEXT NOT NULL, facts TEXT NOT NULL, review TEXT NOT NULL, note TEXT, proposer TEXT NOT NULL, decision TEXT, became INTEGER
  );
  CREATE INDEX proposals_open ON proposals (name, content) WHERE state = 'open';
  CREATE INDEX proposals_age ON proposals (created_ms, id);
`;

/** Who signed versions, and proposals of them (`service/programs/signing/`). */
export const ATTESTATIONS = `
  ALTER TABLE deployment_versions ADD COLUMN attestation TEXT;
  ALTER TABLE proposals ADD COLUMN attestation TEXT;
`;

/** The version next to the current one, and outcomes of its last runs (`service/programs/channels/`). */
export const CHANNELS = `
  ALTER TABLE deployments ADD COLUMN next TEXT;
  ALTER TABLE deployments ADD COLUMN next_outcomes TEXT NOT NULL DEFAULT '';
`;
