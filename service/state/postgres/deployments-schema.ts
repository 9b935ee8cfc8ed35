/** Tables of deployments in PostgreSQL, schema `weft`, next to those of the jobs. A released step is never edited. */
import type { Migrations } from "../../../adapters/store/postgres/migrate.ts";

const steps: readonly string[] = [
  `
  CREATE TABLE weft.deployments (
    name text COLLATE "C" PRIMARY KEY, version integer, last_version integer NOT NULL, enabled boolean NOT NULL, source text NOT NULL,
    tags text NOT NULL, description text, created_ms bigint NOT NULL, updated_ms bigint NOT NULL
  );
  CREATE TABLE weft.deployment_versions (
    name text COLLATE "C" NOT NULL, version integer NOT NULL, content text NOT NULL, checksum text NOT NULL, compiler text NOT NULL,
    semantics integer NOT NULL, source_hash text, created_ms bigint NOT NULL, warnings text NOT NULL, schedules text NOT NULL,
    settings text NOT NULL, source text NOT NULL, ir text NOT NULL, PRIMARY KEY (name, version)
  );
  `,
  // Versions that wait for a person (`service/programs/proposals/`), and who accepted those that are deployed.
  `
  ALTER TABLE weft.deployment_versions ADD COLUMN acceptance text;
  CREATE TABLE weft.proposals (
    id text COLLATE "C" PRIMARY KEY, name text COLLATE "C" NOT NULL, state text NOT NULL, base integer, deploy_source text NOT NULL,
    content text NOT NULL, checksum text NOT NULL, compiler text NOT NULL, semantics integer NOT NULL, source_hash text,
    created_ms bigint NOT NULL, expires_ms bigint NOT NULL, warnings text NOT NULL, schedules text NOT NULL, settings text NOT NULL,
    source text NOT NULL, ir text NOT NULL, facts text NOT NULL, review text NOT NULL, note text, proposer text NOT NULL, decision text,
    became integer
  );
  CREATE INDEX proposals_open ON weft.proposals (name, content) WHERE state = 'open';
  CREATE INDEX proposals_age ON weft.proposals (created_ms, id);
  `,
  // Who signed versions, and proposals of them (`service/programs/signing/`).
  `
  ALTER TABLE weft.deployment_versions ADD COLUMN attestation text;
  ALTER TABLE weft.proposals ADD COLUMN attestation text;
  `,
  // The version next to the current one, and outcomes of its last runs (`service/programs/channels/`).
  `
  ALTER TABLE weft.deployments ADD COLUMN next text;
  ALTER TABLE weft.deployments ADD COLUMN next_outcomes text NOT NULL DEFAULT '';
  `,
];

/** Needs the tables of the jobs. */
export const programMigrations: Migrations = { name: "programs", steps };

/** The lock that all replicas take to change deployments. */
export const DEPLOYMENTS_LOCK = 7_305_804_405;
