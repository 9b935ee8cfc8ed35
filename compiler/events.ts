/** Names of events, and patterns of such names: what programs declare, emit and may hear of (docs/events.md). */

/** Characters of a name. */
export const MAX_EVENT_NAME = 128;

/** `orders/created`: parts of A-Z a-z 0-9 . _ - with / between them, of any length. */
export const EVENT_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/;
export const EVENT_NAME_WORDS = `the name of an event such as "orders/created", of up to ${MAX_EVENT_NAME} characters`;

export function isEventName(text: string): boolean {
  return text.length <= MAX_EVENT_NAME && EVENT_NAME.test(text);
}

/** Begins what `signal.wait` is given for an event. */
export const EVENT_PREFIX = "event:";

/** The one spelling of a pattern: a name, or the beginning of names with `*` at its end; null: it is neither. */
export function foldEventPattern(text: string): string | null {
  if (isEventName(text)) return text;
  if (!text.endsWith("*") || text.length > MAX_EVENT_NAME) return null;
  return text === "*" || /^[A-Za-z0-9_][A-Za-z0-9._/-]*$/.test(text.slice(0, -1)) ? text : null;
}

/** The names that both patterns admit, as one pattern; null: they have none in common. */
export function meetEventPatterns(left: string, right: string): string | null {
  if (admitsEvent(left, right)) return right;
  return admitsEvent(right, left) ? left : null;
}

/** Whether a pattern admits a name, or all names of another pattern. */
export function admitsEvent(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}
