/** What a plugin process says to the operator: log messages and lines on stderr, without secrets, bounded in size and number. */
import type { Readable } from "node:stream";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import type { AdapterLog } from "../../definition/effect.ts";
import type { Timers } from "../../engine/timers.ts";
import { LOG_LEVELS } from "../../operator/host-config.ts";

const MAX_TEXT = 1000;
/** How much of an unfinished line is buffered: more than is logged, so that a secret at the cut is complete when output is redacted. */
const MAX_LINE = 8 * MAX_TEXT;
const MAX_FIELDS = 20;
/** Maximum number of lines per period; further ones are only counted. */
const MAX_LINES = 100;
const WINDOW_MS = 10_000;

type Fields = { readonly [name: string]: string | number | boolean | null };

export class PluginOutput {
  readonly #origin: string;
  readonly #log: AdapterLog;
  readonly #timers: Timers;
  readonly #scrubbed: (text: string) => string;
  #lines = 0;
  #dropped = 0;
  #windowEnd = 0;

  constructor(origin: string, log: AdapterLog, timers: Timers, scrubbed: (text: string) => string) {
    this.#origin = origin;
    this.#log = log;
    this.#timers = timers;
    this.#scrubbed = scrubbed;
  }

  /** A `log` message: `{level, event, fields}`. */
  log({ level, event, fields }: JsonObject): void {
    this.#say("plugin_log", {
      level: LOG_LEVELS.find((known) => known === level) ?? "info",
      said: this.#text(event ?? null),
      ...this.#plain(fields ?? null),
    });
  }

  /** A line of the program's own. */
  note(event: string, fields: Fields): void {
    this.#log(event, { plugin: this.#origin, ...fields });
  }

  readStderr(stream: Readable): void {
    let rest = "";
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      const lines = `${rest}${text}`.split("\n");
      rest = (lines.pop() ?? "").slice(0, MAX_LINE);
      for (const line of lines) this.#stderr(line);
    });
    stream.once("end", () => this.#stderr(rest));
  }

  #stderr(line: string): void {
    if (line.trim() !== "") this.#say("plugin_stderr", { text: this.#text(line) });
  }

  #say(event: string, fields: Fields): void {
    const now = this.#timers.now();
    if (now >= this.#windowEnd) {
      if (this.#dropped > 0) this.note("plugin_output_dropped", { lines: this.#dropped });
      this.#lines = 0;
      this.#dropped = 0;
      this.#windowEnd = now + WINDOW_MS;
    }
    this.#lines += 1;
    if (this.#lines > MAX_LINES) this.#dropped += 1;
    else this.note(event, fields);
  }

  /** Plain fields; structured values become JSON strings. The plugin's own names get the prefix `field_`. */
  #plain(fields: Json): Fields {
    if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return {};
    const shown = Object.entries(fields as JsonObject).slice(0, MAX_FIELDS);
    return Object.fromEntries(
      shown.map(([name, value]) => [
        `field_${this.#scrubbed(name).slice(0, 60)}`,
        typeof value === "number" || typeof value === "boolean" || value === null ? value : this.#text(value),
      ]),
    );
  }

  #text(value: Json): string {
    return this.#scrubbed(typeof value === "string" ? value : JSON.stringify(value)).slice(0, MAX_TEXT);
  }
}
