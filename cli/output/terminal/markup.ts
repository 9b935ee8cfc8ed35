/** Text inside HTML and XML: nothing in it is a tag, an entity or a character that such documents cannot have. */
import { visibleLines } from "./columns.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function markupText(text: string): string {
  return visibleLines(text)
    .replace(/[\uFFFE\uFFFF]/g, "?")
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
