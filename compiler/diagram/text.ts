/** Texts of programs in diagrams: one line, of bounded length, with nothing in it that a viewer would obey. */
import { EACH_HIDDEN } from "../hidden-characters.ts";

export function shownText(text: string): string {
  return text.replace(
    EACH_HIDDEN,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

/** At most so many characters, with `…` when something is missing. */
export function cutText(text: string, most: number): string {
  // A slice of that many code units has at least half as many characters, so a long text is not taken apart whole.
  const characters = [...text.slice(0, most * 2 + 2)];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
