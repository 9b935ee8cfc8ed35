/** When a job called what: a lane for each branch, a bar for each call. Time that the job was parked is folded away. */
import { useMemo, useState } from "preact/hooks";
import { stepText, useCallWords } from "../../parts/calls.ts";
import { Status } from "../../parts/status.tsx";
import { WindowedTable } from "../../parts/tables/windowed-table.tsx";
import { duration, number } from "../../words.ts";
import type { JobCall } from "./job-calls.ts";

type Bar = JobCall & { readonly from: number; readonly to: number };
type State = "done" | "wait" | "failed";
/** Calls that lie in the same places of a lane. */
type Mark = { readonly state: State; readonly from: number; readonly to: number };

/** Width of a lane, in places, and the least width of a mark. */
const WIDTH = 1000;
const MIN_MARK = 2;
const HEIGHT = 24;
/** Lanes that are shown at once. */
const LANES = 20;

export function Timeline({ calls }: { readonly calls: readonly JobCall[] }) {
  const [shown, setShown] = useState(LANES);
  const [isOpen, setOpen] = useState(false);
  const { bars, end, lanes } = useMemo(() => timelineOf(calls), [calls]);
  if (calls.length === 0) return null;
  const left = lanes.length - shown;
  return (
    <section aria-label="Timeline">
      <h2>Timeline</h2>
      <p class="quiet">
        {number(bars.length)} {bars.length === 1 ? "call" : "calls"} in {duration(end)} of the run's own time
        {bars.some(({ ended }) => ended === null) ? "; what it did between its calls is left out" : ""}
        {bars.some(({ kind }) => kind === "wait") ? "; time that it was parked is left out" : ""}
      </p>
      {lanes.slice(0, shown).map(([branch, marks]) => (
        <div class="lane" key={branch}>
          <code>{branch === "" ? "main" : branch}</code>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            {marks.map(({ state, from, to }) => (
              <rect
                key={`${state} ${from}`}
                class={`bar ${state}`}
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

function timelineOf(calls: readonly JobCall[]) {
  const bars = barsOf(calls);
  const end = bars.reduce((latest, { to }) => Math.max(latest, to), 1);
  const lanes = [...Map.groupBy(bars, ({ branch }) => branch)].map(
    ([branch, own]) => [branch, marksOf(own, end)] as const,
  );
  return { bars, end, lanes };
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

/** Marks of one state that touch are one, so that a lane never has more than there are places. What failed is drawn last, over the others. */
function marksOf(bars: readonly Bar[], end: number): readonly Mark[] {
  return (["done", "wait", "failed"] as const).flatMap((state) => {
    const marks: { state: State; from: number; to: number }[] = [];
    const own = bars.filter((bar) => stateOf(bar) === state).sort((a, b) => a.from - b.from);
    for (const bar of own) {
      const from = Math.min(WIDTH - MIN_MARK, Math.floor((bar.from / end) * WIDTH));
      const to = Math.max(from + MIN_MARK, Math.ceil((bar.to / end) * WIDTH));
      const last = marks.at(-1);
      if (last !== undefined && from < last.to) last.to = Math.max(last.to, to);
      else marks.push({ state, from, to });
    }
    return marks;
  });
}

const stateOf = ({ kind, ok }: JobCall): State => (kind === "wait" ? "wait" : ok === false ? "failed" : "done");
