/**
 * Counts and lists as English says them. Every message that counts or enumerates words in a sentence does it here, so that no floor has a
 * rule of its own; what is cut to a width or given to programs is not for this file.
 */

/** `1 place`, `2 places`; `plural` for nouns that take no s. */
export function counted(count: number, noun: string, plural?: string): string {
  return `${count} ${nounFor(count, noun, plural)}`;
}

/** The noun without the number, for numbers that are shown in a form of their own. */
export function nounFor(count: number, noun: string, plural = `${noun}s`): string {
  return count === 1 ? noun : plural;
}

/** `fs`, `fs and http`, `fs, http and sqlite`; empty for no words. */
export function listed(words: readonly string[], conjunction: "and" | "or" = "and"): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}
