/** When a job called what: a lane for each branch, a bar for each call. Time that the job was parked is folded away. */
import { stepText, useCallWords } from "../../parts/calls.ts";
import { Status } from "../../parts/status.tsx";
import { Table } from "../../parts/table.tsx";
import { duration } from "../../words.ts";
import type { JobCall } from "./job-calls.ts";

type Bar = JobCall & { readonly from: number; readonly to: number };

/** Width of a lane; its bars are at least one unit wide. */
const WIDTH = 1000;
const HEIGHT = 24;

export function Timeline({ calls }: { readonly calls: readonly JobCall[] }) {
  const words = useCallWords();
  if (calls.length === 0) return null;
  const bars = barsOf(calls);
  const end = Math.max(1, ...bars.map(({ to }) => to));
  const lanes = Map.groupBy(bars, ({ branch }) => branch);
  return (
    <section aria-label="Timeline">
      <h2>Timeline</h2>
      <p class="quiet">
        {duration(end)} of the run's own time
        {bars.some(({ ended }) => ended === null) ? "; what it did between its calls is left out" : ""}
        {bars.some(({ kind }) => kind === "wait") ? "; time that it was parked is left out" : ""}
      </p>
      {[...lanes].map(([branch, own]) => (
        <div class="lane" key={branch}>
          <code>{branch === "" ? "main" : branch}</code>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            {own.map((bar) => (
              <rect
                key={bar.seq}
                class={`bar ${bar.kind === "wait" ? "wait" : bar.ok === false ? "failed" : ""}`}
                x={(bar.from / end) * WIDTH}
                y={2}
                width={Math.max(1, ((bar.to - bar.from) / end) * WIDTH)}
                height={HEIGHT - 4}
              />
            ))}
          </svg>
        </div>
      ))}
      <details>
        <summary>Calls in order</summary>
        <Table label="Calls" titles={["#", "Call", "Step", "Branch", "State", "From", "Took"]}>
          {bars.map((bar) => (
            <tr key={bar.seq}>
              <td>{bar.seq}</td>
              <td>{words(bar).name}</td>
              <td>{stepText(bar)}</td>
              <td>{bar.branch}</td>
              <td>{bar.kind === "wait" ? "waited" : <Status status={bar.ok === false ? "failed" : "succeeded"} />}</td>
              <td>{duration(bar.from)}</td>
              <td>{duration(bar.ms)}</td>
            </tr>
          ))}
        </Table>
      </details>
    </section>
  );
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
