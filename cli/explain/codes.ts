/** Codes of the compiler, of runs, adapters and the policy check, and words of answers and warnings, explained from the tables that define them. */
import { ADAPTER_CODES, type AdapterCodeEntry } from "../../adapters/errors.ts";
import { DIAGNOSTIC_CODES, type DiagnosticCode } from "../../compiler/diagnostic-codes.ts";
import { POLICY_CODES } from "../../compiler/policy/validate.ts";
import { listed } from "../../grammar/text/english.ts";
import {
  RUNTIME_CODES,
  type RuntimeCode,
  type RuntimeCodeEntry,
  surfaceWord,
  WORDS_BY_DATA,
} from "../../vm/errors/error-codes.ts";
import { ERROR_WORDS, type Word } from "../../vm/words/errors.ts";
import { ISSUE_WORDS, type IssueWord } from "../../vm/words/issues.ts";
import { INTERRUPTION_REASONS } from "../../vm/words/reasons.ts";
import { WARNING_WORDS } from "../../vm/words/warnings.ts";
import { ADAPTER_PAGES, type CallPage, POLICY_PAGES } from "./call-pages.ts";
import diagnosticPages from "./diagnostic-pages.json" with { type: "json" };
import { type Explanation, factIf } from "./explanation.ts";

/** The sections of docs/diagnostics.md by code, which a test writes down and holds to it. */
type DiagnosticPage = {
  readonly cause: string;
  /** Programs; empty where none is short enough to show. */
  readonly wrong: string;
  readonly right: string;
  readonly fix: string;
};
const PAGES: Readonly<Record<string, DiagnosticPage>> = diagnosticPages;

/** Every code, in the order of the tables. */
export function codeExplanations(): Explanation[] {
  return [
    ...Object.entries(DIAGNOSTIC_CODES).map(([code, row]) => ofDiagnostic(code, row)),
    ...runtimeEntries().map(([code, row]) => ofRuntime(code, row)),
    ...Object.entries(ADAPTER_CODES).map(([code, row]) => ofAdapter(code, row)),
    ...Object.entries(POLICY_CODES).map(([code, row]) => ofPolicy(code, row)),
    ...Object.entries(ERROR_WORDS).map(([word, row]) => ofWord("request", word, row)),
    ...Object.entries(WARNING_WORDS).map(([word, row]) => ofWord("warning", word, row)),
    ...Object.entries(INTERRUPTION_REASONS).map(([word, row]) => ofWord("reason", word, row)),
    ...Object.entries(ISSUE_WORDS).map(([word, row]) => ofIssue(word, row)),
  ];
}

function ofDiagnostic(code: string, row: DiagnosticCode): Explanation {
  const page = PAGES[code];
  const facts: Explanation["facts"] = [
    ["message", row.message],
    ["severity", `${row.strict ?? "not reported"} in strict mode, ${row.loose ?? "not reported"} in non-strict mode`],
    ...factIf("cause", page?.cause ?? ""),
    ...factIf("wrong", linesOf(page?.wrong)),
    ...factIf("right", linesOf(page?.right)),
    ...factIf("fix", page?.fix ?? row.suggestion ?? ""),
    ...factIf("also", row.aliases.join(", ")),
  ];
  return { code, title: row.name.replaceAll("_", " "), kind: "diagnostic", names: [row.name, ...row.aliases], facts };
}

function linesOf(source = ""): readonly string[] {
  return source === "" ? [] : source.split("\n");
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
      ...callFacts(ADAPTER_PAGES, code),
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
      ...callFacts(POLICY_PAGES, code),
      ["fix", row.fix],
    ],
  };
}

/** A step and what it runs under stand on lines of their own. */
function callFacts(pages: Readonly<Record<string, CallPage>>, code: string): Explanation["facts"] {
  const found = Object.hasOwn(pages, code) ? pages[code] : undefined;
  if (found === undefined) return [];
  const { cause, wrong, right } = found;
  return [
    ["cause", cause],
    ["wrong", wrong.split(" | ")],
    ...factIf("right", right === wrong ? "" : right.split(" | ")),
  ];
}

const WORD_CLASSES = {
  request: "request: the error or error_kind of an answer",
  warning: "warning: it changes no outcome",
  reason: "reason: why a durable job is interrupted, in its result",
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
