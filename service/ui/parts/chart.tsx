/** Runs and failures per second and the queue over the last hour, drawn by uPlot, which is loaded with the first chart. */
import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";

type Reading = { readonly at: number; readonly runs: number; readonly failures: number; readonly depth: number };

const HEIGHT = 180;
const MIN_SPAN_S = 60;

export function Chart({ readings }: { readonly readings: readonly Reading[] }) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  useEffect(() => {
    let gone = false;
    void import("uplot").then(({ default: Plot }) => {
      const { current } = place;
      if (gone || current === null) return;
      chart.current = new Plot(options(current.clientWidth), columns(readings), current);
    });
    const resize = () => place.current && chart.current?.setSize({ width: place.current.clientWidth, height: HEIGHT });
    addEventListener("resize", resize);
    return () => {
      gone = true;
      removeEventListener("resize", resize);
      chart.current?.destroy();
    };
  }, []);
  useEffect(() => chart.current?.setData(columns(readings)), [readings]);
  const last = readings.at(-1);
  return (
    <figure>
      <div ref={place} aria-hidden="true" />
      <figcaption class="quiet">
        <span class="key runs" /> runs and <span class="key failures" /> failures per second (left),{" "}
        <span class="key queue" /> length of the queue (right)
        {last === undefined ? "" : `, which is ${last.depth} now`}. Times are UTC.
      </figcaption>
    </figure>
  );
}

const PER_SECOND = { scale: "rate", width: 2 } as const;

function options(width: number): uPlot.Options {
  const line = getComputedStyle(document.documentElement).getPropertyValue("--line") || "#888";
  const text = getComputedStyle(document.documentElement).color;
  const axis = { stroke: text, grid: { stroke: line, width: 1 } };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { range: (_plot, from, to) => [Math.min(from, to - MIN_SPAN_S), to] },
      rate: { range: { min: { hard: 0, mode: 1 }, max: { soft: 1, mode: 1 } } },
      depth: { range: { min: { hard: 0, mode: 1 }, max: { soft: 1, mode: 1 } } },
    },
    axes: [
      { ...axis, values: (_plot, times) => times.map(timeOfDay) },
      { ...axis, scale: "rate" },
      { ...axis, scale: "depth", side: 1, grid: { show: false } },
    ],
    series: [
      {},
      { ...PER_SECOND, label: "runs", stroke: "#2b6cb0" },
      { ...PER_SECOND, label: "failures", stroke: "#c53030" },
      { scale: "depth", width: 1, label: "queue", stroke: "#b7791f" },
    ],
  };
}

/** `seconds`: since 1970. Other times of the console are UTC, too. */
const timeOfDay = (seconds: number): string => new Date(1000 * seconds).toISOString().slice(11, 19);

/** Counters become rates between one reading and the next. */
function columns(readings: readonly Reading[]): uPlot.AlignedData {
  const pairs = readings.slice(1).map((after, at) => [readings[at] as Reading, after] as const);
  const rate = (of: (reading: Reading) => number) =>
    pairs.map(([before, after]) => Math.max(0, of(after) - of(before)) / Math.max(0.001, after.at - before.at));
  return [
    pairs.map(([, { at }]) => at),
    rate(({ runs }) => runs),
    rate(({ failures }) => failures),
    pairs.map(([, { depth }]) => depth),
  ];
}
