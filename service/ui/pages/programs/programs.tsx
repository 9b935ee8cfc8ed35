/** Deployments, by name, with what each did last, how many of its jobs failed, and when it runs next. */
import type { JobStats, ProgramList } from "../../data.ts";
import { useData } from "../../loading.ts";
import { Chip } from "../../look/chip.tsx";
import { NoRows } from "../../look/empty.tsx";
import { Table } from "../../look/table.tsx";
import { Time } from "../../look/time.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { Status } from "../../parts/status.tsx";
import { Pager } from "../../parts/tables/pager.tsx";
import { address, place } from "../../router.ts";
import { RULES } from "../../rules.ts";
import { useTitle } from "../../title.ts";
import { number } from "../../words.ts";
import { STATES } from "../jobs/search-words.ts";
import { type Ready, type Trouble, troubledPrograms } from "../readiness.ts";

const PAGE = "100";
const RARELY_MS = 10_000;
/** Of the programs that GET /jobs/stats does not count one by one. */
const OTHERS = "*";

type Listed = ProgramList["programs"][number];

export function Programs() {
  useTitle("Programs");
  const cursor = place.value.query.get("cursor") ?? "";
  const query = { limit: PAGE, ...(cursor === "" ? {} : { cursor }) };
  const { data, fault } = useData<ProgramList>(`/programs?${new URLSearchParams(query)}`, RARELY_MS);
  const ready = useData<Ready>("/ready", RARELY_MS);
  const stats = useData<JobStats>(RULES.lists ? "/jobs/stats?hours=24" : null, RARELY_MS);
  const troubled = troubledPrograms(ready.data?.warnings ?? []);
  const programs = data?.programs ?? [];
  const did = RULES.lists ? ["Last job", "Failed in 24 h"] : [];
  return (
    <>
      <h1>Programs</h1>
      <FaultNotice fault={fault} />
      {programs.length === 0 ? (
        <NoRows data={data} fault={fault}>
          Nothing is deployed. <code>wf serve flows/</code> deploys a folder, <code>wf deploy FILE</code> a file.
        </NoRows>
      ) : (
        <Table
          label="Programs"
          titles={["Program", "State", ...did, "Next fire", "Version", "Deployed", "From"]}
          isStacked
        >
          {programs.map((program) => (
            <tr key={program.name}>
              <td class="name">
                <a href={address(["programs", program.name])}>{program.name}</a>
                {program.description === null ? null : <div class="quiet small">{program.description}</div>}
              </td>
              <td>{stateOf(program.enabled, troubled.get(program.name))}</td>
              {RULES.lists ? (
                <>
                  <td data-title="last job">
                    <LastJob of={program.last_job} />
                  </td>
                  <td data-title="failed in 24 h">
                    <Failed name={program.name} stats={stats.data} />
                  </td>
                </>
              ) : null}
              <td data-title="next fire">
                {program.next_fire_at === null ? null : <Time at={program.next_fire_at} />}
              </td>
              <td data-title="version">
                {program.version}
                {program.next === null ? null : (
                  <span class="quiet">
                    , {program.next.version} ({program.next.weight} %)
                  </span>
                )}
              </td>
              <td data-title="deployed">
                <Time at={program.deployed_at} />
              </td>
              <td data-title="from">{program.source === "file" ? "a file" : "the API"}</td>
            </tr>
          ))}
        </Table>
      )}
      <Pager path={["programs"]} query={{ cursor }} next={data?.next_cursor} titles={["first", "next"]} />
    </>
  );
}

function LastJob({ of }: { readonly of: Listed["last_job"] }) {
  if (of === null) return <span class="quiet">never</span>;
  return (
    <>
      <Status status={of.status} />{" "}
      <a href={address(["jobs", of.job_id])}>
        <Time at={of.finished_at ?? of.queued_at} />
      </a>
    </>
  );
}

function Failed({ name, stats }: { readonly name: string; readonly stats: JobStats | null }) {
  if (stats === null) return null;
  const its = stats.counts.filter(({ program }) => program === name);
  if (its.length === 0 && stats.counts.some(({ program }) => program === OTHERS))
    return <span class="quiet">not among the 50 with the most jobs</span>;
  const states = STATES["failed"] ?? "";
  const failed = its.filter(({ status }) => states.split(",").includes(status));
  const count = failed.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return <span class="quiet">0</span>;
  return (
    <a href={address(["jobs"], { program: name, status: states, since: "1d" })} aria-label={`${number(count)} failed`}>
      <span class="count bad">{number(count)}</span>
    </a>
  );
}

function stateOf(isEnabled: boolean, trouble: Trouble | undefined) {
  if (trouble !== undefined)
    return (
      <>
        {trouble.kind === "refused" ? (
          <Chip tone="bad">cannot run here</Chip>
        ) : (
          <Chip tone="waits">incomplete here</Chip>
        )}
        <div class="quiet small">{trouble.why}</div>
      </>
    );
  return isEnabled ? <Chip tone="good">enabled</Chip> : <Chip>disabled</Chip>;
}
