/**
 * What goes into an import of Markdown and what comes out (docs/import.md). The importers read text and write text: they know no
 * files, no network and no adapters' code, and they never run what they write.
 */

/** Most UTF-8 bytes of a document. */
export const MAX_DOCUMENT_BYTES = 1024 * 1024;

export type DocumentType = "workflow" | "agent";

/** Where a program keeps its steps or parts besides its result: nowhere (core), or with one store call each. */
export const IMPORT_TARGETS = ["core", "cache", "memory"] as const;
export type ImportTarget = (typeof IMPORT_TARGETS)[number];

export type ImportOptions = {
  /** Default core: the program calls nothing but `core`. */
  readonly target?: ImportTarget;
  /** Where the document comes from, for `meta`: `inline` (default), `preset:SLUG`, an address. */
  readonly provenance?: string;
  /** File or slug name, for documents that name themselves nowhere. */
  readonly name?: string;
  /** Of agents: goes before the document's own. At most 200 characters count. */
  readonly tone?: string;
};

type CommonMeta = {
  readonly provenance: string;
  readonly title: string;
  readonly slug: string;
  /** Code points of the document. */
  readonly markdown_chars: number;
  /** Something beyond a title was found: the opposite of `fallback_stub`. */
  readonly parsed: boolean;
  readonly fallback_stub: boolean;
  readonly target: ImportTarget;
  readonly warnings: readonly string[];
};

export type WorkflowMeta = CommonMeta & {
  readonly type: "workflow";
  /** null: the document has no schedule, or none that was understood. */
  readonly cron: string | null;
  /** The schedule as the document words it. */
  readonly schedule_note: string | null;
  readonly steps: number;
};

export type AgentMeta = CommonMeta & {
  readonly type: "agent";
  readonly agent_slug: string;
  /** Names of the parts that were found, in the order of the profile. */
  readonly parts: readonly string[];
};

export type Imported<Meta extends WorkflowMeta | AgentMeta = WorkflowMeta | AgentMeta> = {
  readonly source: string;
  readonly meta: Meta;
};
