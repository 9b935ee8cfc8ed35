/** A row of the tables of what the compiler of the Python form refuses. */
export type RefusalRow = { readonly code: string; readonly sentence: string; readonly instead: string | null };

export function row(code: string, sentence: string, instead: string | null = null): RefusalRow {
  return { code, sentence, instead };
}
