/** What there is to complete, by command, without any shell: made from the same definitions that read the command line. */
import type { CommandSpec, FlagSpec } from "../argv/argv.ts";

/** What may follow a flag or stand as an operand. `labels`: the labels of the program on the command line. */
export type Values =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "labels" | "files" | "folders" | "anything" };

export type CompletedFlag = {
  readonly names: readonly string[];
  readonly description: string;
  /** null: it takes no value. */
  readonly values: Values | null;
};
export type CompletedCommand = {
  readonly names: readonly string[];
  readonly description: string;
  readonly flags: readonly CompletedFlag[];
  /** Of the first operand. */
  readonly operand: Values;
};

/** `shared`: the flags of every command, which may stand before it. */
export type Completion = { readonly commands: readonly CompletedCommand[]; readonly shared: readonly CompletedFlag[] };

/** Names that the session knows. */
export type KnownNames = {
  readonly adapters: readonly string[];
  readonly profiles: readonly string[];
  /** Exposure profiles of the MCP server. */
  readonly exposures: readonly string[];
  /** What `wf explain` explains. */
  readonly explained: readonly string[];
};
export type DescribedCommand = CommandSpec & { readonly description: string };

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

const HELP: CompletedFlag = { names: ["-h", "--help"], description: "help of the command", values: null };

export function completionOf(commands: readonly DescribedCommand[], known: KnownNames): Completion {
  const table = commands.map((command) => ({
    names: command.names,
    description: command.description.trim(),
    flags: [...command.flags.map((flag) => completedFlag(flag, known)), HELP],
    operand: operandOf(command, known),
  }));
  const words = commands.flatMap(({ names }) => names);
  const help = {
    names: ["help"],
    description: "Help of a command.",
    flags: [],
    operand: { kind: "words" as const, words },
  };
  const everywhere = ({ names: [name] }: CompletedFlag): boolean =>
    table.every(({ flags }) => flags.some(({ names }) => names[0] === name));
  return { commands: [...table, help], shared: table[0]?.flags.filter(everywhere) ?? [] };
}

function completedFlag({ names, takesValue, description }: FlagSpec, known: KnownNames): CompletedFlag {
  const [, form = "", text = description] = /^<(.*?)> (.*)$/s.exec(description) ?? [];
  return { names, description: text, values: takesValue ? valuesOf(names, form, known) : null };
}

const ADAPTER_FLAGS = new Set(["--enable-adapter", "--allow-adapter", "--forbid-adapter", "--adapter", "--adapters"]);

function valuesOf(names: readonly string[], form: string, { adapters, profiles, exposures }: KnownNames): Values {
  if (names.some((name) => ADAPTER_FLAGS.has(name))) return { kind: "words", words: adapters };
  if (names.includes("--profile")) return { kind: "words", words: profiles };
  if (names.includes("--exposure")) return { kind: "words", words: exposures };
  if (names.includes("--label") || names.includes("--entry")) return { kind: "labels" };
  if (form === "DIR") return { kind: "folders" };
  if (/FILE|PATH/.test(form)) return { kind: "files" };
  return alternatives(form) ?? { kind: "anything" };
}

/** `wf jobs list|get|wait [ID] [flags]`: the words of the first operand, or names of one kind; anything else is a file. */
function operandOf(
  { names, usageLine }: DescribedCommand,
  { adapters, profiles, exposures, explained }: KnownNames,
): Values {
  const known: Readonly<Record<string, readonly string[]>> = {
    explain: explained,
    profiles: [...profiles, ...exposures],
    capabilities: adapters,
  };
  const words = known[names[0] ?? ""];
  if (words !== undefined) return { kind: "words", words };
  const [, , form = ""] = usageLine.split(" ");
  return alternatives(form) ?? (WORD.test(form) ? { kind: "words", words: [form] } : { kind: "files" });
}

const WORD = /^[a-z][a-z0-9_-]*$/;

function alternatives(form: string): Values | null {
  const words = form.replace(/^\[|\]$/g, "").split("|");
  return words.length > 1 && words.every((word) => WORD.test(word)) ? { kind: "words", words } : null;
}
