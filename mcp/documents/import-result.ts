/** What the three import tools answer: the program under both of its names, where it comes from, and what a strict compile says of it. */

import * as z from "zod/mini";
import { IMPORT_TARGETS } from "../../compiler/import/shapes.ts";
import { documentsOf } from "../programs/check-program.ts";
import type { McpServices } from "../services.ts";
import { throttled } from "../tool/progress.ts";
import { failed, succeeded, type ToolResult } from "../tool/results.ts";
import { described, output } from "../tool/schemas.ts";
import type { CallContext } from "../tool/sdk.ts";
import type { Hints } from "../tool/tool.ts";
import {
  convert,
  type DocumentSources,
  type FoundDocument,
  type ImportChoices,
  type ImportFailure,
} from "./import-document.ts";

/** Reads the web, and changes nothing. */
export const FETCHES: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

export const target = z.optional(z.enum(IMPORT_TARGETS));
export const tone = z.optional(z.string().check(z.maxLength(200)));
export const urlOrName = described(z.string().check(z.maxLength(4096)), "https URL or slug");
export const importOutput = output({ source: "text", meta: "object", diagnostics: "objects", valid: "flag" });

/** Other spellings of the arguments. */
export const IMPORT_ALIASES = {
  url: "url_or_name",
  name: "url_or_name",
  slug: "url_or_name",
  personality: "tone",
} as const;

export function sourcesOf(services: McpServices, { signal, progress }: CallContext): DocumentSources {
  const { workflowRoot, fetchDocument, config, clock } = services;
  const tell = progress === null ? undefined : throttled(progress, clock);
  return {
    fetchDocument,
    allowHosts: config.importHosts,
    readLocal: workflowRoot === null ? null : (path) => workflowRoot.read(path, ".md", signal),
    signal,
    ...(tell === undefined ? {} : { onBytes: (bytes: number) => tell({ progress: bytes }) }),
  };
}

export function importResult(
  document: FoundDocument | ImportFailure,
  choices: ImportChoices,
  services: McpServices,
): ToolResult {
  if (!document.ok) return failedImport(document);
  const program = convert(document, choices);
  if (!program.ok) return failedImport(program);
  const { source, meta } = program;
  const { source_url, provenance } = document;
  const { ir, diagnostics } = services.runtime.gateway.host.compile(source, { strict: true });
  return {
    ...succeeded({
      source,
      code: source,
      ...(source_url === undefined ? { provenance } : { source_url }),
      meta,
      diagnostics: documentsOf(diagnostics, source),
      valid: ir !== null,
    }),
    // The same text stands in source.
    omittable: ["code"],
  };
}

function failedImport({ ok: _ok, error, ...members }: ImportFailure): ToolResult {
  return failed(error, members);
}
