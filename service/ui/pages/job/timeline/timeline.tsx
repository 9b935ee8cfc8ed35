/** When a job called what: a lane for each branch, a bar for each call in the colour of its adapter. The longest waits are breaks of the axis. */
import { useMemo, useState } from "preact/hooks";
import { adapterName } from "../../../../../compiler/diagram/host-words.ts";
import { useCallWords } from "../../../parts/calls.ts";
import { Status } from "../../../parts/status.tsx";
import type { StepWords } from "../../../parts/step-words.ts";
import { WindowedTable } from "../../../parts/tables/windowed-table.tsx";
import { counted, duration } from "../../../words.ts";
import type { JobCall, ShortCalls } from "../job-calls.ts";
import type { Axis, Break } from "./broken-axis.ts";
import { type Bar, type Lanes, type Look, lanesOf, WIDTH } from "./lanes.ts";

const HEIGHT = 24;
/** Half of how far the edge of a break leans. */
const CUT = 6;
/** Lanes that are shown at once. */
const LANES = 20;

/** Functions that the name of a lane holds. */
const MAX_NAMES = 3;
/** While a job waits, its last wait grows by steps of this length: longer ones where there are many calls to be drawn anew. */
const TICK_MS = 1000;
const MANY_TICK_MS = 10_000;
const MANY_CALLS = 1000;

type TimelineOf = {
  readonly calls: readonly JobCall[];
  readonly short: ShortCalls;
  /** null: the job has not begun, or there were earlier calls. */
  readonly started: number | null;
  /** null: the job is not over. */
  readonly ended: number | null;
  readonly steps: StepWords;
};

export function Timeline({ calls, short, started, ended, steps }: TimelineOf) {
  const [shown, setShown] = useState(LANES);
  const [isOpen, setOpen] = useState(false);
  const isWaiting = calls.some((call) => call.isOpen === true);
  const tick = calls.length > MANY_CALLS ? MANY_TICK_MS : TICK_MS;
  const now = isWaiting ? (ended ?? Math.floor(Date.now() / tick) * tick) : 0;
  const { bars, axis, lanes, colors } = useMemo(() => lanesOf(calls, started, now), [calls, started, now]);
  if (calls.length === 0) return <p class="quiet">The run has not called anything.</p>;
  const left = lanes.length - shown;
  return (
    <>
      <p class="quiet">
        {counted(bars.length, "call")} in {started === null ? "the last " : ""}
        {duration(axis.to - axis.from)}
        {bars.some(({ began }) => began === null) ? "; what it did between its calls is left out" : ""}
      </p>
      <Legend bars={bars} colors={colors} />
      <Breaks axis={axis} />
      {lanes.slice(0, shown).map(({ branch, labels, marks }) => (
        <div class="lane" key={branch}>
          <LaneName name={short.branches.get(branch) ?? laneName(branch, labels, steps)} />
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            {axis.breaks.map(({ from, left, right }) => (
              <rect key={from} class="break" x={left * WIDTH} y={0} width={(right - left) * WIDTH} height={HEIGHT} />
            ))}
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
            {axis.breaks.flatMap(({ left, right }) =>
              [left, right].map((edge) => (
                <path key={edge} class="cut" d={`M${edge * WIDTH - CUT} ${HEIGHT}L${edge * WIDTH + CUT} 0`} />
              )),
            )}
          </svg>
        </div>
      ))}
      {left <= 0 ? null : (
        <button type="button" onClick={() => setShown(shown + LANES)}>
          {counted(left, "more branch", "more branches")}
        </button>
      )}
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Calls in order</summary>
        {isOpen ? <Calls bars={bars} begin={axis.from} steps={steps} short={short} /> : null}
      </details>
    </>
  );
}

/** What has no room is there when one points at it. */
const LaneName = ({ name }: { readonly name: string }) => <code title={name}>{name}</code>;

/** `probe #2` for the second branch in which `probe` calls something; `probe, main` where both do. */
function laneName(branch: string, labels: readonly string[], steps: StepWords): string {
  const [, number] = /#([0-9]+)$/.exec(branch) ?? [];
  const names = [...new Set(labels.slice(0, MAX_NAMES).map(steps.name))].join(", ");
  const name = labels.length > MAX_NAMES ? `${names}, …` : names;
  return number === undefined ? name : `${name} #${Number(number) + 1}`;
}

/** The times that are not drawn to scale, with their lengths. */
function Breaks({ axis: { from, breaks } }: { readonly axis: Axis }) {
  if (breaks.length === 0) return null;
  const said = breaks.map((each) => `${duration(each.to - each.from)} after ${duration(each.from - from)}`);
  return (
    <div class="lane axis">
      <span class="quiet small">no call for</span>
      <svg role="img" aria-label={`Not drawn to scale, because nothing was called: ${said.join(", ")}`}>
        {breaks.map((each) => (
          <BreakLength key={each.from} of={each} />
        ))}
      </svg>
    </div>
  );
}

/** In two lines where it has two units: the break may be narrow. */
function BreakLength({ of: { from, to, left, right } }: { readonly of: Break }) {
  const middle = `${50 * (left + right)}%`;
  const [, first = "", second] = /^(\S+ \S+)(?: (.+))?$/.exec(duration(to - from)) ?? [];
  return (
    <text y={second === undefined ? 18 : 11}>
      <tspan x={middle}>{first}</tspan>
      {second === undefined ? null : (
        <tspan x={middle} dy="13">
          {second}
        </tspan>
      )}
    </text>
  );
}

/** What the colours mean. The list of calls says it in words. */
function Legend({ bars, colors }: { readonly bars: readonly Bar[]; readonly colors: Lanes["colors"] }) {
  const looks: readonly (readonly [Look, string])[] = [
    ...[...Map.groupBy(colors, ([, color]) => color)].map(
      ([color, adapters]) => [color, adapters.map(([name]) => adapterName(name)).join(", ")] as const,
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

/** `begin`: where the axis begins. */
type CallsOf = {
  readonly bars: readonly Bar[];
  readonly begin: number;
  readonly steps: StepWords;
  readonly short: ShortCalls;
};

function Calls({ bars, begin, steps, short }: CallsOf) {
  const words = useCallWords(short.calls);
  return (
    <WindowedTable label="Calls" columns={COLUMNS} rows={bars}>
      {(bar) => (
        <>
          <td>{bar.seq}</td>
          <td>{words(bar).name}</td>
          <td title={steps.source(bar) ?? undefined}>{steps.place(bar)}</td>
          <td>{short.branches.get(bar.branch) ?? laneName(bar.branch, [bar.label], steps)}</td>
          <td>{bar.kind === "wait" ? "waited" : <Status status={bar.ok === false ? "failed" : "succeeded"} />}</td>
          <td>{duration(bar.from - begin)}</td>
          <td>{bar.isOpen ? `${duration(bar.to - bar.from)} so far` : duration(bar.ms)}</td>
        </>
      )}
    </WindowedTable>
  );
}
