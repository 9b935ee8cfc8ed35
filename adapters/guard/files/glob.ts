/**
 * Patterns of paths: `*` any text and `?` one character within a name, `**` any number of folders. A pattern is read part by part
 * while a tree is walked, so that a path is never compared twice and no input makes the comparison explode.
 */
import { characters } from "../../../vm/values/code-points.ts";
import type { Segments } from "./path.ts";

/** Where in the pattern a path may have arrived: numbers of parts, ascending. */
export type PatternStates = readonly number[];

const ANY_FOLDERS = "**";

export class PathPattern {
  readonly start: PatternStates;
  readonly #parts: readonly (readonly string[] | null)[];

  constructor(parts: Segments) {
    const folded = parts.filter((part, index) => part !== ANY_FOLDERS || parts[index - 1] !== ANY_FOLDERS);
    // A pattern that ends in `**` means what is below, so the last name has to be there.
    if (folded.at(-1) === ANY_FOLDERS) folded.push("*");
    this.#parts = folded.map((part) => (part === ANY_FOLDERS ? null : characters(part)));
    this.start = this.#withSkips([0]);
  }

  /** The states after one more name. */
  after(states: PatternStates, name: string): PatternStates {
    const letters = characters(name);
    const next = new Set<number>();
    for (const state of states) {
      const part = this.#parts[state];
      if (part === null) next.add(state);
      else if (part !== undefined && fits(part, letters)) next.add(state + 1);
    }
    return this.#withSkips([...next]);
  }

  /** The names so far are a whole match. */
  accepts(states: PatternStates): boolean {
    return states.at(-1) === this.#parts.length;
  }

  /** More names could become a match. */
  continues(states: PatternStates): boolean {
    const first = states[0];
    return first !== undefined && first < this.#parts.length;
  }

  /** `**` may stand for nothing. */
  #withSkips(states: readonly number[]): PatternStates {
    const all = new Set(states);
    for (const state of states) if (this.#parts[state] === null) all.add(state + 1);
    return [...all].sort((a, b) => a - b);
  }
}

/** Goes back to the last `*` only, so the effort is at most the product of both lengths. */
function fits(pattern: readonly string[], name: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let i = 0; i < name.length; ) {
    if (pattern[at] === "*") {
      star = at;
      resume = i;
      at += 1;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === name[i])) {
      at += 1;
      i += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      i = resume;
    } else return false;
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
