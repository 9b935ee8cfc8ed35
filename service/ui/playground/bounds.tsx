/** What is known of a run before it begins: steps, calls, depth and loops, and what only a run knows. */
import type { ReportSummary } from "../../../compiler/policy/report-shape.ts";
import { Table } from "../look/table.tsx";
import { number } from "../words.ts";

export function BoundsView({
  summary: { bounds, max_depth: depth, loops, unknown },
  nameOf,
}: {
  readonly summary: ReportSummary;
  /** A function or label as people know it; without it, lines alone are said. */
  readonly nameOf?: (label: string) => string;
}) {
  const most = (value: number | null) => (value === null ? "no bound" : number(value));
  return (
    <>
      {bounds === null ? (
        <p class="quiet">The program has no entry.</p>
      ) : (
        <Table label="Bounds of a run" titles={["Meter", "At least", "At most"]}>
          <tr>
            <td>steps</td>
            <td>{number(bounds.min_steps)}</td>
            <td>{most(bounds.max_steps)}</td>
          </tr>
          <tr>
            <td>adapter calls</td>
            <td>{number(bounds.min_adapter_calls)}</td>
            <td>{most(bounds.max_adapter_calls)}</td>
          </tr>
          <tr>
            <td>depth</td>
            <td />
            <td>{most(depth)}</td>
          </tr>
        </Table>
      )}
      {loops.length === 0 ? null : (
        <Table label="Loops" titles={["Loop", "Line", "Rounds at most"]}>
          {loops.map((loop) => (
            <tr key={`${loop.label} ${loop.node_id}`}>
              <td>
                {loop.op.toLowerCase()}
                {nameOf === undefined ? "" : ` in ${nameOf(loop.label)}`}
              </td>
              <td>{loop.line ?? ""}</td>
              <td>{most(loop.max_iterations)}</td>
            </tr>
          ))}
        </Table>
      )}
      {unknown.length === 0 ? null : (
        <>
          <h3>Known only by a run</h3>
          <ul>
            {unknown.map((one) => (
              <li key={`${one.what} ${one.label} ${one.node_id}`}>
                {one.what.replace("_", " ")}
                {one.line === undefined ? "" : `, line ${one.line}`}: {one.reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
