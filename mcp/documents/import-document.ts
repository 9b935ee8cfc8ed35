/**
 * From what a caller names (slug of a preset, https address, path in the folder of programs, or the text itself) to a program. Fetching
 * and reading are handed in; nothing is written anywhere.
 */

import { importMarkdown } from "../../compiler/import/import.ts";
import type { AgentMeta, DocumentType, ImportTarget, WorkflowMeta } from "../../compiler/import/shapes.ts";
import { readUrl } from "../../compiler/read-url.ts";
import { findPreset } from "../presets/presets.ts";
import type { ReadFault, ReadText } from "../programs/workflow-root.ts";
import type { DocumentFetcher } from "./fetch.ts";

export type ImportFailure = {
  readonly ok: false;
  readonly error: string;
  readonly message: string;
  readonly source_url?: string;
  /** Of the server's answer, when there was one. */
  readonly status?: number;
  readonly close_slugs?: readonly string[];
};

export type FoundDocument = {
  readonly ok: true;
  readonly markdown: string;
  /** `preset:SLUG`, `path:PATH`, `inline` or an address. */
  readonly provenance: string;
  /** After redirects. */
  readonly source_url?: string;
  /** For documents that name themselves nowhere. */
  readonly name?: string;
};

export type ImportedProgram = {
  readonly ok: true;
  readonly source: string;
  readonly meta: WorkflowMeta | AgentMeta;
};

export type DocumentSources = {
  readonly fetchDocument: DocumentFetcher;
  /** null: every public host. */
  readonly allowHosts: readonly string[] | null;
  /** null: paths are not read. */
  readonly readLocal: ((path: string) => Promise<ReadText>) | null;
  readonly signal: AbortSignal;
  readonly onBytes?: (bytes: number) => void;
};

/** Whether a text begins as addresses do, of whatever scheme. */
export function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text.trim());
}

/** What kind of preset `value` is, or may have been meant to be; null: no preset has such a name. */
export function typeOfPreset(value: string): DocumentType | null {
  const looks = (["workflow", "agent"] as const).map((type) => ({ type, look: findPreset(type, value) }));
  const close = ({ look }: (typeof looks)[number]) => !look.found && look.close_slugs.length > 0;
  return (looks.find(({ look }) => look.found) ?? looks.find(close))?.type ?? null;
}

/** What `value` names. Rejects only when the signal fires. */
export async function findDocument(
  value: string,
  type: DocumentType,
  sources: DocumentSources,
): Promise<FoundDocument | ImportFailure> {
  if (isAddress(value)) return fetched(value.trim(), sources);
  const found = findPreset(type, value);
  if (found.found) {
    const { preset } = found;
    if (preset.origin === "public") return fetched(preset.url, sources, preset.slug);
    return { ok: true, markdown: preset.markdown, provenance: `preset:${preset.slug}`, name: preset.slug };
  }
  if (sources.readLocal !== null && /[/.]/.test(value)) return local(value, await sources.readLocal(value));
  return {
    ok: false,
    error: "unknown_preset",
    message: "this is neither a preset nor an https address",
    close_slugs: found.close_slugs,
  };
}

/** Fetches an address. Rejects only when the signal fires. */
export async function fetched(
  address: string,
  { fetchDocument, allowHosts, signal, onBytes }: DocumentSources,
  slug?: string,
): Promise<FoundDocument | ImportFailure> {
  const answer = await fetchDocument(address, { allowHosts, signal, ...(onBytes === undefined ? {} : { onBytes }) });
  if (answer.ok) {
    const { markdown, source_url } = answer;
    const provenance = slug === undefined ? source_url : `preset:${slug}`;
    return { ok: true, markdown, provenance, source_url, name: slug ?? nameOf(new URL(source_url).pathname) };
  }
  const { error, message, status } = answer;
  return { ok: false, error, message, ...shownAddress(address), ...(status === null ? {} : { status }) };
}

/** Not with a user name or password in it. */
function shownAddress(address: string): { readonly source_url?: string } {
  const url = readUrl(address);
  if (url === null) return {};
  const { username, password } = url;
  return username === "" && password === "" ? { source_url: address } : {};
}

export type ImportChoices = {
  readonly type: DocumentType;
  readonly target?: ImportTarget | undefined;
  readonly tone?: string | undefined;
};

export function convert(
  document: Omit<FoundDocument, "ok">,
  { type, target, tone }: ImportChoices,
): ImportedProgram | ImportFailure {
  const { markdown, provenance, name, source_url } = document;
  const converted = importMarkdown(markdown, type, {
    provenance,
    ...(name === undefined ? {} : { name }),
    ...(target === undefined ? {} : { target }),
    ...(tone === undefined ? {} : { tone }),
  });
  if (converted.ok) return converted;
  return { ...converted, ...(source_url === undefined ? {} : { source_url }) };
}

const READ_ERRORS: Readonly<Record<ReadFault["error_kind"], string>> = {
  path_not_found: "unknown_preset",
  path_not_a_file: "unknown_preset",
  path_outside_root: "path_outside_root",
  unicode_decode_error: "not_utf8",
  source_too_large: "too_large",
};

function local(path: string, read: ReadText): FoundDocument | ImportFailure {
  if (!read.ok) return { ok: false, error: READ_ERRORS[read.error_kind], message: read.message };
  return { ok: true, markdown: read.text, provenance: `path:${path}`, name: nameOf(path) };
}

/** The last part of a path, without its extension. */
export function nameOf(path: string): string {
  const file =
    path
      .split("/")
      .filter((part) => part !== "")
      .at(-1) ?? "";
  return file.replace(/\.[A-Za-z0-9]+$/, "");
}
