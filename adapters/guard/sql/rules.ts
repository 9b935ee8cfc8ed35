/** The rules that admission of SQL goes by, and how names compare. */
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";

export type SqlRules = {
  /** Lower case; null: all. */
  readonly allow_tables: readonly string[] | null;
  readonly allow_ddl: boolean;
  readonly allow_virtual: boolean;
  readonly trust_triggers: boolean;
};

/** As SQLite compares names: ASCII letters without regard to case. */
export function foldedName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function rejected(message: string): AdapterError {
  return adapterError("ADAPTER_SQL_REJECTED", message);
}
export function blocked(): AdapterError {
  return adapterError("ADAPTER_TABLE_BLOCKED", "the statement touches a table that is not allowed");
}
