/**
 * The syntax of cron expressions (`Cr`, `S name cron`): five fields or one of the `@` words. Judges the form only; when a
 * schedule is due is the business of whoever runs it.
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

export function isCronExpression(text: string): boolean {
  const parts = text.trim().split(/\s+/);
  if (parts.length === 1) return WORDS.has(text.trim().toLowerCase());
  if (parts.length !== FIELDS.length) return false;
  return FIELDS.every((field, index) => (parts[index] ?? "").split(",").every((item) => isItem(item, field)));
}

/** `*`, `5`, `1-5`, `mon`, each with an optional step: `x/15`. */
function isItem(item: string, field: Field): boolean {
  const [range = "", step, ...rest] = item.split("/");
  if (rest.length > 0) return false;
  if (step !== undefined && !(/^[0-9]{1,4}$/.test(step) && Number(step) >= 1)) return false;
  if (range === "*" || (range === "?" && step === undefined)) return true;
  const ends = range.split("-");
  if (ends.length > 2) return false;
  const values = ends.map((end) => fieldValue(end, field));
  const [first = null, last = first] = values;
  return first !== null && last !== null && first <= last;
}

function fieldValue(text: string, field: Field): number | null {
  const named = field.names.indexOf(text.toLowerCase());
  // Names count from the field's lowest value: jan is 1, sun is 0.
  if (named >= 0) return named + field.low;
  if (!/^[0-9]{1,4}$/.test(text)) return null;
  const value = Number(text);
  return value >= field.low && value <= field.high ? value : null;
}
