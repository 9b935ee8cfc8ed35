/** When a job called what: a lane for each branch, a bar for each call in the colour of its adapter. Time that the job was parked is folded away. */
import { useMemo, useState } from "preact/hooks";
import { stepText, useCallWords } from "../../parts/calls.ts";
import { Status } from "../../parts/status.tsx";
import { WindowedTable } from "../../parts/tables/windowed-table.tsx";
import { duration, number } from "../../words.ts";
import type { JobCall } from "./job-calls.ts";

type Bar = JobCall & { readonly from: number; readonly to: number };
/** `wait`, `failed`, and of other calls the colour of their adapter: what a bar looks like. */
type Look = "wait" | "failed" | (typeof COLORS)[number];
/** Calls that lie in the same places of a lane. */
type Mark = { readonly look: Look; readonly from: number; readonly to: number };

/** Of adapters, in the order in which they were called first; the last one is that of all others. */
const COLORS = ["c0", "c1", "c2", "c3", "c4", "c5"] as const;

/** Width of a lane, in places, and the least width of a mark. */
const WIDTH = 1000;
const MIN_MARK = 2;
const HEIGHT = 24;
/** Lanes that are shown at once. */
const LANES = 20;

/** `isPartial`: there were earlier calls. */
export function Timeline({ calls, isPartial }: { readonly calls: readonly JobCall[]; readonly isPartial: boolean }) {
  const [shown, setShown] = useState(LANES);
  const [isOpen, setOpen] = useState(false);
  const { bars, begin, end, lanes, colors } = useMemo(() => timelineOf(calls, isPartial), [calls, isPartial]);
  if (calls.length === 0) return null;
  const left = lanes.length - shown;
  return (
    <section aria-label="Timeline">
      <h2>Timeline</h2>
      <p class="quiet">
        {number(bars.length)} {bars.length === 1 ? "call" : "calls"} in {isPartial ? "the last " : ""}
        {duration(end - begin)} of the run's own time
        {bars.some(({ ended }) => ended === null) ? "; what it did between its calls is left out" : ""}
        {bars.some(({ kind }) => kind === "wait") ? "; time that it was parked is left out" : ""}
      </p>
      <Legend bars={bars} colors={colors} />
      {lanes.slice(0, shown).map(([branch, marks]) => (
        <div class="lane" key={branch}>
          <code>{branch === "" ? "main" : branch}</code>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            {marks.map(({ look, from, to }) => (
              <rect
                key={`${look} ${from}`}
                class={`bar ${look}`}
                x={from}
                y={2}
                width={to - from}
                height={HEIGHT - 4}
              />
            ))}
          </svg>
        </div>
      ))}
      {left <= 0 ? null : (
        <button type="button" onClick={() => setShown(shown + LANES)}>
          {number(left)} more {left === 1 ? "branch" : "branches"}
        </button>
      )}
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Calls in order</summary>
        {isOpen ? <Calls bars={bars} /> : null}
      </details>
    </section>
  );
}

/** In milliseconds of the run's own clock. */
type Span = { readonly begin: number; readonly end: number };
type Colors = ReadonlyMap<string, (typeof COLORS)[number]>;

/** What the colours mean. The list of calls says it in words. */
function Legend({ bars, colors }: { readonly bars: readonly Bar[]; readonly colors: Colors }) {
  const looks: readonly (readonly [Look, string])[] = [
    ...[...Map.groupBy(colors, ([, color]) => color)].map(
      ([color, adapters]) => [color, adapters.map(([name]) => name).join(", ")] as const,
    ),
    ...(bars.some(({ kind }) => kind === "wait") ? ([["wait", "waits"]] as const) : []),
    ...(bars.some(({ ok }) => ok === false) ? ([["failed", "failed"]] as const) : []),
  ];
  return (
    <ul class="legend">
      {looks.map(([look, title]) => (
        <li key={look}>
          <span class={`swatch ${look}`} /> {title}
        </li>
      ))}
    </ul>
  );
}

const COLUMNS = [
  ["#", 70],
  ["Call", 240],
  ["Step", 200],
  ["Branch", 160],
  ["State", 110],
  ["From", 110],
  ["Took", 110],
] as const;

function Calls({ bars }: { readonly bars: readonly Bar[] }) {
  const words = useCallWords();
  return (
    <WindowedTable label="Calls" columns={COLUMNS} rows={bars}>
      {(bar) => (
        <>
          <td>{bar.seq}</td>
          <td>{words(bar).name}</td>
          <td>{stepText(bar)}</td>
          <td>{bar.branch}</td>
          <td>{bar.kind === "wait" ? "waited" : <Status status={bar.ok === false ? "failed" : "succeeded"} />}</td>
          <td>{duration(bar.from)}</td>
          <td>{duration(bar.ms)}</td>
        </>
      )}
    </WindowedTable>
  );
}

function timelineOf(calls: readonly JobCall[], isPartial: boolean) {
  const bars = barsOf(calls);
  const begin = isPartial ? bars.reduce((first, { from }) => Math.min(first, from), Number.POSITIVE_INFINITY) : 0;
  const end = bars.reduce((latest, { to }) => Math.max(latest, to), begin + 1);
  const colors = colorsOf(bars);
  const lanes = [...Map.groupBy(bars, ({ branch }) => branch)].map(
    ([branch, own]) => [branch, marksOf(own, { begin, end }, colors)] as const,
  );
  return { bars, begin, end, lanes, colors };
}

/** Calls whose time is not known stand one after the other. */
function barsOf(calls: readonly JobCall[]): readonly Bar[] {
  let next = 0;
  return calls.map((call) => {
    const to = call.ended ?? next + call.ms;
    next = to;
    return { ...call, from: Math.max(0, to - call.ms), to };
  });
}

/** By adapter; those that only waited or failed have none. */
function colorsOf(bars: readonly Bar[]): Colors {
  const colors = new Map<string, (typeof COLORS)[number]>();
  for (const { kind, ok, adapter } of bars)
    if (kind === "call" && ok !== false && !colors.has(adapter)) colors.set(adapter, COLORS[colors.size] ?? "c5");
  return colors;
}

/** Marks of one look that touch are one, so that a lane never has more than there are places. What failed is drawn last, over the others. */
function marksOf(bars: readonly Bar[], { begin, end }: Span, colors: Colors): readonly Mark[] {
  const placeOf = (ms: number) => ((ms - begin) / (end - begin)) * WIDTH;
  const byLook = Map.groupBy(bars, (bar) => lookOf(bar, colors));
  return ([...COLORS, "wait", "failed"] as const).flatMap((look) => {
    const marks: { look: Look; from: number; to: number }[] = [];
    for (const bar of (byLook.get(look) ?? []).toSorted((a, b) => a.from - b.from)) {
      const from = Math.min(WIDTH - MIN_MARK, Math.floor(placeOf(bar.from)));
      const to = Math.max(from + MIN_MARK, Math.ceil(placeOf(bar.to)));
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
