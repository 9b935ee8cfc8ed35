/** The few forms of PRAGMA that only read. Everything else about PRAGMA is refused by its word. */
import type { Database } from "better-sqlite3";
import { blocked, foldedName, rejected } from "./rules.ts";

const FORM = /^pragma\s+(?:main\s*\.\s*)?([a-z_]+)\s*(?:\(\s*([A-Za-z_]\w*|"[^"]*"|'[^']*')\s*\))?\s*;?\s*$/i;
const OF_TABLES = new Set(["table_info", "table_xinfo", "index_list", "foreign_key_list"]);
const READ_FORMS = new Set([...OF_TABLES, "index_info", "table_list", "user_version"]);

/** Throws when the PRAGMA is not one of the read forms, or names a table that is not allowed. */
export function admitPragma(db: Database, text: string, allowed: readonly string[] | null): void {
  const [, name = "", quoted] = FORM.exec(text) ?? [];
  const pragma = foldedName(name);
  if (quoted === undefined) {
    if (pragma === "user_version" || (pragma === "table_list" && allowed === null)) return;
    throw rejected("this PRAGMA is refused");
  }
  const subject = foldedName(quoted.replace(/^["']|["']$/g, ""));
  if (OF_TABLES.has(pragma)) {
    admitTable(subject, allowed);
    return;
  }
  if (pragma !== "index_info") throw rejected("this PRAGMA is refused");
  const table = db.prepare("SELECT tbl_name FROM sqlite_schema WHERE type = 'index' AND name = ? COLLATE NOCASE");
  const found = table.pluck().get(subject);
  if (typeof found === "string") admitTable(foldedName(found), allowed);
}

/** Throws when `text`, in lower case, names the table of a PRAGMA other than the read forms, because those expose files of the host. */
export function admitPragmaTables(text: string): void {
  for (const [, name = ""] of text.matchAll(/(?<!\w)pragma_(\w+)/g)) {
    if (!READ_FORMS.has(name)) throw rejected("this PRAGMA is refused");
  }
}

function admitTable(table: string, allowed: readonly string[] | null): void {
  if (allowed !== null && !allowed.includes(table)) throw blocked();
}
