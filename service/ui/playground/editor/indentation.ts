/** Indentation while typing: a new line stands as deep as the lines above it say, and `else:` and the like step out as soon as they are whole. */
import { indentService, indentUnit } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { isPython } from "../../../../grammar/surface.ts";
import { indentationOf, isLoaded } from "../python/form.ts";
import { MAX_READ_WHILE_TYPING } from "./bounds.ts";

const TAB = 4;
const STEPS_OUT = /^\s*(?:else|finally|(?:elif|except|case)\b.*):$/;

const service = indentService.of(({ state, simulatedBreak }, place) => {
  if (state.doc.length > MAX_READ_WHILE_TYPING || !isLoaded() || !isPython(state.doc.toString())) return null;
  const line = state.doc.lineAt(place);
  const isNew = simulatedBreak === place;
  // A line of nothing but blanks was placed by hand.
  if (isNew && state.sliceDoc(line.from, place).trim() === "") return null;
  const above = state.sliceDoc(0, isNew ? place : line.from);
  const blanks = indentationOf(isNew ? `${above}\n` : above, state.sliceDoc(isNew ? place : line.from, line.to));
  return blanks === null ? null : columnsOf(blanks);
});

function columnsOf(blanks: string): number {
  let columns = 0;
  for (const character of blanks) columns += character === "\t" ? TAB - (columns % TAB) : 1;
  return columns;
}

export const indentation: Extension = [
  service,
  indentUnit.of(" ".repeat(TAB)),
  EditorState.tabSize.of(TAB),
  EditorState.languageData.of(() => [{ indentOnInput: STEPS_OUT }]),
];
