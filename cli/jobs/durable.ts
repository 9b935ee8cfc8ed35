/** What `wf jobs frame`, `state`, `signal` and `outcome` print and send, and what the service says of waits. */

import * as z from "zod/mini";
import { exactJson, readExactly } from "../../vm/inputs/exact-text.ts";
import { visible } from "../output/terminal/columns.ts";
import { jsonIndented } from "../output/terminal/json.ts";
import { table } from "../output/terminal/table.ts";
import { usageFault } from "../session/faults.ts";
import type { Screen } from "../session/screen.ts";

const Wait = z.looseObject({
  wait: z.string(),
  kind: z.string(),
  names: z.optional(z.array(z.string())),
  keyed: z.optional(z.boolean()),
  of: z.optional(z.number()),
  approval: z.optional(z.string()),
  jobs: z.optional(z.array(z.string())),
  branch: z.optional(z.string()),
  since: z.string(),
  until: z.nullable(z.string()),
  ended_at: z.nullable(z.string()),
});
export const Waits = z.looseObject({
  job_id: z.string(),
  status: z.string(),
  waits: z.array(Wait),
  unread: z.record(z.string(), z.number()),
});
export type JobWaits = z.output<typeof Waits>;

const Record = z.looseObject({
  seq: z.number(),
  kind: z.string(),
  at: z.string(),
  active_ms: z.number(),
  label: z.optional(z.string()),
  node: z.optional(z.string()),
  adapter: z.optional(z.string()),
  verb: z.optional(z.string()),
  ok: z.optional(z.boolean()),
});
export const Journal = z.looseObject({
  job_id: z.string(),
  records: z.array(Record),
  next_after: z.nullable(z.number()),
});
export type JobJournal = z.output<typeof Journal>;

export const Frame = z.looseObject({
  job_id: z.string(),
  bytes: z.number(),
  shown: z.string(),
  frame: z.record(z.string(), z.unknown()),
});
export type JobFrame = z.output<typeof Frame>;
export const State = z.looseObject({
  at: z.nullable(z.string()),
  shown: z.enum(["values", "shapes"]),
  progress: z.nullable(z.looseObject({ value: z.unknown(), text: z.nullable(z.string()) })),
  state: z.record(z.string(), z.unknown()),
});
export type JobState = z.output<typeof State>;

export const Sent = z.looseObject({ id: z.string(), delivered: z.string(), jobs: z.number() });
export const Decided = z.looseObject({ job_id: z.string(), status: z.string() });

/** `wanted`: values were asked for. */
export function showFrame({ frame, shown, bytes }: JobFrame, wanted: boolean, screen: Screen): void {
  if (shown === "values") screen.out(`${jsonIndented(frame)}\n`);
  else if (Object.keys(frame).length === 0) screen.note("the job begins without variables");
  else {
    const rows = Object.entries(frame).map(([name, shape]) => [name, String(shape)]);
    screen.out(`${table([["name", "value"], ...rows], screen.tableWidth).join("\n")}\n`);
    if (wanted) screen.note(`values are shown up to 64 KiB, and these have ${bytes} bytes`);
  }
}

export function showState({ at, shown, progress, state }: JobState, screen: Screen): void {
  if (at === null) {
    screen.note("the job has shown nothing: programs do with progress(…) and set_state(…)");
    return;
  }
  const isShape = shown === "shapes";
  const rows = Object.entries(state).map(([name, value]) => [name, isShape ? String(value) : exactJson(value)]);
  if (progress !== null) {
    const share = typeof progress.value === "number" ? `${Math.floor(progress.value * 100)} %` : String(progress.value);
    screen.out(`${visible([share, progress.text].filter((part) => part !== null).join("  "))}\n`);
  }
  if (rows.length > 0) screen.out(`${table([["name", "value"], ...rows], screen.tableWidth).join("\n")}\n`);
  screen.note(`as of ${at}`);
}

/** JSON given as `option`. */
export function jsonGiven(option: string, text: string): unknown {
  try {
    return readExactly(text);
  } catch {
    throw usageFault(`option ${option} needs JSON, such as '{"door": true}'`);
  }
}

/** Seconds, or parts such as 7d or 1h30m. */
export function spanSeconds(option: string, text: string): number {
  if (/^[0-9]{1,9}$/.test(text)) return Number(text);
  if (!/^(?:[0-9]{1,6}[smhdw])+$/.test(text))
    throw usageFault(`option ${option} needs seconds, or a span such as 7d, found '${text}'`);
  const units: Readonly<{ [unit: string]: number }> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
  let total = 0;
  for (const [, count, unit = "s"] of text.matchAll(/([0-9]+)([smhdw])/g)) total += Number(count) * (units[unit] ?? 1);
  return total;
}

const WAYS = ["fail", "ask", "retry"] as const;

/** `ask`, or `http.Post=ask,*=fail`. */
export function unknownWays(text: string): unknown {
  if ((WAYS as readonly string[]).includes(text)) return text;
  const ways = text.split(",").map((part) => part.split("="));
  if (ways.some(([name, way]) => name === undefined || !(WAYS as readonly (string | undefined)[]).includes(way)))
    throw usageFault("option --on-unknown needs fail, ask or retry, or pairs such as http.Post=ask,*=fail");
  return Object.fromEntries(ways.map(([name, way]) => [name, way]));
}
