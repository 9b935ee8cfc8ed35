/**
 * Brings a command line into one plain form before clipanion sees it: command, flags with their values, operands. So values may start
 * with a dash, an unknown word is reported with the nearest known one, and flags
 * may come in any place. This module knows commands only as lists of flags.
 */
import { nearest } from "../../compiler/diagnostics.ts";
import { CliFault, usageFault } from "../session/faults.ts";

export type FlagSpec = {
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly description: string;
  /** The command accepts the flag and ignores it. */
  readonly idle: boolean;
};
/** One of the things that a command such as `wf queue` does, named by its first operand. */
export type CommandAction = {
  /** The operands after the name, as the usage line shows them. */
  readonly operands: string;
  readonly summary: string;
  /** Flags of the command that have no effect on this action. */
  readonly idleFlags?: readonly string[];
};
export type CommandSpec = {
  /** First name and aliases. */
  readonly names: readonly string[];
  readonly usageLine: string;
  readonly flags: readonly FlagSpec[];
  /** By name; null for a command that does one thing. */
  readonly actions: Readonly<Record<string, CommandAction>> | null;
  /** Paragraphs of the help page. */
  readonly notes: readonly string[];
  /** Pages of the documentation about its subject, as paths in docs/. */
  readonly pages: readonly string[];
};

export type ParsedArgv =
  | { readonly kind: "overview" }
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly command: CommandSpec; readonly action: string | null }
  | { readonly kind: "command"; readonly command: CommandSpec; readonly words: PlainWords };

/** A command line in one form: flags by their long names, in written order. */
export type PlainWords = {
  readonly command: string;
  readonly flags: readonly PlainFlag[];
  readonly operands: readonly string[];
};
/** `value` true: a flag without a value. `typed`: the name that the user wrote, when it is not the long name. */
type PlainFlag = { readonly name: string; readonly value: string | true; readonly typed?: string };

/** Looks for `--json` before parsing, because it decides how even a usage error is printed. */
export function wantsJson(argv: readonly string[]): boolean {
  for (const [index, word] of argv.entries()) {
    if (word === "--") return false;
    if (word === "--json" || word === "--format=json") return true;
    if (word === "json" && argv[index - 1] === "--format") return true;
  }
  return false;
}

export function parseArgv(argv: readonly string[], commands: readonly CommandSpec[]): ParsedArgv {
  const at = commandIndex(argv, commands);
  const flagsOnly = at === -1 ? argv : argv.slice(0, at);
  if (flagsOnly.includes("--version")) return { kind: "version" };
  if (at === -1) return withoutCommand(argv, commands);
  const word = argv[at] ?? "";
  const rest = [...argv.slice(0, at), ...argv.slice(at + 1)];
  if (word === "help") return helpOf(rest, commands);
  const command = findCommand(word, commands);
  const parsed = normalise(rest, command);
  return parsed === null ? helpPage(command, rest) : { kind: "command", command, words: parsed };
}

function withoutCommand(argv: readonly string[], commands: readonly CommandSpec[]): ParsedArgv {
  const flags = commands.flatMap((command) => command.flags);
  for (const word of argv) {
    if (word === "-h" || word === "--help" || word === "--") continue;
    const name = word.split("=", 1)[0] ?? word;
    if (word.startsWith("-") && findFlag(name, flags) === undefined)
      throw unknownFlag(name, flags, "wf COMMAND [flags]");
  }
  return { kind: "overview" };
}

function helpOf(rest: readonly string[], commands: readonly CommandSpec[]): ParsedArgv {
  const [word, ...operands] = rest.filter((candidate) => !candidate.startsWith("-"));
  return word === undefined || word === "help" ? { kind: "overview" } : helpPage(findCommand(word, commands), operands);
}

/** The page of the action that the first operand names, otherwise the page of the whole command. */
function helpPage(command: CommandSpec, words: readonly string[]): ParsedArgv {
  const operand = words.find((word) => !word.startsWith("-"));
  const known = operand !== undefined && command.actions !== null && Object.hasOwn(command.actions, operand);
  return { kind: "help", command, action: known ? operand : null };
}

function findCommand(word: string, commands: readonly CommandSpec[]): CommandSpec {
  const command = commands.find((candidate) => candidate.names.includes(word));
  if (command !== undefined) return command;
  const meant = /\.(?:wf|py)$/.test(word)
    ? `run ${word}`
    : nearestCommand(word, [...commands.flatMap((candidate) => candidate.names), "help"]);
  throw usageFault(`unknown command ${word}${meant === null ? "" : `; did you mean ${meant}?`}`, [
    "usage: wf COMMAND [flags]",
  ]);
}

/** The nearest command, also for letters in the wrong order: `rnu` is `run`. */
function nearestCommand(word: string, names: readonly string[]): string | null {
  const letters = (text: string): string => [...text.toLowerCase()].sort().join("");
  return nearest(word, names) ?? names.find((name) => letters(name) === letters(word)) ?? null;
}

