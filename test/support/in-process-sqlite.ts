/**
 * The SQLite service without helper processes: the same connections and errors in this process, for tests of what runs inside them.
 * What goes in and out is JSON text, as over the channel. Deadlines and transactions need the real service.
 */

import { SqliteConnection } from "../../adapters/engine/sqlite/connection.ts";
import { databaseError } from "../../adapters/engine/sqlite/errors.ts";
import type { RequestLimits, SqliteDatabase, SqlitePlace, SqliteService } from "../../adapters/engine/sqlite/sqlite.ts";
import { PROGRAMS } from "../../adapters/entries/sqlite-programs.ts";
import type { Json } from "../../compiler/json.ts";

export function inProcessSqlite(): SqliteService {
  const opened: SqliteConnection[] = [];
  return {
    open(place) {
      const connection = connectionTo(place);
      opened.push(connection);
      return databaseOver(connection);
    },
    async close() {
      for (const connection of opened.splice(0)) connection.close();
    },
  };
}

function connectionTo(place: SqlitePlace): SqliteConnection {
  const program = PROGRAMS.get(place.program);
  if (program === undefined) throw new Error(`no program ${place.program}`);
  return new SqliteConnection(place, program);
}

function databaseOver(connection: SqliteConnection): SqliteDatabase {
  const unsupported = async (): Promise<never> => {
    throw new Error("transactions need the real service");
  };
  return {
    async call(operation: string, input: Json, { timeoutMs }: RequestLimits) {
      try {
        const result = connection.perform(
          { kind: "call", operation, input: copied(input) },
          Math.ceil(Math.min(timeoutMs, 10_000)),
        );
        return copied(result);
      } catch (thrown) {
        throw databaseError(thrown);
      }
    },
    begin: unsupported,
    commit: unsupported,
    rollback: unsupported,
    inTransaction: false,
    async close() {
      connection.close();
    },
  };
}

function copied(value: Json): Json {
  return JSON.parse(JSON.stringify(value));
}
