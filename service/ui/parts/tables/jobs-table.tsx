/** A table of jobs; j and k move through it, Enter opens. */
import { useEffect, useRef } from "preact/hooks";
import type { ListedJob } from "../../data.ts";
import { address } from "../../router.ts";
import { RULES } from "../../rules.ts";
import { duration } from "../../words.ts";
import { isTyping } from "../keys.tsx";
import { Status } from "../status.tsx";
import { Time } from "../time.tsx";
import { NO_LISTS, Table } from "./table.tsx";

export function JobsTable({ jobs, empty }: { readonly jobs: readonly ListedJob[]; readonly empty: string }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const links = [...(body.current?.querySelectorAll<HTMLAnchorElement>("a.row") ?? [])];
      const at = links.indexOf(document.activeElement as HTMLAnchorElement);
      if (event.key === "j") links[Math.min(at + 1, links.length - 1)]?.focus();
      else if (event.key === "k") links[Math.max(at - 1, 0)]?.focus();
    };
    addEventListener("keydown", move);
    return () => removeEventListener("keydown", move);
  }, []);
  if (!RULES.lists) return <p class="quiet">{NO_LISTS}</p>;
  if (jobs.length === 0) return <p class="quiet">{empty}</p>;
  return (
    <Table
      label="Jobs"
      titles={["Job", "State", "Program", "Tags", "Label", "Queued", "Ran", "Waited", "Error"]}
      body={body}
    >
      {jobs.map((job) => (
        <tr key={job.job_id}>
          <td>
            <a class="row" href={address(["jobs", job.job_id])}>
              {job.name ?? job.job_id.slice(-12)}
            </a>
          </td>
          <td>
            <Status status={job.status} />
            {job.held ? <span class="quiet"> held back</span> : null}
          </td>
          <td>
            {job.program === undefined ? null : (
              <a href={address(["programs", job.program])}>
                {job.program}@{job.version}
              </a>
            )}
          </td>
          <td>
            <Tags tags={job.tags} />
          </td>
          <td>{job.label}</td>
          <td>
            <Time at={job.queued_at} />
          </td>
          <td class="figure">{spent(job.running_ms ?? job.duration_ms)}</td>
          <td class="figure">{spent(job.waiting_ms)}</td>
          <td>{job.error ?? ""}</td>
        </tr>
      ))}
    </Table>
  );
}

/** What did not happen, or is not known, is left out. */
const spent = (ms: number | undefined): string => (ms === undefined || ms === 0 ? "" : duration(ms));

/** Each leads to the jobs that have it. */
export function Tags({ tags = {} }: { readonly tags?: ListedJob["tags"] }) {
  return Object.entries(tags).map(([key, value]) => {
    const tag = `${key}:${value}`;
    return (
      <a key={key} class="tag" href={address(["jobs"], { tag })} title={`show jobs with ${tag}`}>
        {tag}
      </a>
    );
  });
}
