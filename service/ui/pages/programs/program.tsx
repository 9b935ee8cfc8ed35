/** One deployment: endpoints, schedules, last jobs, and of each version what it may reach, its graph and its source; a form to run it. */
import { send } from "../../api.ts";
import type {
  ListedJob,
  Program as ProgramData,
  ProgramVersion,
  ProgramVersionList,
  ScheduleList,
} from "../../data.ts";
import { useData } from "../../loading.ts";
import { Time } from "../../look/time.tsx";
import { ActButton } from "../../parts/act.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { SettingsList } from "../../parts/settings.tsx";
import { Source } from "../../parts/source.tsx";
import { JobsTable } from "../../parts/tables/jobs-table.tsx";
import { address, place } from "../../router.ts";
import { useTitle } from "../../title.ts";
import { useJobs } from "../jobs/found-jobs.ts";
import { warningText } from "../readiness.ts";
import { scheduleWords } from "../schedules/schedule-words.ts";
import { isActive, stateOf } from "../schedules/schedules.tsx";
import { VersionDifference } from "./program-difference.tsx";
import { EmittedEvents } from "./program-emits.tsx";
import { ProgramGraph } from "./program-graph.tsx";
import { VersionReport } from "./program-report.tsx";
import { RunForm } from "./program-run.tsx";

/** The newest jobs, of which the page says how many failed, and those that it lists. */
const COUNTED_JOBS = 50;
const LISTED_JOBS = 10;

export function Program({ name }: { readonly name: string }) {
  const base = `/programs/${encodeURIComponent(name)}`;
  const { data: program, fault, again } = useData<ProgramData>(base);
  const versions = useData<ProgramVersionList>(`${base}/versions`);
  const asked = Number(place.value.query.get("version"));
  const shown = Number.isInteger(asked) && asked > 0 ? asked : (program?.version ?? 0);
  const version = useData<ProgramVersion>(shown > 0 ? `${base}/versions/${shown}` : null, null);
  const jobs = useJobs({ program: name, limit: String(COUNTED_JOBS) });
  useTitle(name, "Programs");
  if (program === null)
    return (
      <>
        <h1>{name}</h1>
        <FaultNotice fault={fault} />
      </>
    );
  return (
    <>
      <h1>
        {name}@{program.version}
        {program.enabled ? null : <span class="status quiet">disabled</span>}
      </h1>
      <FaultNotice fault={fault} />
      {program.description === null ? null : <p>{program.description}</p>}
      {program.warnings.map((warning) => (
        <p class="notice" key={warning}>
          {warningText(warning)}
        </p>
      ))}
      {program.next === null ? null : <NextVersion program={program} base={base} done={again} />}
      <p class="actions">
        <ActButton
          text={program.enabled ? "Disable" : "Enable"}
          run={() => send("PATCH", base, { enabled: !program.enabled })}
          done={again}
        />
        {shown === program.version ? null : (
          <ActButton
            text={`Make version ${shown} current`}
            confirm={`Make version ${shown} of ${name} current?`}
            run={() => send("POST", `${base}/rollback`, { version: shown })}
            done={again}
          />
        )}
        <a href={address(["playground"], { program: name, version: String(shown) })}>Open in the playground</a>
      </p>
      {program.endpoints.length === 0 ? null : (
        <section>
          <h2>Endpoints</h2>
          <ul>
            {program.endpoints.map((each) => (
              <li key={`${each.method} ${each.path}`}>
                <code>
                  {each.method} {each.url}
                </code>{" "}
                runs {each.label}
                {each.mode === "job" ? " as a job" : ""}
              </li>
            ))}
          </ul>
        </section>
      )}
      {program.schedules.length === 0 ? null : <ProgramSchedules program={program} />}
      <RunForm name={name} code={shown === program.version ? version.data?.code : undefined} />
      <section>
        <h2>Last jobs</h2>
        <FaultNotice fault={jobs.fault} />
        <FailureRate name={name} jobs={jobs.data?.jobs ?? []} />
        <JobsTable
          jobs={(jobs.data?.jobs ?? []).slice(0, LISTED_JOBS)}
          empty={jobs.data === null ? "loading" : "no job yet"}
        />
      </section>
      <section>
        <h2>Versions</h2>
        <ul class="versions">
          {(versions.data?.versions ?? []).map((each) => (
            <li key={each.version}>
              <a
                href={address(["programs", name], { version: String(each.version) })}
                aria-current={each.version === shown ? "true" : undefined}
              >
                {each.version}
              </a>{" "}
              <Time at={each.created_at} />
              {each.current ? ", current" : each.version === program.next?.version ? ", next" : ""}
              <SignedBy signed={each.signed} />
            </li>
          ))}
        </ul>
      </section>
      {version.data === null ? null : (
        <VersionDifference base={base} shown={version.data} versions={versions.data?.versions ?? []} />
      )}
      {version.data === null ? null : <VersionReport version={version.data} />}
      <EmittedEvents emits={program.emits} />
      {version.data === null ? null : (
        <>
          <h2>Graph</h2>
          <ProgramGraph checksum={version.data.checksum} code={version.data.code ?? null} />
        </>
      )}
      <section>
        <h2>Source of version {shown}</h2>
        <FaultNotice fault={version.fault} />
        {version.data === null ? null : version.data.code === undefined ? (
          <p class="quiet">only its IR is kept</p>
        ) : (
          <Source code={version.data.code} />
        )}
        {version.data?.settings === undefined || Object.keys(version.data.settings).length === 0 ? null : (
          <>
            <h3>Settings</h3>
            <SettingsList settings={version.data.settings} />
          </>
        )}
      </section>
    </>
  );
}

