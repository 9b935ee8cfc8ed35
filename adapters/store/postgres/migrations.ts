/**
 * The tables of memory, cache, queue, agent and the ledger. JSON is kept as `json`, not `jsonb`: values come back
 * exactly as they were stored, order of members, U+0000 and halves of surrogate pairs included. Names are ordered by
 * their UTF-8 bytes (COLLATE "C"). Times are whole milliseconds since 1970. To change a table, add a step; a released
 * one is never edited.
 */
import type { Migrations } from "./migrate.ts";

const LEDGER = `
CREATE TABLE weft.idempotency_calls(
  scope text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL, -- SHA-256 of the caller's
  args_hash text NOT NULL,
  result json, -- NULL: begun and not done
  expires_ms bigint NOT NULL,
  PRIMARY KEY(scope, key));
CREATE INDEX idempotency_calls_expires ON weft.idempotency_calls(expires_ms);
`;

/**
 * What lists filter by is taken out of the metadata: tags and source as hashes, which have a size that an index takes.
 */
const MEMORY = `
CREATE TABLE weft.memory_records(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace text COLLATE "C" NOT NULL, record_kind text COLLATE "C" NOT NULL, record_id text COLLATE "C" NOT NULL,
  created_ms bigint NOT NULL, updated_ms bigint NOT NULL, expires_ms bigint, ttl_seconds bigint,
  payload json NOT NULL, metadata json, version bigint NOT NULL,
  tags text[] NOT NULL, source text, valid_ms bigint, accessed_ms bigint,
  UNIQUE(namespace, record_kind, record_id));
CREATE INDEX memory_records_updated ON weft.memory_records(namespace, updated_ms);
CREATE INDEX memory_records_expires ON weft.memory_records(expires_ms) WHERE expires_ms IS NOT NULL;
CREATE INDEX memory_records_tags ON weft.memory_records USING gin(tags);
CREATE TABLE weft.memory_entries(
  record bigint NOT NULL REFERENCES weft.memory_records ON DELETE CASCADE,
  seq integer NOT NULL, at_ms bigint NOT NULL, entry json NOT NULL,
  PRIMARY KEY(record, seq));
`;

/**
 * A cache may be lost in a crash of the database, so it writes no log. Totals are kept by triggers, so that no write
 * has to count. Versions come from a sequence, which outlives a crash.
 */
const CACHE = `
CREATE SEQUENCE weft.cache_versions;
CREATE UNLOGGED TABLE weft.cache_entries(
  ns text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, value json NOT NULL, expires_ms bigint,
  size integer NOT NULL, used_ms bigint NOT NULL, version bigint NOT NULL,
  PRIMARY KEY(ns, key));
CREATE INDEX cache_entries_expires ON weft.cache_entries(expires_ms) WHERE expires_ms IS NOT NULL;
CREATE INDEX cache_entries_used ON weft.cache_entries(used_ms, version);
CREATE INDEX cache_entries_used_in ON weft.cache_entries(ns, used_ms, version);
CREATE UNLOGGED TABLE weft.cache_totals(
  ns text COLLATE "C" PRIMARY KEY, entries bigint NOT NULL, bytes bigint NOT NULL);

CREATE FUNCTION weft.cache_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO weft.cache_totals AS t SELECT ns, count(*), sum(size) FROM added GROUP BY ns
    ON CONFLICT (ns) DO UPDATE SET entries = t.entries + excluded.entries, bytes = t.bytes + excluded.bytes;
  RETURN NULL;
END $$;
CREATE FUNCTION weft.cache_changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE weft.cache_totals AS t SET bytes = t.bytes + grown.bytes
    FROM (SELECT ns, sum(size) AS bytes
      FROM (SELECT ns, size FROM after UNION ALL SELECT ns, -size FROM before) AS sizes GROUP BY ns) AS grown
    WHERE t.ns = grown.ns AND grown.bytes <> 0;
  RETURN NULL;
END $$;
CREATE FUNCTION weft.cache_removed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE weft.cache_totals AS t SET entries = t.entries - gone.entries, bytes = t.bytes - gone.bytes
    FROM (SELECT ns, count(*) AS entries, sum(size) AS bytes FROM removed GROUP BY ns) AS gone WHERE t.ns = gone.ns;
  DELETE FROM weft.cache_totals WHERE entries = 0 AND ns IN (SELECT ns FROM removed);
  RETURN NULL;
END $$;
CREATE TRIGGER cache_added AFTER INSERT ON weft.cache_entries
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION weft.cache_added();
CREATE TRIGGER cache_changed AFTER UPDATE ON weft.cache_entries
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION weft.cache_changed();
CREATE TRIGGER cache_removed AFTER DELETE ON weft.cache_entries
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION weft.cache_removed();
`;

/** Messages are found in the order in which they are delivered: priority, then time, then as they were put. */
const QUEUE = `
CREATE TABLE weft.queue_messages(
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id text COLLATE "C" NOT NULL UNIQUE,
  queue text COLLATE "C" NOT NULL, body json NOT NULL, priority integer NOT NULL,
  created_ms bigint NOT NULL, visible_ms bigint NOT NULL, expires_ms bigint,
  attempts integer NOT NULL, lease text COLLATE "C", lease_ms bigint);
CREATE INDEX queue_messages_order ON weft.queue_messages(queue, priority DESC, visible_ms, seq);
CREATE INDEX queue_messages_leased ON weft.queue_messages(queue, lease_ms) WHERE lease_ms IS NOT NULL;
CREATE INDEX queue_messages_expires ON weft.queue_messages(expires_ms) WHERE expires_ms IS NOT NULL;
CREATE TABLE weft.queue_keys(
  queue text COLLATE "C" NOT NULL, dedupe text COLLATE "C" NOT NULL, id text NOT NULL, expires_ms bigint NOT NULL,
  PRIMARY KEY(queue, dedupe));
CREATE INDEX queue_keys_expires ON weft.queue_keys(expires_ms);
`;

const AGENT = `
CREATE TABLE weft.agent_tasks(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  task_id text NOT NULL, envelope json NOT NULL, sent_at timestamptz NOT NULL DEFAULT clock_timestamp());
CREATE INDEX agent_tasks_task ON weft.agent_tasks(task_id);
CREATE TABLE weft.agent_results(
  task_id text PRIMARY KEY, body text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());
`;

export const adapterMigrations: Migrations = {
  name: "adapters",
  steps: [LEDGER + MEMORY + CACHE + QUEUE + AGENT],
};
