/** Where the lexer stands inside brackets and conditions: the same character is another token there. */

/** What may come next inside a map. */
export const enum MapState {
  Key,
  Colon,
  Value,
  Done,
}

/** Where the lexer stands in a condition, whose first word is split at its comparator. */
export const enum ConditionState {
  None,
  Start,
  Bracket,
}

export type OpenBracket = { readonly bracket: string; readonly offset: number; readonly line: number; map: MapState };
