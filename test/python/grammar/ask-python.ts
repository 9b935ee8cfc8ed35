/** The sources that the parser is tried on, and what CPython makes of them: recorded, or asked for. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parsePython } from "../../../grammar/python/parse.ts";
import { readCases } from "../support/case-files.ts";
import { dumpTree } from "./dump.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const CASES = join(HERE, "../cases");
const SEPARATOR = "\n---\n";

type Recorded = {
  /** Hashes of trees by those of their sources: a difference is seen without CPython, and shown where CPython is. */
  readonly trees: { readonly [source: string]: string | null };
  readonly accepted: { readonly [source: string]: boolean };
};

export const RECORDED = JSON.parse(readFileSync(join(HERE, "recorded.json"), "utf8")) as Recorded;

function sourcesIn(name: string): readonly string[] {
  return readFileSync(join(HERE, name), "utf8").split(SEPARATOR);
}

/** Small sources that use the whole grammar of CPython 3.11 between them. */
export const CONSTRUCTS = sourcesIn("constructs.txt");
/** Sources of a few lines, each at an edge of what CPython accepts. */
export const PROBES = sourcesIn("probes.txt");
/** The programs of the case files. */
export const PROGRAMS = ["corpus", "traps", "constructs", "effects"].flatMap((name) =>
  readCases(CASES, name).map(({ source }) => source),
);

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** What `oracle.py` answers; `python` is the command of CPython 3.11. */
export function askPython<T>(python: string, asked: { readonly [what: string]: readonly string[] }): readonly T[] {
  const input = JSON.stringify(asked);
  const done = spawnSync(python, [join(HERE, "oracle.py")], { input, encoding: "utf8", maxBuffer: 2 ** 30 });
  if (done.status !== 0) throw new Error(`oracle.py failed: ${done.stderr}`);
  return JSON.parse(done.stdout) as readonly T[];
}

/** What CPython accepts and the parser refuses on purpose, or for its own bounds. */
export const OWN_REFUSALS: ReadonlySet<string> = new Set(["except_star", "escape_surrogate", "escape_by_name"]);

/** The tree as a text; otherwise the fault. */
export function read(source: string): { readonly tree: string | null; readonly fault: string | null } {
  const { module, faults } = parsePython(source);
  return { tree: module === null ? null : dumpTree(module), fault: faults[0]?.fault ?? null };
}

/** One line for a source that is not read as CPython reads it, else null. */
export function differenceOf(source: string, expected: string | null): string | null {
  const { tree, fault } = read(source);
  if (tree === expected || (fault !== null && OWN_REFUSALS.has(fault))) return null;
  const shown = JSON.stringify(source.length > 300 ? `${source.slice(0, 300)}…` : source);
  if (tree === null) return `refused (${fault}): ${shown}`;
  if (expected === null) return `accepted: ${shown}`;
  let at = 0;
  while (tree[at] === expected[at]) at++;
  return `${shown}: …${tree.slice(at - 30, at + 50)} instead of …${expected.slice(at - 30, at + 50)}`;
}
