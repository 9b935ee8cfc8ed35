/**
 * Brings a command line into one plain form before clipanion sees it: command, flags with their values, operands. So values may start with a dash, unknown words get a useful answer with the nearest known one, and the flags
 * may stand anywhere. It knows commands only as lists of flags.
 */
import { nearest } from "../compiler/diagnostics.ts";
import { CliFault, usageFault } from "./faults.ts";

export type FlagSpec = {
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly description: string;
  /** It means nothing with this command. */
  readonly idle: boolean;
};
export type CommandSpec = {
  /** First name and aliases. */
  readonly names: readonly string[];
  readonly usageLine: string;
  readonly flags: readonly FlagSpec[];
};

export type ParsedArgv =
  | { readonly kind: "overview" }
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly command: CommandSpec }
  | { readonly kind: "command"; readonly command: CommandSpec; readonly words: PlainWords };

/** A command line in one form: flags by their long names, in written order. */
export type PlainWords = {
  readonly command: string;
  readonly flags: readonly PlainFlag[];
  readonly operands: readonly string[];
};
/** `value` true: a flag without one. `typed`: the name that was written, where that is another one. */
type PlainFlag = { readonly name: string; readonly value: string | true; readonly typed?: string };

/** `--json` decides how even a usage error is printed, so it is looked for before anything is understood. */
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
  return parsed === null ? { kind: "help", command } : { kind: "command", command, words: parsed };
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
  const word = rest.find((candidate) => !candidate.startsWith("-"));
  // Help on help is what there is to ask for.
  return word === undefined || word === "help"
    ? { kind: "overview" }
    : { kind: "help", command: findCommand(word, commands) };
}

function findCommand(word: string, commands: readonly CommandSpec[]): CommandSpec {
  const command = commands.find((candidate) => candidate.names.includes(word));
  if (command !== undefined) return command;
  const meant = word.endsWith(".wf")
    ? `run ${word}`
    : nearestCommand(word, [...commands.flatMap((candidate) => candidate.names), "help"]);
  throw usageFault(`unknown command ${word}${meant === null ? "" : `; did you mean ${meant}?`}`, [
    "usage: wf COMMAND [flags]",
  ]);
}

/** There are few commands, so letters in the wrong order name one as well: `rnu` is `run`. */
function nearestCommand(word: string, names: readonly string[]): string | null {
  const letters = (text: string): string => [...text.toLowerCase()].sort().join("");
  return nearest(word, names) ?? names.find((name) => letters(name) === letters(word)) ?? null;
}

/** Index of the first word that is no flag and no value of one. */
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
    refuseNoPath(name, word.slice(cut + 1), flag);
    return { plain: [{ name: long, value: word.slice(cut + 1), ...typed }], usedNext: false };
  }
  const missing =
    next === undefined ||
    next === "--" ||
    (isFlag(next) && findFlag(next.split("=", 1)[0] ?? "", command.flags) !== undefined);
  if (missing) throw usageFault(`option ${name} needs a value`, [`usage: ${command.usageLine}`]);
  refuseNoPath(name, next, flag);
  return { plain: [{ name: long, value: next, ...typed }], usedNext: true };
}

/** A shell gives an empty text for a variable that is not set. As a path it would mean the working folder; as JSON it is told as what it is not. */
function refuseNoPath(name: string, value: string, flag: FlagSpec): void {
  if (value === "" && /^<(?!JSON)[^>]*(?:FILE|DIR|PATH)/.test(flag.description))
    throw usageFault(`option ${name} needs the name of a file or folder, found an empty text`);
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
 * A fault of the command line in the words of the user: flags have several names, commands know one of each. Faults of programs and files
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
