/** When a schedule fires, in words: `at 07:00, Monday to Friday (Europe/Berlin)`. What has no short sentence stays as its line is written. */

const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];
const DAY_NAMES = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MONTH_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

export function scheduleWords({ cron, tz }: { readonly cron: string; readonly tz: string }): string {
  const words = cronWords(cron);
  return words === null ? `${cron} (${tz})` : `${words} (${tz})`;
}

/** null: the line has no short sentence. */
function cronWords(cron: string): string | null {
  const fields = cron.trim().split(/\s+/);
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  if (fields.length !== 5) return null;
  const time = timeWords(minute, hour);
  const on = dayWords(day, weekday);
  const within = month === "*" ? "" : namesOf(month, MONTH_NAMES, MONTHS, 1);
  if (time === null || on === null || within === null) return null;
  return [time, ...(on === "" ? [] : [on]), ...(within === "" ? [] : [`in ${within}`])].join(", ");
}

function timeWords(minute: string, hour: string): string | null {
  const step = /^\*\/([1-9][0-9]?)$/;
  if (hour === "*") {
    if (minute === "*") return "every minute";
    const [, each] = step.exec(minute) ?? [];
    if (each !== undefined) return 60 % Number(each) === 0 ? everyWords(each, "minute") : null;
    return isNumber(minute, 59) ? `every hour at :${two(minute)}` : null;
  }
  const [, hours] = step.exec(hour) ?? [];
  if (!isNumber(minute, 59)) return null;
  if (hours !== undefined) return 24 % Number(hours) === 0 ? `${everyWords(hours, "hour")} at :${two(minute)}` : null;
  const times = hour.split(",");
  if (times.length > 6 || !times.every((each) => isNumber(each, 23))) return null;
  return `at ${joined(times.map((each) => `${two(each)}:${two(minute)}`))}`;
}

const everyWords = (count: string, unit: string): string =>
  count === "1" ? `every ${unit}` : `every ${count} ${unit}s`;

/** "": every day. Where both are given, a line fires on either, which has no short sentence. */
function dayWords(day: string, weekday: string): string | null {
  if (day === "*" && weekday === "*") return "";
  if (day === "*") return namesOf(weekday, DAY_NAMES, DAYS, 0);
  if (weekday !== "*") return null;
  const days = day.split(",");
  return days.every((each) => isNumber(each, 31) && each !== "0") ? `on day ${joined(days)} of the month` : null;
}

/** `Monday to Friday`, `Saturday and Sunday`. `first`: the number of the first name. */
function namesOf(field: string, short: readonly string[], long: readonly string[], first: number): string | null {
  const nameOf = (text: string): string | null => {
    const at = /^[0-9]{1,2}$/.test(text) ? Number(text) - first : short.indexOf(text.toLowerCase());
    // Sunday is 0 and 7.
    return long[long.length === 7 ? at % 7 : at] ?? null;
  };
  const names = field.split(",").map((part) => {
    const [from = "", to, more] = part.split("-");
    if (more !== undefined) return null;
    const [begin, end] = [nameOf(from), to === undefined ? null : nameOf(to)];
    if (begin === null || (to !== undefined && end === null)) return null;
    return end === null ? begin : `${begin} to ${end}`;
  });
  return names.includes(null) ? null : joined(names as string[]);
}

const isNumber = (text: string, most: number): boolean => /^[0-9]{1,2}$/.test(text) && Number(text) <= most;
const two = (text: string): string => text.padStart(2, "0");

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
