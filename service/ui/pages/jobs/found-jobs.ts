/** Lists of jobs, asked for again when a job changed: the service says so, so the page need not ask every few seconds. */
import { useEffect } from "preact/hooks";
import type { DeadLetterList, JobList } from "../../data.ts";
import { onJobChange } from "../../job-changes.ts";
import { type Loaded, useData } from "../../loading.ts";
import { RULES } from "../../rules.ts";

/** `query`: of GET /jobs. */
export function useJobs(query: Readonly<Record<string, string>>): Loaded<JobList> {
  const path = `/jobs?${new URLSearchParams(query)}`;
  const list = useData<JobList>(RULES.lists ? path : null, null);
  useEffect(() => (RULES.lists ? onJobChange(() => list.again()) : undefined), [path]);
  return list;
}

/** Which find the jobs of a group of dead letters; `-`: of no deployment. */
export function deadFilters({ program, error }: Pick<DeadLetterList["groups"][number], "program" | "error">) {
  return { program: program ?? "-", error, dead: "1" };
}

/** What the newest dead letters say, by the id of the job. */
export function useDeadMessages(): ReadonlyMap<string, string | undefined> {
  const { data } = useJobs({ dead: "1", limit: "50" });
  return new Map((data?.jobs ?? []).map(({ job_id: id, message }) => [id, message]));
}
