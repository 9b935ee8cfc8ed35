/** From the settings to the store of one run: where the entities are kept is decided here, and nowhere else. */
import type { OpenCall } from "../define.ts";
import type { PostgresService } from "../engine/postgres.ts";
import type { SqliteDatabase } from "../engine/sqlite.ts";
import { adapterError } from "../errors.ts";
import { postgresDialect, sqliteDialect } from "./dialects.ts";
import { DocumentStore } from "./documents.ts";
import { PostgresExecutor } from "./postgres-executor.ts";
import { loadQueries } from "./queries.ts";
import { checkPlace, type Settings } from "./settings.ts";
import { SqliteExecutor } from "./sqlite-executor.ts";
import type { EntityStore } from "./store.ts";
import { TableStore } from "./tables.ts";
