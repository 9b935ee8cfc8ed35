/** What there is to complete, by command, without any shell: made from the same definitions that read the command line. */
import type { CommandSpec, FlagSpec } from "../argv.ts";

/** What fits behind a flag, or as an operand. `labels` are those of the program on the line. */
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

/** Names that the session knows. */
export type KnownNames = { readonly adapters: readonly string[]; readonly profiles: readonly string[] };
export type DescribedCommand = CommandSpec & { readonly description: string };

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

const HELP: CompletedFlag = { names: ["-h", "--help"], description: "help of the command", values: null };

export function completionTable(commands: readonly DescribedCommand[], known: KnownNames): CompletedCommand[] {
  const table = commands.map(({ names, usageLine, description, flags }) => ({
    names,
    description: description.trim(),
    flags: [...flags.map((flag) => completedFlag(flag, known)), HELP],
    operand: operandOf(usageLine),
  }));
  const words = commands.flatMap(({ names }) => names);
  const help = {
    names: ["help"],
    description: "Help of a command.",
    flags: [],
    operand: { kind: "words" as const, words },
  };
  return [...table, help];
}

function completedFlag({ names, takesValue, description }: FlagSpec, known: KnownNames): CompletedFlag {
  const [, form = "", text = description] = /^<(.*?)> (.*)$/s.exec(description) ?? [];
  return { names, description: text, values: takesValue ? valuesOf(names, form, known) : null };
}

const ADAPTER_FLAGS = new Set(["--enable-adapter", "--allow-adapter", "--forbid-adapter", "--adapter", "--adapters"]);

function valuesOf(names: readonly string[], form: string, { adapters, profiles }: KnownNames): Values {
  if (names.some((name) => ADAPTER_FLAGS.has(name))) return { kind: "words", words: adapters };
  if (names.includes("--profile")) return { kind: "words", words: profiles };
  if (names.includes("--label") || names.includes("--entry")) return { kind: "labels" };
  if (form === "DIR") return { kind: "folders" };
  if (/FILE|PATH/.test(form)) return { kind: "files" };
  return alternatives(form) ?? { kind: "anything" };
}

/** `wf jobs list|get|wait [ID] [flags]`: the words of the first operand; anything else is a file. */
function operandOf(usageLine: string): Values {
  return alternatives(usageLine.split(" ")[2] ?? "") ?? { kind: "files" };
}

function alternatives(form: string): Values | null {
  const words = form.replace(/^\[|\]$/g, "").split("|");
  return words.length > 1 && words.every((word) => /^[a-z][a-z0-9_-]*$/.test(word)) ? { kind: "words", words } : null;
}
