/**
 * The syntax of cron expressions (`Cr`, `S name cron`): five fields or one of the `@` words. Checks the form only; running a
 * schedule when it is due is the task of a scheduler.
 */

const WORDS: ReadonlySet<string> = new Set([
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
]);

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

type Field = { readonly low: number; readonly high: number; readonly names: readonly string[] };

/** Minute, hour, day of month, month, day of week (0 and 7 are Sunday). */
const FIELDS: readonly Field[] = [
  { low: 0, high: 59, names: [] },
  { low: 0, high: 23, names: [] },
  { low: 1, high: 31, names: [] },
  { low: 1, high: 12, names: MONTHS },
  { low: 0, high: 7, names: DAYS },
];

/** One item of a field: the values from `first` to `last`, every `step`th of them. */
export type CronItem = {
  readonly first: number;
  readonly last: number;
  /** null: none is written. */
  readonly step: number | null;
  /** All values, as `*` or `?` says, whatever the step. */
  readonly any: boolean;
};

export function isCronExpression(text: string): boolean {
  return WORDS.has(text.trim().toLowerCase()) || cronFields(text) !== null;
}

/** The items of the five fields; null when the text is not a cron expression. */
export function cronFields(text: string): readonly (readonly CronItem[])[] | null {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== FIELDS.length) return null;
  const fields = FIELDS.map((field, index) => itemsOf(parts[index] ?? "", field));
  return fields.includes(null) ? null : fields.filter((items) => items !== null);
}

function itemsOf(text: string, field: Field): readonly CronItem[] | null {
  const items = text.split(",").map((item) => itemOf(item, field));
  return items.includes(null) ? null : items.filter((item) => item !== null);
}

/** `*`, `5`, `1-5`, `mon`, each with an optional step: `x/15`. */
function itemOf(item: string, field: Field): CronItem | null {
  const [range = "", written, ...rest] = item.split("/");
  if (rest.length > 0) return null;
  const step = written === undefined ? null : Number(written);
  if (written !== undefined && !(/^[0-9]{1,4}$/.test(written) && Number(written) >= 1)) return null;
  if (range === "*" || (range === "?" && step === null)) return { first: field.low, last: field.high, step, any: true };
  const ends = range.split("-");
  if (ends.length > 2) return null;
  const values = ends.map((end) => fieldValue(end, field));
  const [first = null, last = first] = values;
  return first === null || last === null || first > last ? null : { first, last, step, any: false };
}

function fieldValue(text: string, field: Field): number | null {
  const named = field.names.indexOf(text.toLowerCase());
  // Names count from the field's lowest value: jan is 1, sun is 0.
  if (named >= 0) return named + field.low;
  if (!/^[0-9]{1,4}$/.test(text)) return null;
  const value = Number(text);
  return value >= field.low && value <= field.high ? value : null;
}
