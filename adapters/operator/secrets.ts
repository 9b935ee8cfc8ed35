/**
 * Secrets of the operator: one file per secret, else variables of the environment. Their values go to adapters only; `scrubbed`
 * takes them out of texts that leave the process, as a second net.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { HostConfig } from "./host-config.ts";

const NAME = /^[A-Z][A-Z0-9_]*$/;
/** Shorter values would take common words out of logs. */
const SHORTEST_SCRUBBED = 4;
/** A line of a value with several, such as a key in PEM, tells enough by itself when it is this long. */
const SHORTEST_LINE = 16;

export type Secrets = {
  /** The value of a secret; undefined for an unknown name. */
  get(name: string): Promise<string | undefined>;
  /** `text` without the values that are known. */
  scrubbed(text: string): string;
};

export function createSecrets({ secretsDir, secrets }: Pick<HostConfig, "secretsDir" | "secrets">): Secrets {
  const known = new HiddenValues(secrets.values());
  return {
    async get(name) {
      if (!NAME.test(name)) return undefined;
      const value = (secretsDir === null ? undefined : await secretFile(join(secretsDir, name))) ?? secrets.get(name);
      // A replaced value stays known: runs that received it may still output it.
      if (value !== undefined) known.add(value);
      return value;
    },
    scrubbed: (text) => known.scrubbed(text),
  };
}

/** Values that are redacted in texts, in every encoding; those too short to be distinguished from words stay. */
export class HiddenValues {
  readonly #spellings = new Set<string>();
  readonly #instead: string;
  #longestFirst: readonly string[] | null = null;

  constructor(values: Iterable<string> = [], instead = "[secret]") {
    this.#instead = instead;
    for (const value of values) this.add(value);
  }

  add(value: string): void {
    for (const spelling of spellingsOf(value)) this.#spellings.add(spelling);
    this.#longestFirst = null;
  }

  scrubbed(text: string): string {
    // One value may begin like another, whose rest would stay.
    this.#longestFirst ??= [...this.#spellings].sort((a, b) => b.length - a.length);
    return this.#longestFirst.reduce((clean, spelling) => clean.replaceAll(spelling, this.#instead), text);
  }
}

/** A value as it is, and as JSON, an address, a login or a line of a log may hold it. */
function spellingsOf(value: string): readonly string[] {
  if (value.length < SHORTEST_SCRUBBED) return [];
  const bytes = Buffer.from(value);
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.toWellFormed()),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    ...value.split(/\r?\n/).filter((line) => line.length >= SHORTEST_LINE),
  ];
}

async function secretFile(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).replace(/\r?\n$/, "");
  } catch {
    return undefined;
  }
}
