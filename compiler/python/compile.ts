/** A file of the Python form to IR: parsed, lowered, and refused as a whole where it cannot be exact. One pass, without pieces. */
import type { Finding } from "../../grammar/diagnostic.ts";
import { filled, findingOfFault } from "../../grammar/python/findings.ts";
import { parseProgram } from "../../grammar/python/older/older.ts";
import { createSource, type Source, spanOf } from "../../grammar/text/source.ts";
import type { AdapterCatalog } from "../catalog.ts";
import { IR_VERSION, type Ir } from "../ir/graph.ts";
import { measured } from "../ir/measured.ts";
import { type LoweredFile, lowerFile } from "./file.ts";
import type { Refusal } from "./lowering/refusal.ts";
import { REFUSALS } from "./refusals.ts";

export type CompiledPython = { readonly ir: Ir | null; readonly findings: readonly Finding[] };

export function compilePython(text: string, file: string | null, catalog: AdapterCatalog): CompiledPython {
  const { module, faults } = parseProgram(text);
  if (module === null) {
    const source = createSource(text, file);
    return { ir: null, findings: faults.map((fault) => findingOfFault(source, fault)) };
  }
  const lowered = lowerFile(module, catalog);
  if (lowered.refusals.length > 0) {
    const source = createSource(text, file);
    return { ir: null, findings: lowered.refusals.map((refusal) => findingOf(source, refusal)) };
  }
  const { entry, labels, nodes, edges, endpoints, declarations, unknown } = lowered;
  const parts = { ir_version: IR_VERSION, entry, labels, nodes, edges, endpoints, declarations };
  return { ir: measured(parts, catalog), findings: unknown.length === 0 ? [] : notes(text, file, unknown) };
}

/** Annotations that name no type. They stop nothing. */
function notes(text: string, file: string | null, unknown: LoweredFile["unknown"]): readonly Finding[] {
  const source = createSource(text, file);
  return unknown.map(({ at, name }) => findingOf(source, { at, row: "annotation_unknown", words: { name } }));
}

function findingOf(source: Source, { at, row, words, fix = null }: Refusal): Finding {
  const found = REFUSALS[row];
  if (found === undefined) throw new Error(`no refusal ${row}`);
  const { code, sentence, instead } = found;
  return {
    code,
    span: spanOf(source, at.start, at.end),
    words: { what: filled(sentence, words) },
    suggestion: instead === null ? null : filled(instead, words),
    fix:
      fix === null
        ? null
        : {
            title: fix.title,
            edits: fix.edits.map(({ start, end, text }) => ({ span: spanOf(source, start, end), new_text: text })),
          },
  };
}
