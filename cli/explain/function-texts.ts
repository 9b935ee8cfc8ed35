/** What the functions of the language mean, in words: the rows of docs/functions.md, from which a test makes `function-texts.json`. */
import texts from "./function-texts.json" with { type: "json" };

/** The words of one function, in Markdown. */
type FunctionText = {
  readonly takes: string;
  readonly gives: string;
  /** "": it fails in no way of its own. */
  readonly fails: string;
  readonly example: string;
};

/** By name, in the order of the function table. */
export const FUNCTION_TEXTS: Readonly<Record<string, FunctionText>> = texts;

/** A cell without what only a page shows: marks of code and links. */
export function withoutMarkup(cell: string): string {
  return cell.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
}
