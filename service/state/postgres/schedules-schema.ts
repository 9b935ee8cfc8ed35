/** Tables of schedules in PostgreSQL: steps of their own, counted as those of the jobs are. */
import type { Migrations } from "../../../adapters/store/postgres/migrate.ts";

const steps: readonly string[] = [
  `
  CREATE TABLE weft.schedules (
    id text COLLATE "C" PRIMARY KEY, program text COLLATE "C" NOT NULL, version integer NOT NULL, spec text NOT NULL,
    enabled boolean NOT NULL, paused boolean NOT NULL, paused_because text, next_due_ms bigint, next_at_ms bigint,
    base_ms bigint NOT NULL, waiting_ms bigint, revision integer NOT NULL, computed boolean NOT NULL DEFAULT false
  );
  CREATE INDEX schedules_next ON weft.schedules (next_at_ms) WHERE next_at_ms IS NOT NULL;
  CREATE INDEX schedules_program ON weft.schedules (program);
  CREATE TABLE weft.fires (
    schedule text COLLATE "C" NOT NULL, due_ms bigint NOT NULL, outcome text NOT NULL, job_id text, at_ms bigint NOT NULL, error text,
    PRIMARY KEY (schedule, due_ms)
  );
  `,
];

/** Held by a replica that sets the alarm. */
export const ALARM_LOCK = 7_305_804_406;

export const scheduleMigrations: Migrations = { name: "schedules", steps };
