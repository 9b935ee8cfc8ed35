/**
 * The logger of every surface: pino, one JSON object a line, with the level as a word and without process id and host name.
 * An event has the members `level`, `event`, `ts`, and then its own in the order in which they are given; `undefined` members are left out.
 */
import { type Logger, pino } from "pino";
import { LOG_LEVELS, type LogLevel } from "../operator/host-config.ts";

export type LoggerOptions = {
  /** The least level that is written. */
  readonly level: LogLevel;
  /** Takes one whole line. */
  readonly write: (line: string) => void;
  /** Takes secrets out of the member `message`. */
  readonly redact?: (text: string) => string;
  /** Turns a line of JSON into the one that is written. */
  readonly format?: (line: string) => string;
};

export function createLogger({ level, write, redact, format = onOneLine }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: false,
      messageKey: "message",
      formatters: { level: (label) => ({ level: label }) },
      ...(redact === undefined ? {} : { redact: { paths: ["message"], censor: (value) => redact(String(value)) } }),
      hooks: { streamWrite: format },
    },
    { write },
  );
}

/** Characters that JSON leaves as they are, though some readers end a line at them and terminals obey others. */
const UNSAFE = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

function onOneLine(json: string): string {
  return json.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const OWN_MEMBERS: readonly string[] = ["level", "event", "ts", "schema_version"];

/** The level of a line of an adapter or a plugin, which may name its own. */
export function levelIn(fields: { readonly [name: string]: unknown }, otherwise: LogLevel): LogLevel {
  return LOG_LEVELS.find((level) => level === fields["level"]) ?? otherwise;
}

/** Fields that an adapter or a plugin gives, without those that would stand in for the line's own members. */
export function foreignFields<T>(fields: { readonly [name: string]: T }): { readonly [name: string]: T } {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !OWN_MEMBERS.includes(name)));
}
