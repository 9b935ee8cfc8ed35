/** The jobs of the last seven days by program, as the store counts them: there also after a restart. */
import { useData } from "../loading.ts";
import { Table } from "../parts/tables/table.tsx";
import { RULES } from "../rules.ts";
import { duration, number } from "../words.ts";

type Stats = {
  readonly counts: readonly {
    readonly program: string | null;
    readonly status: string;
    readonly count: number;
    readonly running_ms: number;
  }[];
};
type Week = { jobs: number; failed: number; runningMs: number };

const FAILED: readonly string[] = ["failed", "timed_out", "interrupted", "rejected"];
const SHOWN = 10;

export function WeekOfJobs() {
  const { data } = useData<Stats>(RULES.lists ? "/jobs/stats" : null, 60_000);
  if (data === null || data.counts.length === 0) return null;
  const weeks = new Map<string, Week>();
  for (const { program, status, count, running_ms } of data.counts) {
    const name = program ?? "without a deployment";
    const week = weeks.get(name) ?? { jobs: 0, failed: 0, runningMs: 0 };
    week.jobs += count;
    week.runningMs += running_ms;
    if (FAILED.includes(status)) week.failed += count;
    weeks.set(name, week);
  }
  const rows = [...weeks].sort(([, a], [, b]) => b.failed - a.failed || b.jobs - a.jobs).slice(0, SHOWN);
  return (
    <>
      <h2>Last seven days</h2>
      <Table label="Last seven days" titles={["Program", "Jobs", "Failed", "Ran"]}>
        {rows.map(([name, { jobs, failed, runningMs }]) => (
          <tr key={name}>
            <td>{name === "*" ? "all others" : name}</td>
            <td>{number(jobs)}</td>
            <td>{number(failed)}</td>
            <td>{duration(runningMs)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}
