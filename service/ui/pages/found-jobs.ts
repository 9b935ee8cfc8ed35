/** Lists of jobs, asked for again when a job changed: the service says so, so the page need not ask every few seconds. */
import { useEffect } from "preact/hooks";
import type { JobList } from "../data.ts";
import { type Loaded, useData } from "../loading.ts";
import { RULES } from "../rules.ts";
import { follow } from "../stream.ts";

/** Changes that come together are answered by one look at the list. */
const GATHER_MS = 1000;

/** `query`: of GET /jobs. */
export function useJobs(query: Readonly<Record<string, string>>): Loaded<JobList> {
  const path = `/jobs?${new URLSearchParams(query)}`;
  const list = useData<JobList>(RULES.lists ? path : null, null);
  useEffect(() => {
    if (!RULES.lists) return;
    let timer = 0;
    const changed = () => {
      if (timer !== 0) return;
      timer = window.setTimeout(() => {
        timer = 0;
        list.again();
      }, GATHER_MS);
    };
    // The list was read before the stream began, and may have changed after a break. Asking says why a stream broke.
    const stop = follow("/jobs/events", { on: { job: changed, skipped: changed }, opened: changed, broken: changed });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [path]);
  return list;
}
