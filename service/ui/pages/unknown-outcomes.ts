/** Jobs that wait for a person to say whether a call happened. A list of jobs does not say what they wait for, so each is asked. */
import { useEffect, useState } from "preact/hooks";
import { get } from "../api.ts";
import type { JobList, JobWaits, ListedJob } from "../data.ts";
import { useData } from "../loading.ts";

/** Of the jobs that wait, the newest are asked. */
const MAX_ASKED = 50;
const EVERY_MS = 10_000;

export function useUnknownOutcomes(): readonly ListedJob[] {
  const { data } = useData<JobList>(`/jobs?status=waiting&limit=${MAX_ASKED}`, EVERY_MS);
  const [found, setFound] = useState<readonly ListedJob[]>([]);
  useEffect(() => {
    const ended = new AbortController();
    void Promise.all((data?.jobs ?? []).filter(({ durable }) => durable).map((job) => asks(job, ended.signal))).then(
      (jobs) => {
        if (!ended.signal.aborted) setFound(jobs.flat());
      },
    );
    return () => ended.abort();
  }, [data]);
  return found;
}

/** The job itself, or nothing. One that cannot be asked is not listed. */
async function asks(job: ListedJob, signal: AbortSignal): Promise<readonly ListedJob[]> {
  try {
    const { waits } = await get<JobWaits>(`/result/${job.job_id}/waits`, signal);
    return waits.some(({ kind, ended_at }) => kind === "outcome" && ended_at === null) ? [job] : [];
  } catch {
    return [];
  }
}
