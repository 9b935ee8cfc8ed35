/** Jobs by filter. The filters are the query of GET /jobs and live in the address. */
import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { ActButton } from "../parts/act.tsx";
import { FaultNotice } from "../parts/fault.tsx";
import { JobsTable } from "../parts/tables/jobs-table.tsx";
import { Pager } from "../parts/tables/pager.tsx";
import { address, go, place } from "../router.ts";
import { useTitle } from "../title.ts";
import { useJobs } from "./found-jobs.ts";

const STATES = [
  "queued",
  "running",
  "waiting",
  "sleeping",
  "succeeded",
  "failed",
  "timed_out",
  "cancelled",
  "interrupted",
  "rejected",
];
/** Days, or times with their zone. */
const TIMES = ["queued_after", "queued_before"] as const;
/** Those that are typed. */
const FILTERS = ["program", "tag", "name", "label", "schedule", "q", "search", "message", ...TIMES] as const;
const WAITS: Readonly<Record<string, string>> = {
  signal: "a signal",
  approval: "a decision",
  timer: "a time",
  outcome: "the outcome of a call",
};
type Filters = Readonly<Record<string, string>>;

export function Jobs() {
  useTitle("Jobs");
  const { query } = place.value;
  const filters: Filters = Object.fromEntries([...query].filter(([, value]) => value !== ""));
  const { data, fault, again } = useJobs({ limit: "50", ...filters });
  const set = (name: string, value: string) =>
    go(address(["jobs"], { ...filters, cursor: "", [name]: value }), { replace: true });
  return (
    <>
      <h1>Jobs</h1>
      <search class="filters">
        <label>
          State
          <select value={filters["status"] ?? ""} onChange={(event) => set("status", event.currentTarget.value)}>
            <option value="">any</option>
            {STATES.map((state) => (
              <option key={state} value={state}>
                {state.replaceAll("_", " ")}
              </option>
            ))}
            <option value="waiting,sleeping">waiting or sleeping</option>
            <option value="failed,timed_out,interrupted,rejected">failed in any way</option>
          </select>
        </label>
        <label>
          Waits for
          <select value={filters["waits"] ?? ""} onChange={(event) => set("waits", event.currentTarget.value)}>
            <option value="">anything or nothing</option>
            {Object.entries(WAITS).map(([kind, title]) => (
              <option key={kind} value={kind}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {FILTERS.map((name) => (
          <TypedFilter key={name} name={name} value={filters[name] ?? ""} set={(value) => set(name, value)} />
        ))}
      </search>
      <FaultNotice fault={fault} />
      <JobsTable jobs={data?.jobs ?? []} empty={data !== null ? "no job matches" : fault === null ? "loading" : ""} />
      <Pager path={["jobs"]} query={filters} next={data?.next_cursor} />
      <p class="actions">
        {(["cancel", "retry"] as const).map((verb) => (
          // What was counted for other filters is forgotten.
          <BulkAction key={`${verb} ${place.value.query}`} verb={verb} filters={filters} done={again} />
        ))}
      </p>
    </>
  );
}

/** Keeps what is typed until it is applied: the list around it is drawn again in between. */
function TypedFilter({
  name,
  value,
  set,
}: {
  readonly name: (typeof FILTERS)[number];
  readonly value: string;
  readonly set: (value: string) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <label>
      {TITLES[name]}
      <input
        id={name === "q" ? "search" : undefined}
        value={typed ?? value}
        placeholder={PLACEHOLDERS[name]}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={(event) => {
          setTyped(null);
          set(event.currentTarget.value.trim());
        }}
      />
    </label>
  );
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  tag: "team:sales",
  search: "customer:c-17",
  queued_after: "2030-01-31",
  queued_before: "2030-01-31T08:00Z",
};

const TITLES: Readonly<Record<string, string>> = {
  program: "Program",
  tag: "Tag",
  name: "Name",
  label: "Label",
  schedule: "Schedule",
  q: "Id or beginning of the name",
  search: "Input of the deployment",
  message: "In the message of the failure",
  queued_after: "Queued from",
  queued_before: "Queued before",
};

const VERBS = { cancel: "Cancel", retry: "Retry" } as const;
type Hit = { readonly count: number; readonly more: boolean };

/** What the filters find is counted first, and acted on only then. */
function BulkAction({
  verb,
  filters,
  done,
}: {
  readonly verb: "cancel" | "retry";
  readonly filters: Filters;
  readonly done: () => void;
}) {
  const [hit, setHit] = useState<Hit | null>(null);
  const { cursor: _, ...asked } = filters;
  const body = { ...asked, limit: 1000 };
  const act = (dry: boolean) => send<Hit>("POST", `/jobs/${verb}`, { ...body, ...(dry ? { dry_run: true } : {}) });
  if (hit === null)
    return (
      <ActButton text={`${VERBS[verb]} all of these …`} run={async () => setHit(await act(true))} done={() => {}} />
    );
  const many = `${hit.count}${hit.more ? " or more" : ""} ${hit.count === 1 ? "job" : "jobs"}`;
  return (
    <span class="act">
      {hit.count === 0 ? `No job to ${verb}.` : null}
      {hit.count === 0 ? null : (
        <ActButton
          text={`${VERBS[verb]} ${many}`}
          run={() => act(false)}
          done={() => {
            setHit(null);
            done();
          }}
        />
      )}
      <button type="button" onClick={() => setHit(null)}>
        {hit.count === 0 ? "Close" : "Do not"}
      </button>
    </span>
  );
}
