/** Reads `test/python/cases`: programs in NAME.py (oracle/record.py says in which form), what CPython made of them in NAME.json. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One call of an adapter: `sqlite.query`, and its arguments. */
type ScriptedCall = readonly [call: string, args: readonly unknown[]];
/** A call with what the adapter answers. */
export type ScriptedAnswer = readonly [
  call: string,
  args: readonly unknown[],
  outcome: { readonly answer: unknown } | { readonly error: ScriptedError },
];
type ScriptedError = {
  readonly code: string;
  readonly message: string;
  readonly status?: number | null;
  readonly details?: Readonly<Record<string, unknown>> | null;
  readonly retryable?: boolean;
};

/** What CPython made of one run. Exactly one of `value`, `raises` and `inexact` is there. */
export type Recorded = {
  /** The JSON text of the value. */
  readonly value?: string;
  /** The class of the exception. */
  readonly raises?: string;
  readonly message?: string;
  /** Why the value has no exact JSON text. */
  readonly inexact?: string;
  readonly prints?: string;
  /** Of an AdapterError. */
  readonly code?: string;
  readonly calls?: readonly ScriptedCall[];
  /** The order of the calls is not defined. */
  readonly unordered?: boolean;
};

export type CaseRun = {
  /** The inputs as a JSON text. */
  readonly frame: string;
  readonly script: readonly ScriptedAnswer[] | null;
  readonly recorded: Recorded;
};

/** Weft must refuse the program at one of these lines, or fail with the class as CPython does. */
export type Refusal = { readonly lines: readonly number[]; readonly orRaises: string | null };

export type Case = {
  readonly id: string;
  readonly kind: string;
  readonly source: string;
  /** Files that it imports, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly refusal: Refusal | null;
  readonly runs: readonly CaseRun[];
};

type CaseSource = Omit<Case, "runs"> & { readonly frames: readonly string[] };

function parsedCases(text: string): CaseSource[] {
  const cases: { head: string; frames: string[]; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const last = cases.at(-1);
    if (line.startsWith("#: ")) cases.push({ head: line.slice(3), frames: [], lines: [] });
    else if (last === undefined) continue;
    else if (line.startsWith("#> ") && last.lines.length === 0) last.frames.push(line.slice(3));
    else last.lines.push(line);
  }
  return cases.map(({ head, frames, lines }) => {
    const [id = "", kind = "", refused] = head.split(" | ").map((part) => part.trim());
    return {
      id,
      kind,
      ...filesOf(lines),
      refusal: refused === undefined ? null : refusalOf(refused),
      frames: frames.length === 0 ? ["{}"] : frames,
    };
  });
}

/** A line `#= lib/mail.py` begins a file that the program imports. */
function filesOf(lines: readonly string[]): Pick<Case, "source" | "files"> {
  const parts = new Map<string, string[]>([["", []]]);
  let part = parts.get("") as string[];
  for (const line of lines) {
    if (line.startsWith("#= ")) {
      part = [];
      parts.set(line.slice(3).trim(), part);
    } else part.push(line);
  }
  const texts = [...parts].map(([path, some]) => [path, `${some.join("\n").replace(/\n+$/, "")}\n`] as const);
  const { "": source = "", ...files } = Object.fromEntries(texts);
  return { source, files };
}

/** `refused 3,4 AttributeError` */
function refusalOf(words: string): Refusal {
  const [, lines = "", orRaises = null] = words.split(" ");
  return { lines: lines.split(",").map(Number), orRaises };
}

/** The names of all case files. */
export function caseFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".py"))
    .map((name) => name.slice(0, -3))
    .sort();
}

export function readCases(folder: string, name: string): Case[] {
  const sources = parsedCases(readFileSync(join(folder, `${name}.py`), "utf8"));
  const recorded = readJson<Record<string, Recorded[]>>(join(folder, `${name}.json`)) ?? {};
  const scripts = readJson<Record<string, ScriptedAnswer[][]>>(join(folder, `${name}.answers.json`)) ?? {};
  return sources.map(({ frames, ...rest }) => ({
    ...rest,
    runs: frames.map((frame, index) => {
      const run = recorded[rest.id]?.[index];
      if (run === undefined) throw new Error(`${name}: ${rest.id} is not recorded; run oracle/record.py ${name}`);
      return { frame, script: scripts[rest.id]?.[index] ?? null, recorded: run };
    }),
  }));
}

function readJson<Content>(path: string): Content | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Content) : null;
}
