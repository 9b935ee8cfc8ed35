/** Texts and numbers that are written in a way of their own: spans, times, cron lines, time zones (`TextForm`). */
import type { TextForm } from "../catalog.ts";
import { cronProblem } from "../lower/cron.ts";
import { readSpan } from "./time-span.ts";

/** How each is written. */
export const WRITTEN: { readonly [form in Exclude<TextForm, "namespace">]: string } = {
  span: 'a number of seconds or a text such as "90m" or "1d12h", of a year at most',
  cron: 'a text of five fields, such as "30 5 * * *"',
  instant: 'a time such as "2030-01-31T08:00:00Z"',
  zone: 'the name of a time zone, such as "Europe/Berlin"',
};

/** What is wrong, such as `cannot be 'x'`, and what is written instead. */
export type FormProblem = { readonly what: string; readonly write: string };

const SECONDS_OF_YEAR = 31_536_000;
/** In seconds these are times of this century; in milliseconds they are in January 1970. */
const FIRST_IN_SECONDS = 1e8;
const LAST_IN_SECONDS = 1e11;
const INSTANT = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const LONGEST_SHOWN = 60;

/** null: it is written as its form wants it. `isPause`: a span below zero is over at once, as what is left until a time may be. */
export function formProblem(
  given: string | number | boolean,
  form: Exclude<TextForm, "namespace">,
  isPause: boolean,
): FormProblem | null {
  const cannot = `cannot be '${String(given).slice(0, LONGEST_SHOWN)}'`;
  const write = WRITTEN[form];
  if (typeof given === "boolean") return { what: cannot, write };
  switch (form) {
    case "span":
      if (typeof given === "number" && given > SECONDS_OF_YEAR)
        return {
          what: "is in seconds, and this is more than a year",
          write: `${write}; in milliseconds it would be ${given / 1000} seconds`,
        };
      if (typeof given === "number" && given < 0)
        return isPause ? null : { what: "cannot be below zero", write: `0 to look without waiting, or ${write}` };
      return readSpan(given) === null ? { what: cannot, write } : null;
    case "instant":
      if (typeof given === "string")
        return INSTANT.test(given) && !Number.isNaN(Date.parse(given)) ? null : { what: cannot, write };
      return given >= FIRST_IN_SECONDS && given < LAST_IN_SECONDS
        ? { what: "is in milliseconds since 1970, and this is in seconds", write: String(given * 1000) }
        : null;
    case "cron": {
      if (typeof given !== "string") return { what: cannot, write };
      const problem = cronProblem(given);
      return problem === null ? null : { what: `${cannot}: ${problem.what}`, write: problem.write };
    }
    case "zone":
      return typeof given === "string" && isZone(given) ? null : { what: cannot, write };
  }
}

/** Whether the engine has the zone of this name. */
export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
