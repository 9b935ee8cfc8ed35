/**
 * The entry of all imports: refuses input that is not a document, and selects the importer. Surfaces call this; what they
 * fetch or read from files comes in as text.
 */
import { utf8Length } from "../../grammar/text/source.ts";
import { importAgent } from "./agent.ts";
import { type DocumentType, type Imported, type ImportOptions, MAX_DOCUMENT_BYTES } from "./shapes.ts";
import { importWorkflow } from "./workflow.ts";

/** `too_large`: over 1 MiB. `not_text`: it has a NUL character, as only binary data has. */
type ImportRefusal = {
  readonly ok: false;
  readonly error: "too_large" | "not_text";
  readonly message: string;
};
export type ImportResult = ({ readonly ok: true } & Imported) | ImportRefusal;

const IMPORTERS = { workflow: importWorkflow, agent: importAgent } as const;

/** A program that passes strict checks and, with the target core, runs to a value under `core` alone; or a refusal. Never throws. */
export function importMarkdown(markdown: string, type: DocumentType, options: ImportOptions = {}): ImportResult {
  if (utf8Length(markdown, 0, markdown.length) > MAX_DOCUMENT_BYTES) {
    return { ok: false, error: "too_large", message: "the document is larger than 1 MiB; import a part of it" };
  }
  if (markdown.includes("\0")) {
    return { ok: false, error: "not_text", message: "the document is binary data; give Markdown text" };
  }
  return { ok: true, ...IMPORTERS[type](markdown, options) };
}
