/**
 * Brings the text of one program of the predecessor over: applies the fixes that are certain, removes its closing words, and declares what
 * nothing sets as an input. A declaration changes nothing at run time: a name that the frame lacks means what it meant without it. It knows
 * nothing of files.
 */

import { type AppliedFix, fixText } from "../../compiler/fixes/apply-fixes.ts";
import type { Diagnostic } from "../../grammar/diagnostic.ts";

export type MigratedText = {
  readonly text: string;
  readonly changes: readonly AppliedFix[];
  /** Names that the added `# frame:` line declares. */
  readonly inputs: readonly string[];
};

/** Words that closed blocks of the predecessor and did nothing. */
const CLOSING_WORDS: ReadonlySet<string> = new Set(["END", "End", "EndFor", "EndIf", "EndWhile"]);
/** A comment that declares an input in another way than here is a warning, yet it declares nothing. */
const BAD_INPUT_COMMENT = "WF9025";
const UNSET_NAME = "WF4001";
const UNSET_PATH = "WF4002";
/** A further declaration may reveal further names. */
const MAX_ROUNDS = 5;

/** `diagnose`: the findings of strict mode about a text in place of the program. */
export function migrateText(original: string, diagnose: (text: string) => readonly Diagnostic[]): MigratedText {
  const closed = withoutClosingWords(original, diagnose(original));
  const fixed = fixText(closed.text, false, (text) =>
    diagnose(text).filter(({ code, severity }) => severity === "error" || code === BAD_INPUT_COMMENT),
  );
  const { text, inputs } = withDeclarations(fixed.text, diagnose);
  return { text, changes: [...closed.changes, ...fixed.applied], inputs };
}

/** Declares names until none is found that a declaration helps. */
function withDeclarations(text: string, diagnose: (text: string) => readonly Diagnostic[]) {
  let inputs: readonly string[] = [];
  const current = (): string => (inputs.length === 0 ? text : withInputs(text, inputs));
  const unset = (): readonly string[] => unsetNames(current(), diagnose(current()));
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = unset().filter((name) => !inputs.includes(name));
    if (found.length === 0) break;
    inputs = [...inputs, ...found];
  }
  // A word such as `J` in the wrong place is reported whether it is declared or not.
  const still = new Set(unset());
  inputs = inputs.filter((name) => !still.has(name));
  return { text: current(), inputs };
}

function withoutClosingWords(
  text: string,
  diagnostics: readonly Diagnostic[],
): { readonly text: string; readonly changes: readonly AppliedFix[] } {
  const lines = text.split("\n");
  const changes: AppliedFix[] = [];
  for (const { code, span } of diagnostics) {
    if (code !== "WF2001" || span === null || span.file !== null) continue;
    const word = lines[span.line - 1]?.trim() ?? "";
    if (!CLOSING_WORDS.has(word)) continue;
    changes.push({ line: span.line, column: span.column, code, title: `remove the closing word '${word}'` });
  }
  const removed = new Set(changes.map(({ line }) => line));
  return { text: lines.filter((_, index) => !removed.has(index + 1)).join("\n"), changes };
}

const NAME = /^\$?([A-Za-z_]\w*)/;

/** Names that are read and never set. A dotted word counts as a path only where its root is read elsewhere too: `notes.txt` is text. */
function unsetNames(text: string, diagnostics: readonly Diagnostic[]): string[] {
  const names = (wanted: string): string[] =>
    diagnostics
      .filter(({ code, span }) => code === wanted && span?.file === null)
      .flatMap(({ span }) => NAME.exec(text.slice(span?.start, span?.end))?.[1] ?? []);
  const alone = new Set(names(UNSET_NAME));
  return [...alone, ...names(UNSET_PATH).filter((root) => alone.has(root))].filter(
    (name, index, all) => all.indexOf(name) === index,
  );
}

/** `# frame: a, b` above the first line of code; comments at the beginning stay there. */
function withInputs(text: string, inputs: readonly string[]): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "" && !line.trimStart().startsWith("#"));
  const end = text.includes("\r\n") ? "\r" : "";
  return [
    ...lines.slice(0, Math.max(first, 0)),
    `# frame: ${inputs.join(", ")}${end}`,
    ...lines.slice(Math.max(first, 0)),
  ].join("\n");
}
