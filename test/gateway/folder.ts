/** A folder of files for a test of what the operator configures, and the configuration of given variables. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type HostConfig, readHostConfig, type Variables } from "../../adapters/operator/host-config.ts";

export type Folder = {
  readonly path: string;
  /** Writes a file, JSON unless it is text; its path. */
  file(name: string, content: unknown): string;
};

/** Gone after the test. */
export function folder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "weft-operator-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    file(name, content) {
      const file = join(path, name);
      writeFileSync(
        file,
        typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content),
      );
      return file;
    },
  };
}

/** The configuration of variables that must be valid. */
export function configOf(variables: Variables): HostConfig {
  const read = readHostConfig(variables);
  if (!read.ok) throw new Error(`${read.variable} ${read.message}`);
  return read.config;
}
