import { createDocumentParsers } from "./content/document-parsers.ts";
import type { FunctionTools } from "./definition/function-tools.ts";
import type { HostPlaces, HostServices } from "./definition/host-services.ts";
import { createPostgresService } from "./engine/postgres/postgres.ts";
import { createProcessService } from "./engine/process/service.ts";
import { createSqliteService } from "./engine/sqlite/service.ts";
import { createWasmPool } from "./engine/wasm/pool.ts";
import { createHttpService, type HttpServiceOptions } from "./guard/http/service.ts";
import { openSharedDatabase } from "./store/postgres/database.ts";

export type ServicesOptions = {
  readonly places: HostPlaces;
  /** `postgres://…` of the database that replicas share; null or absent: none. */
  readonly databaseUrl?: string | null;
  /** Where a declared program gets the variables that its declaration names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly tools?: FunctionTools;
  /** Helper processes of SQLite at once; null or absent: as many as a quarter of the memory holds. */
  readonly maxSqliteProcesses?: number | null;
  /** What the operator says for all HTTP requests. */
  readonly http?: HttpServiceOptions;
};

/** Services with the way to end them. */
export type MadeServices = { readonly services: HostServices; close(): Promise<void> };

/** The services of one process. Nothing is started before it is first used. */
export function createServices(options: ServicesOptions): MadeServices {
  const { places, environment, tools, databaseUrl = null, maxSqliteProcesses } = options;
  const sqlite = once(() =>
    createSqliteService(maxSqliteProcesses == null ? {} : { maxProcesses: maxSqliteProcesses }),
  );
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
