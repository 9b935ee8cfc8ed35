/**
 * Which fixes of diagnostics are guesses. Diagnostics carry them all, for people and editors to choose from; the command line applies
 * by itself only those whose outcome is certain. The one table of this, with the reason; it knows nothing of files.
 */
import type { Diagnostic } from "../../grammar/diagnostic.ts";

/** Code → why its fix may turn a mistake into another program that compiles. */
export const GUESSES: Readonly<Record<string, string>> = {
  WF1009: "what has no place there may be half of what was meant",
  WF2001: "the nearest statement need not be the one meant",
  WF2013: "the nearest option word need not be the one meant",
  WF3001: "the nearest label need not be the one meant",
  WF3020: "the nearest label need not be the one meant",
  WF4001: "a name that nothing sets may be text, a misspelt variable or a missing input",
  WF4002: "a path that nothing sets may be text, a misspelt variable or a missing input",
  WF5001: "a word that names a verb of core need not be one",
  WF5002: "the nearest verb need not be the one meant",
  WF5004: "the nearest function need not be the one meant",
};

/** Title of a fix that is a guess, though its code also has certain ones. */
const GUESSED_TITLE = "quote the whole text";

export function isGuess({ code, fix }: Diagnostic): boolean {
  return fix !== null && (Object.hasOwn(GUESSES, code) || fix.title === GUESSED_TITLE);
}
