/** Where and with what the figures were measured: no figure is worth anything without it. */
import { readFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { join } from "node:path";

export type MachineFacts = {
  readonly date: string;
  readonly weft: string;
  readonly node: string;
  readonly v8: string;
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
  readonly memory_gb: number;
  /** Mean number of running processes of all users in the minute before. */
  readonly load_before: number;
};

export function machineFacts(root: string): MachineFacts {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  return {
    date: new Date().toISOString(),
    weft: version,
    node: process.versions.node,
    v8: process.versions.v8,
    system: `${process.platform} ${release()} ${process.arch}`,
    processor: cpus()[0]?.model ?? "unknown processor",
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    load_before: loadavg()[0] ?? 0,
  };
}
