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

export type Secrets = {
  /** The text of a secret; undefined when there is none of that name. */
  get(name: string): Promise<string | undefined>;
  /** `text` without the values that are known. */
  scrubbed(text: string): string;
};

export function createSecrets({ secretsDir, secrets }: Pick<HostConfig, "secretsDir" | "secrets">): Secrets {
  const known = new Map(secrets);
  return {
    async get(name) {
      if (!NAME.test(name)) return undefined;
      const value = (secretsDir === null ? undefined : await secretFile(join(secretsDir, name))) ?? secrets.get(name);
      if (value !== undefined) known.set(name, value);
      return value;
    },
    scrubbed: (text) => scrubbedOf(text, known.values()),
  };
}

/** `text` without these values; those too short to be told from words stay. */
export function scrubbedOf(text: string, values: Iterable<string>): string {
  let clean = text;
  // Longest first: one secret may begin like another, whose rest would stay.
  const longestFirst = [...values].sort((a, b) => b.length - a.length);
  for (const value of longestFirst) if (value.length >= SHORTEST_SCRUBBED) clean = clean.replaceAll(value, "[secret]");
  return clean;
}

async function secretFile(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).replace(/\r?\n$/, "");
  } catch {
    return undefined;
  }
}