/** The version next to the current one, which a person promotes or ends. */
function NextVersion({
  program: { name, version, next },
  base,
  done,
}: {
  readonly program: ProgramData;
  readonly base: string;
  readonly done: () => void;
}) {
  if (next === null) return null;
  const { weight, abort } = next;
  return (
    <section aria-label="Next version">
      <p class="notice">
        Version <a href={address(["programs", name], { version: String(next.version) })}>{next.version}</a> has {weight}{" "}
        % of the calls and fires, version {version} the others, since <Time at={next.since} />.
        {abort === null
          ? ""
          : ` It ends by itself when more than ${abort.failures_percent} % of its last ${abort.of} runs fail.`}
      </p>
      <p class="actions">
        <ActButton
          text={`Promote version ${next.version}`}
          confirm={`Make version ${next.version} of ${name} current?`}
          run={() => send("POST", `${base}/next/promote`, { version: next.version })}
          done={done}
        />
        <ActButton text={`End version ${next.version}`} run={() => send("DELETE", `${base}/next`)} done={done} />
      </p>
    </section>
  );
}

/** Whether the key is trusted is said: without that, a name is only what the signature says of itself. */
function SignedBy({ signed }: { readonly signed: ProgramVersionList["versions"][number]["signed"] }) {
  if (signed === null) return null;
  return (
    <>
      , signed by {signed.by} <Time at={signed.at} />
      {signed.trusted ? null : <span class="status quiet">not verified</span>}
    </>
  );
}

/** When each fires next; one that is paused fires at no time. */
function ProgramSchedules({ program }: { readonly program: ProgramData }) {
  const { data } = useData<ScheduleList>(`/schedules?program=${encodeURIComponent(program.name)}&limit=200`);
  const states = new Map((data?.schedules ?? []).map((schedule) => [schedule.id, schedule]));
  return (
    <section>
      <h2>Schedules</h2>
      <ul>
        {program.schedules.map(({ id, cron, tz, next }) => {
          const state = states.get(id);
          return (
            <li key={id}>
              <a href={address(["schedules", ...id.split("/")])}>{id}</a> {scheduleWords({ cron, tz })},{" "}
              {state === undefined || isActive(state) ? (
                <>
                  next <Time at={state?.next_at ?? next[0]} />
                </>
              ) : (
                stateOf(state)
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const FAILED: ReadonlySet<string> = new Set(["failed", "timed_out", "interrupted", "rejected"]);

/** Of the newest jobs that came to an end of their own. */
function FailureRate({ name, jobs }: { readonly name: string; readonly jobs: readonly ListedJob[] }) {
  const failed = jobs.filter(({ status }) => FAILED.has(status)).length;
  const ended = failed + jobs.filter(({ status }) => status === "succeeded").length;
  if (ended === 0) return null;
  return (
    <p>
      {failed === 0 ? "None" : failed} of the last {ended === 1 ? "job" : `${ended} jobs`} that ended failed
      {failed === 0 ? "" : ` (${Math.round((100 * failed) / ended)} %)`}.{" "}
      <a href={address(["jobs"], { program: name })}>All its jobs</a>
    </p>
  );
}
