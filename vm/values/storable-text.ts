/** Text as it can be kept by every store. */

/**
 * Databases take no zero byte, and half a surrogate pair would come back as another character. JSON text has escapes for both; this is
 * about what is kept, and looked for, as it is.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

export const STORABLE = "must not have zero bytes or halves of characters";
