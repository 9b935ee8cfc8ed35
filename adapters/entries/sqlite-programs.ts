/**
 * The programs of database files by name, one line each. Loaded in the helper process only: what is imported here ends in its bundle.
 */
import { documentsProgram } from "../builtin/db/documents/documents-program.ts";
import { tablesProgram } from "../builtin/db/tables-program.ts";
import { sqlProgram } from "../builtin/sqlite/program.ts";
import { videomonProgram } from "../builtin/videomon/program.ts";
import type { SqliteProgram } from "../engine/sqlite/sqlite.ts";
import { cacheProgram } from "../store/sqlite/cache-program.ts";
import { ledgerProgram } from "../store/sqlite/ledger-program.ts";
import { memoryProgram } from "../store/sqlite/memory-program.ts";
import { queueProgram } from "../store/sqlite/queue-program.ts";

export const PROGRAMS: ReadonlyMap<string, SqliteProgram> = new Map<string, SqliteProgram>([
  ["sql", sqlProgram],
  ["cache", cacheProgram],
  ["ledger", ledgerProgram],
  ["memory", memoryProgram],
  ["queue", queueProgram],
  ["tables", tablesProgram],
  ["documents", documentsProgram],
  ["videomon", videomonProgram],
]);
