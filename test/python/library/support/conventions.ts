/** Finds the convention of each native: the one whose rule gives all texts that CPython was recorded with. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { LIBRARY_ROWS } from "../../../../compiler/python/library/rows.ts";
import { bound, takenBy } from "../../../../vm/python/binding.ts";
import { faultBy, type Names } from "../../../../vm/python/call-faults.ts";
import type { Convention } from "../../../../vm/python/conventions.ts";
import type { Native } from "../../../../vm/python/object.ts";

/** `texts` by how the call was made: `2 a b` has two arguments by position, and those of the names `a` and `b`. */
type Recorded = { readonly module: string | null; readonly texts: { readonly [call: string]: string } };
export type Records = { readonly [name: string]: Recorded };

/** Asks CPython 3.11 (`wrong_calls.py`). */
export function recordCalls(): Records {
  const rows = [...LIBRARY_ROWS.values()].map(({ name, params, example }) => JSON.stringify({ name, params, example }));
  const script = fileURLToPath(new URL("wrong_calls.py", import.meta.url));
  const { stdout, stderr } = spawnSync("python3", [script], {
    input: rows.join("\n"),
    encoding: "utf8",
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
    maxBuffer: 2 ** 26,
  });
  if (stderr !== "") throw new Error(stderr);
  const lines = stdout.trim().split("\n");
  return Object.fromEntries(lines.map((line) => JSON.parse(line) as [string, Recorded]));
}

type Call = { readonly given: number; readonly names: readonly string[]; readonly text: string };

/** The recorded calls that the binding refuses as well. */
function callsOf(native: Native, { texts }: Recorded): readonly Call[] {
  const self = takenBy(native)[0]?.name === "self" ? 1 : 0;
  const calls = Object.entries(texts).map(([call, text]): Call => {
    const [count, ...names] = call.split(" ");
    return { given: Number(count) + self, names, text };
  });
  return calls.filter(({ given, names }) => {
    try {
      bound(native, new Array(given).fill(1), new Map(names.map((name) => [name, 1])));
      return false;
    } catch {
      return true;
    }
  });
}

const TAKES: readonly Convention["takes"][] = [
  "nothing",
  "one",
  "positions",
  "tuple",
  "names",
  "unnamed",
  "python",
  "class",
];
const CALLEES: readonly Convention["callee"][] = ["word", "owner", "module", "init"];

export type Found = {
  readonly origins: { readonly [module: string]: string };
  readonly called: { readonly [name: string]: string };
  readonly conventions: { readonly [name: string]: Convention };
  /** Natives that follow no rule. */
  readonly unknown: readonly string[];
};

export function conventionsOf(records: Records): Found {
  const origins: { [module: string]: string } = {};
  for (const [name, { module }] of Object.entries(records))
    if (module?.startsWith("_") === true) origins[name.split(".").at(-2) ?? ""] = module;
  const called: { [name: string]: string } = {};
  const conventions: { [name: string]: Convention } = {};
  const unknown: string[] = [];
  for (const [name, record] of Object.entries(records)) {
    const native: Native = { name, run: () => null, isStatic: false, signature: null };
    const calls = callsOf(native, record);
    if (calls.length === 0) continue;
    const found = conventionOf(native, calls, origins);
    if (found === null) unknown.push(name);
    else {
      conventions[name] = found.convention;
      if (found.word !== lastWord(name)) called[name] = found.word;
    }
  }
  return { origins, called, conventions, unknown };
}

function conventionOf(
  native: Native,
  calls: readonly Call[],
  origins: Names["origins"],
): { convention: Convention; word: string } | null {
  const { name } = native;
  const params = takenBy(native);
  for (const word of new Set([
    lastWord(name),
    ...calls.map(({ text }) => /^([\w.]*)(?:\(\)| expected)/.exec(text)?.[1]),
  ])) {
    if (word === undefined) continue;
    for (const takes of TAKES)
      for (const callee of CALLEES) {
        const convention = { takes, callee };
        const fits = ({ given, names, text }: Call): boolean =>
          faultBy(convention, { name, word, origins }, params, given, names) === text;
        if (calls.every(fits)) return { convention, word };
      }
  }
  return null;
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

const WIDTH = 140;

/** The source of `vm/python/conventions.ts` after its types. */
export function writtenConventions({ origins, called, conventions }: Found): string {
  const groups = new Map<string, string[]>();
  for (const [name, { takes, callee }] of Object.entries(conventions)) {
    const key = `{ takes: "${takes}", callee: "${callee}" }`;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  const tables = [...groups].map(([key, names]) => `  [\n    ${key},\n    \`${wrapped(names)}\`,\n  ],\n`);
  return [
    "/** Modules in C that natives say they are from. */",
    `export const ORIGINS: { readonly [module: string]: string } = {\n${entries(origins)}};\n`,
    "/** Natives whose texts name them differently. */",
    `export const CALLED: { readonly [name: string]: string } = {\n${entries(called)}};\n`,
    `export const CONVENTIONS: readonly (readonly [Convention, string])[] = [\n${tables.join("")}];\n`,
  ]
    .join("\n")
    .replaceAll(" */\n\n", " */\n");
}

function entries(table: { readonly [key: string]: string }): string {
  return Object.entries(table)
    .map(([key, word]) => `  ${/^\w+$/.test(key) ? key : JSON.stringify(key)}: ${JSON.stringify(word)},\n`)
    .join("");
}

function wrapped(names: readonly string[]): string {
  const lines = [""];
  for (const name of names) {
    const line = lines.at(-1) as string;
    if (line.length + name.length > WIDTH) lines.push(name);
    else lines[lines.length - 1] = line === "" ? name : `${line} ${name}`;
  }
  return lines.join("\n");
}