/** Index of the first word that is neither a flag nor the value of one. */
function commandIndex(argv: readonly string[], commands: readonly CommandSpec[]): number {
  const flags = commands.flatMap((command) => command.flags);
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    if (word === "--") return -1;
    if (!isFlag(word)) return index;
    if (!word.includes("=") && findFlag(word, flags)?.takesValue === true) index += 1;
  }
  return -1;
}

/** The plain form, or null when help was asked for. */
function normalise(words: readonly string[], command: CommandSpec): PlainWords | null {
  const flags: PlainFlag[] = [];
  const operands: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (word === "--") {
      operands.push(...words.slice(index + 1));
      break;
    }
    if (word === "-h" || word === "--help") return null;
    if (!isFlag(word)) {
      operands.push(word);
      continue;
    }
    const read = readFlag(word, words[index + 1], command);
    flags.push(...read.plain);
    if (read.usedNext) index += 1;
  }
  return { command: command.names[0] ?? "", flags, operands };
}

function readFlag(
  word: string,
  next: string | undefined,
  command: CommandSpec,
): { plain: PlainFlag[]; usedNext: boolean } {
  const cut = word.indexOf("=");
  const name = cut === -1 ? word : word.slice(0, cut);
  const flag = findFlag(name, command.flags);
  if (flag === undefined) {
    const letters = shortFlags(word, command);
    if (letters !== null) return { plain: letters, usedNext: false };
    if (name === "--version") throw usageFault("--version stands alone: wf --version");
    throw unknownFlag(name, command.flags, command.usageLine);
  }
  const long = longName(flag);
  const typed = name === long ? {} : { typed: name };
  if (!flag.takesValue) {
    if (cut !== -1) throw usageFault(`option ${name} takes no value`, [`usage: ${command.usageLine}`]);
    return { plain: [{ name: long, value: true, ...typed }], usedNext: false };
  }
  if (cut !== -1) {
    refuseEmptyPath(name, word.slice(cut + 1), flag);
    return { plain: [{ name: long, value: word.slice(cut + 1), ...typed }], usedNext: false };
  }
  const missing =
    next === undefined ||
    next === "--" ||
    (isFlag(next) && findFlag(next.split("=", 1)[0] ?? "", command.flags) !== undefined);
  if (missing) throw usageFault(`option ${name} needs a value`, [`usage: ${command.usageLine}`]);
  refuseEmptyPath(name, next, flag);
  return { plain: [{ name: long, value: next, ...typed }], usedNext: true };
}

/** Refuses an empty path: a shell passes "" for an unset variable, and "" would mean the working folder. Empty JSON is reported where it is parsed. */
function refuseEmptyPath(name: string, value: string, flag: FlagSpec): void {
  if (value === "" && /^<(?!JSON)[^>]*(?:FILE|DIR|PATH)/.test(flag.description))
    throw usageFault(`option ${name} needs the name of a file or folder, found an empty string`);
}

/** `-qv` */
function shortFlags(word: string, command: CommandSpec): PlainFlag[] | null {
  if (!/^-[a-z]{2,}$/i.test(word)) return null;
  const found = [...word.slice(1)].map((letter) => findFlag(`-${letter}`, command.flags));
  const flags: PlainFlag[] = [];
  for (const flag of found) {
    if (flag === undefined || flag.takesValue) return null;
    flags.push({ name: longName(flag), value: true });
  }
  return flags;
}

const isFlag = (word: string): boolean => word.startsWith("-") && word !== "-" && word !== "--";

function findFlag(name: string, flags: readonly FlagSpec[]): FlagSpec | undefined {
  return flags.find((flag) => flag.names.includes(name));
}

function longName(flag: FlagSpec): string {
  return flag.names.find((name) => name.startsWith("--")) ?? flag.names[0] ?? "";
}

/**
 * A usage error with each flag under the name that the user wrote: flags have several names, commands know one of each. Faults of programs and files
 * stay as they are.
 */
export function inTypedWords(fault: CliFault, { flags }: PlainWords): CliFault {
  const typed = new Map(flags.flatMap(({ name, typed }) => (typed === undefined ? [] : [[name, typed] as const])));
  if (fault.error !== "usage_error" || typed.size === 0) return fault;
  const renamed = (text: string): string =>
    text.replace(/(?<![\w-])--[a-z]+(?:-[a-z]+)*(?![\w-])/g, (name) => typed.get(name) ?? name);
  const { error, exitCode, members, notes } = fault;
  return new CliFault(renamed(fault.message), { error, exitCode, members, notes: notes.map(renamed) });
}

function unknownFlag(name: string, flags: readonly FlagSpec[], usageLine: string): CliFault {
  const near = nearest(
    name,
    [...new Set([...flags.flatMap((flag) => flag.names), "--help", "--version"])].filter((known) =>
      known.startsWith("--"),
    ),
  );
  return usageFault(`unknown option ${name}${near === null ? "" : `; did you mean ${near}?`}`, [`usage: ${usageLine}`]);
}
