import type { Json } from "../../compiler/json.ts";

export type ParserJob = { readonly kind: string; readonly source: readonly unknown[] };

export type ParserReply =
  | { readonly document: unknown }
  /** null: the parser broke down. */
  | { readonly error: { readonly code: string; readonly message: string; readonly data: Json } | null };
