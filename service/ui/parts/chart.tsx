/** Runs and failures per second and the queue over the last hour, each as a line against its own highest value. */
import { number } from "../words.ts";

type Reading = { readonly at: number; readonly runs: number; readonly failures: number; readonly depth: number };

const [WIDTH, HEIGHT] = [960, 160];

export function Chart({ readings }: { readonly readings: readonly Reading[] }) {
  const pairs = readings.slice(1).map((after, at) => [readings[at] as Reading, after] as const);
  // Counters become rates between one reading and the next; they begin anew with the service.
  const rates = (of: (reading: Reading) => number) =>
    pairs.map(([before, after]) => Math.max(0, of(after) - of(before)) / Math.max(0.001, after.at - before.at));
  const runs = rates((reading) => reading.runs);
  const failures = rates((reading) => reading.failures);
  const depths = pairs.map(([, { depth }]) => depth);
  const mostRuns = Math.max(1, ...runs, ...failures);
  const mostDepth = Math.max(1, ...depths);
  const said = `at most ${number(mostRuns)} runs per second, and ${number(mostDepth)} jobs in the queue`;
  return (
    <figure>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={said}>
        <polyline class="runs" points={pointsOf(runs, mostRuns)} />
        <polyline class="failures" points={pointsOf(failures, mostRuns)} />
        <polyline class="queue" points={pointsOf(depths, mostDepth)} />
      </svg>
      <figcaption class="quiet small">
        <span class="key runs" /> runs and <span class="key failures" /> failures per second, up to {number(mostRuns)};{" "}
        <span class="key queue" /> length of the queue, up to {number(mostDepth)}, {number(depths.at(-1) ?? 0)} now
      </figcaption>
    </figure>
  );
}

function pointsOf(values: readonly number[], most: number): string {
  const step = WIDTH / Math.max(1, values.length - 1);
  return values
    .map((value, at) => `${Math.round(at * step)},${Math.round(HEIGHT - 2 - (value / most) * (HEIGHT - 4))}`)
    .join(" ");
}
