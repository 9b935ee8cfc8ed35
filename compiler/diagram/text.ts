/** Texts of programs in diagrams: of bounded length. */

/** Cuts a text to a maximum of characters, with `…` where something is missing. */
export function cutText(text: string, most: number): string {
  // A slice of that many code units has at least half as many characters, so a long text is not taken apart whole.
  const characters = [...text.slice(0, most * 2 + 2)];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}
