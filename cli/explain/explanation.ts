/** What `wf explain` says of one word, whatever it names, and how that is shown. */
import type { JsonObject } from "../../compiler/json.ts";
import { wrap } from "../output/terminal/wrap.ts";

export type Explanation = {
  /** The word as it is written: a code, `If`, `concat`, `fs.read`. */
  readonly code: string;
  readonly title: string;
  readonly kind:
    | "diagnostic"
    | "runtime"
    | "adapter"
    | "policy"
    | "request"
    | "warning"
    | "reason"
    | "issue"
    | "op"
    | "word"
    | "term"
    | "function"
    | "verb"
    | "adapter_facts";
  /** Other words that lead here. */
  readonly names: readonly string[];
  /** Labelled facts, in the order they are printed; several lines where there are several of a kind. */
  readonly facts: readonly (readonly [string, string | readonly string[]])[];
};

export function explanationDocument(entry: Explanation): JsonObject {
  return {
    code: entry.code,
    title: entry.title,
    kind: entry.kind,
    names: entry.names,
    ...Object.fromEntries(entry.facts),
  };
}

const LABEL_WIDTH = 8;

/** Sentences are broken at the width; lines of programs are not. */
export function explanationPage(entry: Explanation, bold: (text: string) => string, width: number): string {
  const lines = entry.facts.flatMap(([name, told]) =>
    (typeof told === "string" ? [wrap(told, width, LABEL_WIDTH + 4)] : told).map(
      (line, at) => `  ${(at === 0 ? name : "").padEnd(LABEL_WIDTH)}  ${line}\n`,
    ),
  );
  return `${bold(entry.code)}  ${wrap(entry.title, width, entry.code.length + 2)}\n${lines.join("")}`;
}

/** A fact that some have and some do not. */
export function factIf(name: string, told: string | readonly string[]): Explanation["facts"] {
  return told.length === 0 ? [] : [[name, told]];
}
