/**
 * Jobs of a burst that are one job (`batch`): its input `items` is the list of their inputs. They are put together as text, so that numbers stay as they
 * were sent.
 */

/** The input that a program with `batch` takes. */
export const ITEMS = "items";
const BEGIN = `{"${ITEMS}":[`;
const END = "]}";

/** Frame of a job with one item. `frame`: JSON of its inputs. */
export function gatheredText(frame: string | null): string {
  return `${BEGIN}${frame ?? "{}"}${END}`;
}

/** With the items of `more`, which are frames of jobs with one item each. */
export function joinedText(frame: string, more: readonly string[]): string {
  const items = [frame, ...more].map((text) => text.slice(BEGIN.length, -END.length));
  return `${BEGIN}${items.join(",")}${END}`;
}
