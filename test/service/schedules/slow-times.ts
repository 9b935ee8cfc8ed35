/** Due times as a reader of the cron line would find them: by looking at each minute. Slow, and independent of croner. */

const MINUTE = 60_000;

/** Local time of an instant, from the zone data of the machine. */
function localOf(tz: string) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: tz,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    weekday: "short",
  });
  return (ms: number) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].indexOf(parts["weekday"] ?? "");
    return {
      y: Number(parts["year"]),
      mo: Number(parts["month"]),
      d: Number(parts["day"]),
      h: Number(parts["hour"]),
      m: Number(parts["minute"]),
      day,
    };
  };
}

function matcher(field: string, low: number, high: number): (value: number) => boolean {
  const values = new Set<number>();
  for (const item of field.split(",")) {
    const [range = "", step = "1"] = item.split("/");
    const [first = "", last = first] = range.split("-");
    const [from, to] = range === "*" ? [low, high] : [Number(first), Number(last)];
    for (let value = from; value <= to; value += Number(step)) values.add(value);
  }
  return (value) => values.has(value);
}

/** Every due time in (from, to], found by looking at each minute. */
export function slowTimes(cron: string, tz: string, from: number, to: number): number[] {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.split(" ");
  const local = localOf(tz);
  const fits = {
    m: matcher(minute, 0, 59),
    h: matcher(hour, 0, 23),
    mo: matcher(month, 1, 12),
    w: matcher(weekday, 0, 7),
  };
  const isFixed = !hour.includes("*");
  const isDay = (t: ReturnType<typeof local>) =>
    fits.mo(t.mo) &&
    fits.w(t.day) &&
    (day === "*" || (day === "L" ? new Date(Date.UTC(t.y, t.mo, 0)).getUTCDate() === t.d : matcher(day, 1, 31)(t.d)));
  const times: number[] = [];
  let last: ReturnType<typeof local> | null = null;
  const seen = new Set<string>();
  for (let ms = Math.floor(from / MINUTE) * MINUTE - 3 * 3600_000; ms <= to; ms += MINUTE) {
    const t = local(ms);
    const before = last ?? local(ms - MINUTE);
    last = t;
    let due = isDay(t) && fits.h(t.h) && fits.m(t.m);
    // A time of day that comes twice fires once; one that is left out fires when the clocks have gone on.
    const key = `${t.y}-${t.mo}-${t.d} ${t.h}:${t.m}`;
    if (due && isFixed && seen.has(key)) due = false;
    if (due) seen.add(key);
    const jumped = (t.h * 60 + t.m - before.h * 60 - before.m + 1440) % 1440;
    if (isFixed && !due && jumped > 1 && jumped <= 120 && isDay(t)) {
      const start = before.h * 60 + before.m + 1;
      for (let wanted = start; wanted < t.h * 60 + t.m; wanted++)
        due ||= fits.h(Math.floor(wanted / 60)) && fits.m(wanted % 60);
    }
    if (due && ms > from) times.push(ms);
  }
  return times;
}
