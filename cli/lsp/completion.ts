/** Completion: the candidates of the prefix engine as items of the protocol. */
import { type CompletionItem, CompletionItemKind } from "vscode-languageserver/node";
import { complete } from "../../grammar/complete.ts";
import { isMark, type WordClass } from "../../grammar/completion.ts";
import type { GrammarShape } from "../../grammar/generate/shape.ts";
import { isPython } from "../../grammar/surface.ts";
import type { OpenProgram } from "./program.ts";

const KINDS: Partial<Record<WordClass, CompletionItemKind>> = {
  op: CompletionItemKind.Keyword,
  label: CompletionItemKind.Reference,
  ref: CompletionItemKind.Reference,
  eref: CompletionItemKind.Reference,
  call: CompletionItemKind.Method,
  verb: CompletionItemKind.Method,
  fn: CompletionItemKind.Function,
  key: CompletionItemKind.Property,
  enum: CompletionItemKind.EnumMember,
  cmp: CompletionItemKind.Operator,
};

/** Candidates at an offset, with names and labels of the whole file, also of what stands below. */
export function completionsAt(
  { text, document, file, python, occurrences }: OpenProgram,
  offset: number,
  shape: GrammarShape,
): CompletionItem[] {
  const labels = file.lines.flatMap((line) => (line.kind === "label" ? [line.id] : []));
  // Of Python the engine finds the names that are in scope by itself.
  const known = python === null ? occurrences : [];
  const names = known.filter(({ kind, role }) => kind === "variable" && role === "definition");
  const around = { ...shape, labels, names: names.map(({ name }) => name) };
  const { items, from } = complete(text.slice(0, offset), around);
  const range = { start: document.positionAt(from), end: document.positionAt(offset) };
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    if (item.class === "end" || (isMark(item) && isPython(text)) || seen.has(item.text)) return [];
    seen.add(item.text);
    return [
      {
        label: item.text,
        kind: KINDS[item.class] ?? CompletionItemKind.Variable,
        ...(item.detail === "" ? {} : { detail: item.detail }),
        sortText: String(index).padStart(5, "0"),
        textEdit: { range, newText: item.text },
      },
    ];
  });
}
