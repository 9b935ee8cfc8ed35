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

type Field = {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly names: readonly string[];
};

/** Day of the week: 0 and 7 are Sunday. */
const FIELDS: readonly Field[] = [
  { name: "minute", low: 0, high: 59, names: [] },
  { name: "hour", low: 0, high: 23, names: [] },
  { name: "day", low: 1, high: 31, names: [] },
  { name: "month", low: 1, high: 12, names: MONTHS },
  { name: "day of the week", low: 0, high: 7, names: DAYS },
];
const [DAY, MONTH, WEEKDAY] = [2, 3, 4];
/** Of February in a leap year. */
export const DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

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

/** What is wrong with a line, and how it is written instead. */
export type CronProblem = {
  readonly what: string;
  readonly write: string;
  /** The line that is meant for certain; null: only its author knows. */
  readonly meant: string | null;
};

const WRITTEN = 'minute, hour, day, month and day of the week, such as "0 8 * * 1-5", or a word such as "@hourly"';

/** null: it is a cron line, and there are times that it names. */
export function cronProblem(text: string): CronProblem | null {
  if (WORDS.has(text.trim().toLowerCase())) return null;
  const parts = text.trim().split(/\s+/);
  if (parts.length !== FIELDS.length) {
    // Other programs begin a line with seconds.
    const shorter = parts.slice(1).join(" ");
    const isQuartz = parts[0] === "0" && isCronExpression(shorter);
    return {
      what: `a cron line has five fields, and this has ${text.trim() === "" ? 0 : parts.length}`,
      write: isQuartz ? `"${shorter}"` : WRITTEN,
      meant: isQuartz ? shorter : null,
    };
  }
  const fields = FIELDS.map((field, at) => itemsOf(parts[at] ?? "", field));
  const bad = fields.indexOf(null);
  const field = FIELDS[bad];
  if (field !== undefined) {
    const what = `the ${field.name} of a cron line cannot be '${parts[bad]}': values are ${field.low} to ${field.high}`;
    return { what, write: WRITTEN, meant: null };
  }
  return neverFires(
    parts,
    fields.filter((items) => items !== null),
  );
}

/** A day that none of the months has, where no day of the week is named instead. */
function neverFires(parts: readonly string[], fields: readonly (readonly CronItem[])[]): CronProblem | null {
  const [days = [], months = []] = [fields[DAY], fields[MONTH]];
  if (!/^[*?]$/.test(parts[WEEKDAY] ?? "") || days.some(({ last }) => last === LAST_DAY)) return null;
  const longest = Math.max(...months.flatMap(valuesOf).map((month) => DAYS_OF_MONTHS[month - 1] ?? 0));
  if (days.some(({ first }) => first <= longest)) return null;
  const write = parts.map((part, at) => (at === DAY ? "L" : part)).join(" ");
  return {
    what: "the line never fires: its months do not have that day",
    write: `"${write}" for the last day of the month`,
    meant: null,
  };
}

export function valuesOf({ first, last, step }: CronItem): readonly number[] {
  const count = Math.floor((last - first) / (step ?? 1)) + 1;
  return Array.from({ length: count }, (_, at) => first + at * (step ?? 1));
}

/** The items of the five fields; null when the text is not a cron expression. */
export function cronFields(text: string): readonly (readonly CronItem[])[] | null {
  const parts = text.trim().split(/\s+/);
  if (parts.length !== FIELDS.length) return null;
  const fields = FIELDS.map((field, index) => itemsOf(parts[index] ?? "", field));
  return fields.includes(null) ? null : fields.filter((items) => items !== null);
}

/** In place of a day: the last one of the month, or a working day. */
const LAST_DAY = 32;
const SOME_LAST_DAY: CronItem = { first: LAST_DAY, last: LAST_DAY, step: null, any: false };

function itemsOf(text: string, field: Field): readonly CronItem[] | null {
  if (field === FIELDS[DAY] && /^LW$/i.test(text)) return [SOME_LAST_DAY];
  const items = text.split(",").map((item) => itemOf(item, field));
  return items.includes(null) ? null : items.filter((item) => item !== null);
}

/** `*`, `5`, `1-5`, `mon`, with a step `*\/15` and `1-5/2`; of days `L` and `15W`, of days of the week `5L` and `1#2`. */
function itemOf(text: string, field: Field): CronItem | null {
  if (field === FIELDS[DAY] && /^L$/i.test(text)) return SOME_LAST_DAY;
  if (field === FIELDS[DAY] && /^[0-9]{1,4}W$/i.test(text))
    return itemOf(text.slice(0, -1), field) === null ? null : SOME_LAST_DAY;
  const item = field === FIELDS[WEEKDAY] ? text.replace(/(?<=[0-9a-z])(?:L|#[1-5])$/i, "") : text;
  const [range = "", written, ...rest] = item.split("/");
  if (rest.length > 0) return null;
  const step = written === undefined ? null : Number(written);
  const size = field === FIELDS[WEEKDAY] ? DAYS.length : field.high - field.low + 1;
  if (written !== undefined && !(/^[0-9]{1,4}$/.test(written) && Number(written) >= 1 && Number(written) <= size))
    return null;
  if (/^[*?]$/.test(range)) return item === text ? { first: field.low, last: field.high, step, any: true } : null;
  const ends = range.split("-");
  // A step counts within a range.
  if (ends.length > 2 || (step !== null && ends.length !== 2)) return null;
  const first = fieldValue(ends[0] ?? "", field);
  const last = ends.length === 1 ? first : lastValue(ends[1] ?? "", field);
  return first === null || last === null || first > last ? null : { first, last, step, any: false };
}

/** A range of days of the week may end on Sunday. */
function lastValue(text: string, field: Field): number | null {
  return field === FIELDS[WEEKDAY] && text.toLowerCase() === "sun" ? field.high : fieldValue(text, field);
}

function fieldValue(text: string, field: Field): number | null {
  const named = field.names.indexOf(text.toLowerCase());
  // Names count from the field's lowest value: jan is 1, sun is 0.
  if (named >= 0) return named + field.low;
  if (!/^[0-9]{1,4}$/.test(text)) return null;
  const value = Number(text);
  return value >= field.low && value <= field.high ? value : null;
}
