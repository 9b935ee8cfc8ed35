/**
 * Cron lines that run at other times than they seem to say, or at none. They are well-formed, so importing one from a document
 * would import a mistake.
 */
import { type CronItem, cronFields, DAYS_OF_MONTHS, valuesOf } from "../lower/cron.ts";

/** Values of a field: minutes, hours, days of a month, months, days of a week. */
const SIZES = [60, 24, 31, 12, 7] as const;
// Whether a line of five fields runs at all, and as it says. It does not with a day that none of its months has; with a step beyond its
// range (`*/90` minutes is every hour) or of a single value (`5/15`, which cron programs read in different ways); and with a step in one
// field of days next to the other field (`*/2` with `mon`), where they differ too.
export function runsAsWritten(text: string): boolean {
  const fields = cronFields(text);
  if (fields === null) return false;
  const [, , days = [], months = [], weekdays = []] = fields;
  return (
    fields.every((items, at) => items.every((item) => hasFittingStep(item, SIZES[at] ?? 0))) &&
    hasDays(days, months) &&
    !(isStepped(days) && !isAny(weekdays)) &&
    !(isStepped(weekdays) && !isAny(days))
  );
}

function hasFittingStep({ first, last, step, any }: CronItem, size: number): boolean {
  if (step === null) return true;
  return any ? step <= size : first < last && step <= last - first + 1;
}

/** Each day of the list is one of a month of the other. */
function hasDays(days: readonly CronItem[], months: readonly CronItem[]): boolean {
  const longest = Math.max(...months.flatMap(valuesOf).map((month) => DAYS_OF_MONTHS[month - 1] ?? 0));
  return days.every(({ first }) => first <= longest);
}

function isStepped(items: readonly CronItem[]): boolean {
  return items.some(({ any, step }) => any && step !== null && step > 1);
}

function isAny(items: readonly CronItem[]): boolean {
  return items.some(({ any, step }) => any && (step ?? 1) === 1);
}
