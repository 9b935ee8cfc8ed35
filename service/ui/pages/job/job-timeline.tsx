/** When a job called what: a lane for each branch, a bar for each call in the colour of its adapter. Time that the job was parked is folded away. */
import { useMemo, useState } from "preact/hooks";
import { useCallWords } from "../../parts/calls.ts";
import { Status } from "../../parts/status.tsx";
import type { StepWords } from "../../parts/step-words.ts";
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
type TimelineOf = { readonly calls: readonly JobCall[]; readonly isPartial: boolean; readonly steps: StepWords };

export function Timeline({ calls, isPartial, steps }: TimelineOf) {
  const [shown, setShown] = useState(LANES);
  const [isOpen, setOpen] = useState(false);
  const { bars, begin, end, lanes, colors } = useMemo(() => timelineOf(calls, isPartial), [calls, isPartial]);
  if (calls.length === 0) return <p class="quiet">The run has not called anything.</p>;
  const left = lanes.length - shown;
  return (
    <>
      <p class="quiet">
        {number(bars.length)} {bars.length === 1 ? "call" : "calls"} in {isPartial ? "the last " : ""}
        {duration(end - begin)} of the run's own time
        {bars.some(({ ended }) => ended === null) ? "; what it did between its calls is left out" : ""}
        {bars.some(({ kind }) => kind === "wait") ? "; time that it was parked is left out" : ""}
      </p>
      <Legend bars={bars} colors={colors} />
      {lanes.slice(0, shown).map(({ branch, label, marks }) => (
        <div class="lane" key={branch}>
          <code title={branch === "" ? undefined : branch}>{laneName(branch, label, steps)}</code>
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
        {isOpen ? <Calls bars={bars} steps={steps} /> : null}
      </details>
    </>
  );
}

/** `probe #2` for the second branch in which `probe` calls something; outside of branches the function alone. */
function laneName(branch: string, label: string, steps: StepWords): string {
  const [, number] = /#([0-9]+)$/.exec(branch) ?? [];
  return number === undefined ? steps.name(label) : `${steps.name(label)} #${Number(number) + 1}`;
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

function Calls({ bars, steps }: { readonly bars: readonly Bar[]; readonly steps: StepWords }) {
  const words = useCallWords();
  return (
    <WindowedTable label="Calls" columns={COLUMNS} rows={bars}>
      {(bar) => (
        <>
          <td>{bar.seq}</td>
          <td>{words(bar).name}</td>
          <td title={steps.source(bar) ?? undefined}>{steps.place(bar)}</td>
          <td>{laneName(bar.branch, bar.label, steps)}</td>
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
  const lanes = [...Map.groupBy(bars, ({ branch }) => branch)].map(([branch, own]) => ({
    branch,
    label: own[0]?.label ?? "",
    marks: marksOf(own, { begin, end }, colors),
  }));
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
