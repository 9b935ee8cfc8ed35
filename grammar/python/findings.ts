/** A fault of the parser as a finding: the table's sentence and what to write instead, with the words of the fault filled in. */
import type { Finding } from "../diagnostic.ts";
import { type Source, spanOf } from "../text/source.ts";
import { FAULTS } from "./faults.ts";
import type { SyntaxFault } from "./tree.ts";

export function findingOfFault(source: Source, { fault, start, end, words, fix }: SyntaxFault): Finding {
  const found = FAULTS[fault];
  if (found === undefined) throw new Error(`no fault ${fault}`);
  const { code, sentence, instead } = found;
  return {
    code,
    span: spanOf(source, start, end),
    words: { ...words, what: filled(sentence, words) },
    suggestion: instead === null ? null : filled(instead, words),
    fix:
      fix === null
        ? null
        : {
            title: fix.title,
            edits: fix.edits.map((edit) => ({ span: spanOf(source, edit.start, edit.end), new_text: edit.text })),
          },
  };
}

/** A sentence of a table with its words. */
export function filled(template: string, words: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => words[name] ?? whole);
}
