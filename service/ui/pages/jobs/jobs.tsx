/** Jobs by state and search. The filters are the query of GET /jobs and live in the address. */
import { useMemo, useState } from "preact/hooks";
import type { ListedJob } from "../../data.ts";
import { Skeleton } from "../../look/empty.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { JobsTable } from "../../parts/tables/jobs-table.tsx";
import { Pager } from "../../parts/tables/pager.tsx";
import { address, go, place } from "../../router.ts";
import { RULES } from "../../rules.ts";
import { useTitle } from "../../title.ts";
import { BulkAction, ChosenJobs } from "./chosen-jobs.tsx";
import { useJobs } from "./found-jobs.ts";
import { SearchBox } from "./search-box.tsx";
import { askedOf, type Filters } from "./search-words.ts";
import { StateChips } from "./state-chips.tsx";

export function Jobs() {
  useTitle("Jobs");
  const { query } = place.value;
  const text = query.toString();
  const filters: Filters = Object.fromEntries([...query].filter(([, value]) => value !== ""));
  const asked = useMemo(() => askedOf(filters, Date.now()), [text]);
  const { data, fault, again } = useJobs({ limit: "50", ...asked });
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const jobs = data?.jobs ?? [];
  // Those that left the list are not chosen any more.
  const chosenJobs: readonly ListedJob[] = jobs.filter(({ job_id: id }) => chosen.has(id));
  const set = (changed: Filters) => go(address(["jobs"], changed), { replace: true });
  return (
    <>
      <div class="title">
        <h1>Jobs</h1>
      </div>
      <StateChips
        chosen={filters["status"] ?? ""}
        program={filters["program"] ?? ""}
        choose={(status) => set({ ...filters, status, cursor: "" })}
      />
      <SearchBox filters={filters} set={set} jobs={jobs} />
      <FaultNotice fault={fault} />
      {data === null && fault === null && RULES.lists ? (
        <Skeleton lines={8} />
      ) : (
        <JobsTable
          jobs={jobs}
          empty={fault === null ? "no job matches" : ""}
          {...(RULES.act ? { chosen, choose } : {})}
        />
      )}
      {chosenJobs.length === 0 ? null : <ChosenJobs chosen={chosenJobs} clear={() => choose(new Set())} done={again} />}
      <Pager path={["jobs"]} query={filters} next={data?.next_cursor} />
      <p class="actions">
        {(["cancel", "retry"] as const).map((verb) => (
          // What was counted for other filters is forgotten.
          <BulkAction key={`${verb} ${text}`} verb={verb} filters={asked} done={again} />
        ))}
      </p>
    </>
  );
}
