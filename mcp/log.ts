/**
 * The server's log: JSON lines on stderr, because stdout carries protocol only. Run events appear from level info on, with the fields and
 * the redaction that every surface shares; no line holds a frame, a result or an argument.
 */
import type { Json } from "../compiler/json.ts";
import type { Clock } from "../vm/run.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
type Fields = { readonly [name: string]: Json | undefined };

export interface McpLog {
  enabled(level: LogLevel): boolean;
  write(level: LogLevel, event: string, fields?: Fields): void;
}

export type LogOptions = {
  readonly level: LogLevel;
  readonly clock: Pick<Clock, "wall">;
  /** Takes one whole line. */
  readonly emit: (line: string) => void;
};

export function createLog({ level: least, clock, emit }: LogOptions): McpLog {
  const enabled = (level: LogLevel): boolean => LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least);
  return {
    enabled,
    write(level, event, fields = {}) {
      if (!enabled(level)) return;
      const ts = new Date(clock.wall()).toISOString();
      emit(`${JSON.stringify({ level, event, ts, schema_version: "1", ...fields })}\n`);
    },
  };
}
