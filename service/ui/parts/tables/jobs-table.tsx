/** A table of jobs; j and k move through it, Enter opens. Jobs can be chosen where something can be done with several. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ListedJob } from "../../data.ts";
import { Empty } from "../../look/empty.tsx";
import { NO_LISTS, Table } from "../../look/table.tsx";
import { Time } from "../../look/time.tsx";
import { address } from "../../router.ts";
import { RULES } from "../../rules.ts";
import { duration, spaced } from "../../words.ts";
import { isTyping } from "../keys.tsx";
import { Status } from "../status.tsx";

type JobsOf = {
  readonly jobs: readonly ListedJob[];
  readonly empty: string;
  /** Ids; absent: jobs cannot be chosen. */
  readonly chosen?: ReadonlySet<string>;
  readonly choose?: (chosen: ReadonlySet<string>) => void;
};

export function JobsTable({ jobs, empty, chosen, choose }: JobsOf) {
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const links = [...(body.current?.querySelectorAll<HTMLAnchorElement>("a.row") ?? [])];
      const at = links.indexOf(document.activeElement as HTMLAnchorElement);
      if (event.key === "j") links[Math.min(at + 1, links.length - 1)]?.focus();
      else if (event.key === "k") links[Math.max(at - 1, 0)]?.focus();
    };
    addEventListener("keydown", move);
    return () => removeEventListener("keydown", move);
  }, []);
  if (!RULES.lists) return <Empty>{NO_LISTS}</Empty>;
  if (jobs.length === 0) return <Empty>{empty}</Empty>;
  const all = jobs.every(({ job_id: id }) => chosen?.has(id));
  const pick: readonly ComponentChildren[] =
    choose === undefined
      ? []
      : [
          <input
            key="all"
            type="checkbox"
            aria-label="Choose all jobs of this page"
            checked={all}
            onChange={() => choose(new Set(all ? [] : jobs.map(({ job_id: id }) => id)))}
          />,
        ];
  return (
    <Table label="Jobs" titles={[...pick, ...TITLES]} body={body} isStacked>
      {jobs.map((job) => (
        <tr key={job.job_id}>
          {choose === undefined ? null : (
            <td class="pick">
              <input
                type="checkbox"
                aria-label={`Choose ${nameOf(job)}`}
                checked={chosen?.has(job.job_id) ?? false}
                onChange={() => choose(changed(chosen, job.job_id))}
              />
            </td>
          )}
          <td class="name">
            <a class="row" href={address(["jobs", job.job_id])}>
              {nameOf(job)}
            </a>{" "}
            <Tags tags={job.tags} />
          </td>
          <td>
            <Status status={job.status} />
            {job.held ? <span class="quiet"> held back</span> : null}
            {job.waits_for === undefined ? null : <div class="small quiet">for {waitText(job.waits_for)}</div>}
          </td>
          <td>
            {job.program === undefined ? (
              <span class="quiet">without a deployment</span>
            ) : (
              <a href={address(["programs", job.program])}>
                {job.program}@{job.version}
              </a>
            )}
          </td>
          <td class="bad message-cell">{job.message ?? spaced(job.error ?? "")}</td>
          <td>
            <Time at={job.queued_at} />
          </td>
          <td class="figure">{spent(job.running_ms ?? job.duration_ms)}</td>
          <td class="figure">{spent(job.waiting_ms)}</td>
        </tr>
      ))}
    </Table>
  );
}

const TITLES = ["Job", "State", "Program", "Error", "Queued", "Ran", "Waited"] as const;

export const nameOf = ({ name, job_id: id }: ListedJob): string => name ?? id.slice(-12);

function changed(chosen: ReadonlySet<string> | undefined, id: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}

const WAITS = {
  signal: "a signal",
  approval: "a decision",
  timer: "a time",
  outcome: "an outcome",
  job: "a job",
  event: "an event",
};

const waitText = ({ kind, names }: NonNullable<ListedJob["waits_for"]>): string =>
  names === undefined ? WAITS[kind] : `the signal ${names.join(" or ")}`;

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
