import type { DocumentParsers } from "../content/document-parsers.ts";
import type { PostgresService } from "../engine/postgres/postgres.ts";
import type { ProcessService } from "../engine/process/service.ts";
import type { SqliteService } from "../engine/sqlite/sqlite.ts";
import type { WasmPool } from "../engine/wasm/pool.ts";
import type { ReservedPlace } from "../guard/files/reserved.ts";
import type { HttpService } from "../guard/http/http.ts";
import type { SharedDatabase } from "../store/postgres/database.ts";
import type { FunctionTools } from "./function-tools.ts";

/** Folders and files of the operator; null: not configured. Absolute paths. */
export type HostPlaces = {
  readonly stateDir: string | null;
  /** Bound of caller-chosen places, and the default root of fs. */
  readonly dataRoot: string | null;
  readonly agentRoot: string | null;
  readonly memoryDb: string | null;
  readonly cachePath: string | null;
  readonly summaryRoot: string | null;
  /** What belongs to the service or to one adapter, and is reached by nothing else. Absent: the user of this host is its operator. */
  readonly reserved?: readonly ReservedPlace[];
  /** Places of the operator's settings that callers may narrow, by `adapter.setting`. */
  readonly granted?: ReadonlyMap<string, string>;
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
