/**
 * The guarded services of the host that adapters share: databases and modules in helper processes, connection pools, and the places
 * that the operator configured. A surface makes them once; runs of all callers use them side by side. An adapter names
 * what it needs in its definition.
 */
import { createDocumentParsers, type DocumentParsers } from "./engine/document-parsers.ts";
import { createHttpService, type HttpServiceOptions } from "./engine/http-service.ts";
import { createPostgresService, type PostgresService } from "./engine/postgres.ts";
import { createProcessService, type ProcessService } from "./engine/process-service.ts";
import type { SqliteService } from "./engine/sqlite.ts";
import { createSqliteService } from "./engine/sqlite-service.ts";
import { createWasmPool, type WasmPool } from "./engine/worker-pool.ts";
import type { HttpService } from "./guard/http.ts";
import { openSharedDatabase, type SharedDatabase } from "./store/postgres/database.ts";
import type { FunctionTools } from "./tools/function-tool.ts";

/** Folders and files of the operator; null: not configured. Absolute paths. */
export type HostPlaces = {
  readonly stateDir: string | null;
  /** Bound of caller-chosen places, and the default root of fs. */
  readonly dataRoot: string | null;
  readonly agentRoot: string | null;
  readonly memoryDb: string | null;
  readonly cachePath: string | null;
  readonly summaryRoot: string | null;
};

/** The services of one host; an adapter may use those that its definition needs. */
export type HostServices = {
  readonly places: HostPlaces;
  readonly sqlite: SqliteService;
  readonly wasm: WasmPool;
  readonly parsers: DocumentParsers;
  readonly postgres: PostgresService;
  readonly processes: ProcessService;
  /** Holds the stores of all replicas of this service. Absent: they lie in files of this one. */
  readonly sharedDatabase?: SharedDatabase;
  /** Absent: this host has no guarded HTTP client. */
  readonly http?: HttpService;
  /** Functions that an embedding host offers as tools. */
  readonly tools?: FunctionTools;
};
export type ServiceName = "http" | "files" | "sqlite" | "store" | "process" | "workers";

export type ServicesOptions = {
  readonly places: HostPlaces;
  /** `postgres://…` of the database that replicas share; null or absent: none. */
  readonly databaseUrl?: string | null;
  /** Where a declared program gets the variables that its declaration names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly tools?: FunctionTools;
  /** What the operator says for all HTTP requests. */
  readonly http?: HttpServiceOptions;
};

/** Services with the way to end them. */
export type MadeServices = { readonly services: HostServices; close(): Promise<void> };

/** The services of one process. Nothing is started before it is first used. */
export function createServices(options: ServicesOptions): MadeServices {
  const { places, environment, tools, databaseUrl = null } = options;
  const sqlite = once(() => createSqliteService());
  const wasm = once(() => createWasmPool());
  const parsers = once(() => createDocumentParsers());
  const postgres = once(() => createPostgresService());
  const processes = once(() => createProcessService({ environment }));
  const http = once(() => createHttpService(options.http));
  return {
    services: {
      places,
      get sqlite() {
        return sqlite.get();
      },
      get wasm() {
        return wasm.get();
      },
      get parsers() {
        return parsers.get();
      },
      get postgres() {
        return postgres.get();
      },
      get processes() {
        return processes.get();
      },
      get http() {
        return http.get();
      },
      ...(tools === undefined ? {} : { tools }),
      ...(databaseUrl === null ? {} : { sharedDatabase: openSharedDatabase(() => postgres.get(), databaseUrl) }),
    },
    async close() {
      const closing = [sqlite, wasm, parsers, postgres, http].map((one) => one.made()?.close());
      await Promise.allSettled(closing);
    },
  };
}

function once<T>(make: () => T): { get(): T; made(): T | undefined } {
  let made: T | undefined;
  return {
    get() {
      made ??= make();
      return made;
    },
    made: () => made,
  };
}
