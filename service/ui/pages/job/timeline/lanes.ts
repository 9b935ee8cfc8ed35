/** Calls as bars on lanes: a lane for each branch, its marks placed on the axis of the job. */
import type { JobCall } from "../job-calls.ts";
import { type Axis, brokenAxis } from "./broken-axis.ts";

export type Bar = JobCall & { readonly from: number; readonly to: number };
/** `wait`, `failed`, and of other calls the colour of their adapter: what a bar looks like. */
export type Look = "wait" | "failed" | (typeof COLORS)[number];
/** Calls that lie in the same places of a lane. */
type Mark = { readonly look: Look; readonly from: number; readonly to: number };
/** Of adapters, in the order in which they were called first; the last one is that of all others. */
const COLORS = ["c0", "c1", "c2", "c3", "c4", "c5"] as const;
type Colors = ReadonlyMap<string, (typeof COLORS)[number]>;

/** Width of a lane, in places, and the least width of a mark. */
export const WIDTH = 1000;
const MIN_MARK = 2;

/** `labels`: those that call something, each once, in the order in which they do first. */
type Lane = { readonly branch: string; readonly labels: readonly string[]; readonly marks: readonly Mark[] };
export type Lanes = {
  readonly bars: readonly Bar[];
  readonly axis: Axis;
  readonly lanes: readonly Lane[];
  readonly colors: Colors;
};

/** `started`: when the job began; null: there were earlier calls. `now`: until when an open wait is drawn. All in milliseconds since 1970. */
export function lanesOf(calls: readonly JobCall[], started: number | null, now: number): Lanes {
  const bars = barsOf(calls, started, now);
  const first = bars.reduce((least, { from }) => Math.min(least, from), started ?? Number.POSITIVE_INFINITY);
  const last = bars.reduce((most, { to }) => Math.max(most, to), first);
  const busy = bars.filter(({ kind }) => kind === "call");
  const axis = brokenAxis(busy, { from: first, to: Math.max(last, first + 1) });
  const colors = colorsOf(busy);
  const lanes = [...grouped(bars, ({ branch }) => branch)].map(([branch, own]) => ({
    branch,
    labels: [...new Set(own.map(({ label }) => label))],
    marks: marksOf(own, axis, colors),
  }));
  return { bars, axis, lanes, colors };
}

/** Calls whose time is not known stand one after the other. */
function barsOf(calls: readonly JobCall[], started: number | null, now: number): readonly Bar[] {
  let next = started ?? 0;
  return calls.map((call) => {
    const from = call.began ?? next;
    next = call.isOpen === true ? Math.max(now, from) : from + call.ms;
    return { ...call, from, to: next };
  });
}

/** By adapter; those that only waited or failed have none. */
function colorsOf(busy: readonly Bar[]): Colors {
  const colors = new Map<string, (typeof COLORS)[number]>();
  for (const { ok, adapter } of busy)
    if (ok !== false && !colors.has(adapter)) colors.set(adapter, COLORS[colors.size] ?? "c5");
  return colors;
}

/** Marks of one look that touch are one, so that a lane never has more than there are places. What failed is drawn last, over the others. */
function marksOf(bars: readonly Bar[], { placeOf }: Axis, colors: Colors): readonly Mark[] {
  const byLook = grouped(bars, (bar) => lookOf(bar, colors));
  return (["wait", ...COLORS, "failed"] as const).flatMap((look) => {
    const marks: { look: Look; from: number; to: number }[] = [];
    for (const bar of (byLook.get(look) ?? []).toSorted((a, b) => a.from - b.from)) {
      const from = Math.min(WIDTH - MIN_MARK, Math.floor(placeOf(bar.from) * WIDTH));
      const to = Math.max(from + MIN_MARK, Math.ceil(placeOf(bar.to) * WIDTH));
      const last = marks.at(-1);
      if (last !== undefined && from < last.to) last.to = Math.max(last.to, to);
      else marks.push({ look, from, to });
    }
    return marks;
  });
}

function lookOf({ kind, ok, adapter }: JobCall, colors: Colors): Look {
  if (kind === "wait") return "wait";
  return ok === false ? "failed" : (colors.get(adapter) ?? "c5");
}

function grouped<Key>(bars: readonly Bar[], keyOf: (bar: Bar) => Key): ReadonlyMap<Key, readonly Bar[]> {
  const groups = new Map<Key, Bar[]>();
  for (const bar of bars) {
    const key = keyOf(bar);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [bar]);
    else group.push(bar);
  }
  return groups;
}
