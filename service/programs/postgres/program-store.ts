/** Deployments in PostgreSQL, shared by all replicas of a service. */
import type { PostgresDatabase } from "../../../adapters/engine/postgres/postgres.ts";
import type { Database } from "../../jobs/postgres/database.ts";
import { ProgramSignals } from "../signals.ts";
import type { ProgramStore } from "../store.ts";
import {
  changeProgram,
  deployProgram,
  PROGRAMS_CHANNEL,
  releasePrograms,
  removeProgram,
  rollbackProgram,
} from "./deployment-changes.ts";
import { currentProgram, findProgram, listPrograms, programVersion, programVersions } from "./deployment-reads.ts";

/** `shared`: hears of the changes of other replicas; while its connection is down they are missed, and then anything may have changed. */
export function postgresPrograms(database: Database, shared: PostgresDatabase, now: () => number): ProgramStore {
  const signals = new ProgramSignals();
  shared.listen(PROGRAMS_CHANNEL, (name) => signals.changed(name));
  /** This replica's own changes are known at once. */
  const told = async <T>(name: string, change: Promise<T>): Promise<T> => {
    try {
      return await change;
    } finally {
      signals.changed(name);
    }
  };
  return {
    deploy: (request) => told(request.version.name, deployProgram(database, request, now())),
    rollback: (request) => told(request.name, rollbackProgram(database, request, now())),
    change: (request) => told(request.name, changeProgram(database, request, now())),
    remove: (request) => told(request.name, removeProgram(database, request, now())),
    release: (kept) => releasePrograms(database, kept),
    find: (name) => findProgram(database, name),
    current: (name) => currentProgram(database, name),
    version: (name, version) => programVersion(database, name, version),
    versions: (listing) => programVersions(database, listing),
    list: (listing) => listPrograms(database, listing),
    onChanged: (listener) => signals.listen(listener),
  };
}
