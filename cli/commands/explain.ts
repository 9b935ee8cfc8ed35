/**
 * `wf explain CODE`: what a code of the compiler or the runtime, or a word of an answer or warning, means and how to mend it, from the
 * tables behind them.
 */

import { ADAPTER_CODES, type AdapterCodeEntry } from "../../adapters/errors.ts";
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "../../compiler/diagnostic-codes.ts";
import { nearest } from "../../compiler/diagnostics.ts";
import { POLICY_CODES } from "../../compiler/policy/validate.ts";
import { listed } from "../../grammar/english.ts";
import {
  RUNTIME_CODES,
  type RuntimeCode,
  type RuntimeCodeEntry,
  surfaceWord,
  WORDS_BY_DATA,
} from "../../vm/error-codes.ts";
import { ERROR_WORDS, type Word } from "../../vm/words/errors.ts";
import { ISSUE_WORDS, type IssueWord } from "../../vm/words/issues.ts";
import { WARNING_WORDS } from "../../vm/words/warnings.ts";
import { Command, Option } from "../clipanion.ts";
import { EXIT, usageFault } from "../faults.ts";
import { table } from "../output/table.ts";
import { WeftCommand } from "./base.ts";

type Explanation = {
  readonly code: string;
  readonly title: string;
  readonly kind: "diagnostic" | "runtime" | "adapter" | "policy" | "request" | "warning" | "issue";
  readonly names: readonly string[];
  /** Labelled facts, in the order they are printed. */
  readonly facts: readonly (readonly [string, string])[];
};

export class ExplainCommand extends WeftCommand {
  static override paths = [["explain"]];
  static override usage = Command.Usage({
    description: "Explains a code of the compiler or of a run, or a word of an answer or warning.",
    details: "CODE",
    examples: [
      ["a diagnostic", "wf explain WF4001"],
      ["a failed run", "wf explain RUNTIME_MAX_STEPS"],
      ["a word of an answer or warning", "wf explain adapter_not_enabled"],
      ["every code", "wf explain --list"],
    ],
  });
  protected override readonly usesAdapters = false;

  code = Option.String({ required: false });
  list = Option.Boolean("--list", false, { description: "list every code" });

  async execute(): Promise<number> {
    const { screen } = this.session();
    const all = explanations();
    if (this.list) {
      if (this.json) screen.document({ ok: true, codes: all.map(document) });
      else
        screen.out(
          `${table(
            all.map((entry) => [entry.code, entry.title]),
            screen.tableWidth,
          ).join("\n")}\n`,
        );
      return EXIT.success;
    }
    if (this.code === undefined) throw usageFault("a CODE is needed; wf explain --list shows every one");
    const found = findAll(all, this.code);
    if (this.json) screen.document({ ok: true, codes: found.map(document) });
    else screen.out(found.map((entry) => page(entry, screen.paint.bold)).join("\n"));
    return EXIT.success;
  }
}

function findAll(all: readonly Explanation[], word: string): readonly Explanation[] {
  const folded = word.toLowerCase();
  const byCode = all.filter((entry) => entry.code.toLowerCase() === folded);
  const byName = all.filter((entry) => entry.names.some((name) => name.toLowerCase() === folded));
  const found = [...new Set([...byCode, ...byName])];
  if (found.length > 0) return found;
  const near = nearest(
    word,
    all.flatMap((entry) => [entry.code, ...entry.names]),
  );
  throw usageFault(`unknown code ${word}${near === null ? "" : `; did you mean ${near}?`}`, [
    "wf explain --list shows every code",
  ]);
}

export function explainedCodes(): string[] {
  return [...new Set(explanations().map(({ code }) => code))];
}

