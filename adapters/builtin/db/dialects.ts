/**
 * How the two databases write the values of columns: from the form of `values.ts` to a parameter of a statement and back from a row.
 * What does not fit its declared type on the way back is ADAPTER_BAD_DATA.
 */

import type { Json } from "../../../compiler/json.ts";
import { exactJson, readExactly } from "../../../vm/inputs/exact-text.ts";
import { adapterError } from "../../errors.ts";
import { base64Of, type ColumnType, columnValue, utcTime } from "./values.ts";

export type Dialect = {
  readonly name: "sqlite" | "postgres";
  /** `value` is in the form of its type and not null; undefined: this database cannot keep it. */
  write(type: ColumnType, value: Json): Json | undefined;
  /** `raw` is not NULL; undefined: it is not of this type. */
  read(type: ColumnType, raw: Json): Json | undefined;
};

/** Rows come as numbers, decimal text for whole numbers no double holds, text, and bytes as `{"$base64"}`. */
export const sqliteDialect: Dialect = {
  name: "sqlite",
  write(type, value) {
    switch (type) {
      case "integer":
        return typeof value === "string" ? { $integer: value } : value;
      case "number":
        // SQLite would round what no double holds.
        return typeof value === "number" ? value : undefined;
      case "boolean":
        return value === true ? 1 : 0;
      case "json":
        return exactJson(value);
      case "timestamp":
        // The form that its own functions give, so that texts compare like times.
        return `${String(value).slice(0, "2000-01-01T00:00:00.000".length)}Z`;
      default:
        return value;
    }
  },
  read(type, raw) {
    switch (type) {
      case "boolean":
        return raw === 0 ? false : raw === 1 ? true : undefined;
      case "json":
        return parsed(raw);
      case "timestamp":
        return typeof raw === "string" ? utcTime(raw) : undefined;
      default:
        return columnValue(type, raw);
    }
  },
};

/** Parameters and rows are PostgreSQL's own text. */
export const postgresDialect: Dialect = {
  name: "postgres",
  write(type, value) {
    switch (type) {
      case "json":
        return exactJson(value);
      case "bytes":
        return `\\x${Buffer.from(base64Of(value) ?? "", "base64").toString("hex")}`;
      default:
        return String(value);
    }
  },
  read(type, raw) {
    if (typeof raw !== "string") return undefined;
    switch (type) {
      case "number":
        // JSON has neither of them.
        return /^(NaN|-?Infinity)$/.test(raw) ? null : columnValue(type, raw);
      case "boolean":
        return raw === "t" ? true : raw === "f" ? false : undefined;
      case "json":
        return parsed(raw);
      case "timestamp":
        return utcTime(raw);
      case "bytes":
        return raw.startsWith("\\x") ? { $base64: Buffer.from(raw.slice(2), "hex").toString("base64") } : undefined;
      default:
        return columnValue(type, raw);
    }
  },
};

function parsed(raw: Json): Json | undefined {
  try {
    return typeof raw === "string" ? readExactly(raw) : undefined;
  } catch {
    return undefined;
  }
}

/** A value of a row as programs see it. */
export function fromColumn(dialect: Dialect, column: string, type: ColumnType, raw: Json | undefined): Json {
  if (raw === null || raw === undefined) return null;
  const value = dialect.read(type, raw);
  if (value !== undefined) return value;
  const message = "a value in the database is not of its column's type";
  throw adapterError("ADAPTER_BAD_DATA", message, { data: { column, type } });
}