function explanations(): Explanation[] {
  return [
    ...Object.entries(DIAGNOSTIC_CODES).map(([code, row]) => ofDiagnostic(code, row)),
    ...runtimeEntries().map(([code, row]) => ofRuntime(code, row)),
    ...Object.entries(ADAPTER_CODES).map(([code, row]) => ofAdapter(code, row)),
    ...Object.entries(POLICY_CODES).map(([code, row]) => ofPolicy(code, row)),
    ...Object.entries(ERROR_WORDS).map(([word, row]) => ofWord("request", word, row)),
    ...Object.entries(WARNING_WORDS).map(([word, row]) => ofWord("warning", word, row)),
    ...Object.entries(ISSUE_WORDS).map(([word, row]) => ofIssue(word, row)),
  ];
}

function ofDiagnostic(code: string, row: DiagnosticCode): Explanation {
  const facts: [string, string][] = [
    ["message", row.message],
    ["severity", `${row.strict ?? "not reported"} in strict mode, ${row.loose ?? "not reported"} in non-strict mode`],
  ];
  if (row.suggestion !== null) facts.push(["fix", row.suggestion]);
  if (row.aliases.length > 0) facts.push(["also", row.aliases.join(", ")]);
  return { code, title: row.name.replaceAll("_", " "), kind: "diagnostic", names: [row.name, ...row.aliases], facts };
}

const CLASSES: Readonly<Record<RuntimeCodeEntry["class"], string>> = {
  ordinary: "ordinary: an Err handler catches it, Retry repeats the step",
  fatal: "fatal: the run ends, no handler catches it",
  load: "load: the program does not start",
};

function runtimeEntries(): [RuntimeCode, RuntimeCodeEntry][] {
  return Object.entries(RUNTIME_CODES) as [RuntimeCode, RuntimeCodeEntry][];
}

function ofRuntime(code: RuntimeCode, row: RuntimeCodeEntry): Explanation {
  const words = row.word === null ? (WORDS_BY_DATA[code] ?? []) : [row.word];
  return {
    code,
    title: row.title,
    kind: "runtime",
    names: words,
    facts: [
      ["class", CLASSES[row.class]],
      ["error", listed(words, "or")],
      ["fix", row.fix],
    ],
  };
}

/** Found by their code; their word names the code of the run. */
function ofAdapter(code: string, row: AdapterCodeEntry): Explanation {
  const word = surfaceWord("RUNTIME_ADAPTER_ERROR", { adapter_code: code });
  return {
    code,
    title: row.title,
    kind: "adapter",
    names: word === "adapter_error" ? [] : [word],
    facts: [
      ["class", "ordinary: data.adapter_code of a RUNTIME_ADAPTER_ERROR"],
      ["error", word],
      ["retry", row.retryable ? "may help, unless the call says otherwise" : "does not help"],
      ["fix", row.fix],
    ],
  };
}

function ofPolicy(code: string, row: { readonly title: string; readonly fix: string }): Explanation {
  return {
    code,
    title: row.title,
    kind: "policy",
    names: [],
    facts: [
      ["class", "policy: the program is refused before it runs"],
      ["error", "policy_violation"],
      ["fix", row.fix],
    ],
  };
}

const WORD_CLASSES = {
  request: "request: the error or error_kind of an answer",
  warning: "warning: it changes no outcome",
} as const;

function ofWord(kind: keyof typeof WORD_CLASSES, code: string, { title, cause, fix }: Word): Explanation {
  return {
    code,
    title,
    kind,
    names: [],
    facts: [
      ["class", WORD_CLASSES[kind]],
      ["cause", cause],
      ["fix", fix],
    ],
  };
}

function ofIssue(code: string, { title, fix }: IssueWord): Explanation {
  return {
    code,
    title,
    kind: "issue",
    names: [],
    facts: [
      ["class", "issue: a code in the issues of an answer; its path and message tell more"],
      ["fix", fix],
    ],
  };
}

function document(entry: Explanation) {
  return {
    code: entry.code,
    title: entry.title,
    kind: entry.kind,
    names: entry.names,
    ...Object.fromEntries(entry.facts),
  };
}

function page(entry: Explanation, bold: (text: string) => string): string {
  const lines = entry.facts.map(([name, text]) => `  ${name.padEnd(8)}  ${text}`);
  return `${bold(entry.code)}  ${entry.title}\n${lines.join("\n")}\n`;
}
