/** Deployments, and one of them: endpoints, schedules, versions, source, a form to run it. */
import { send } from "../../api.ts";
import type { Program as ProgramData, ProgramList, ProgramVersion, ProgramVersionList } from "../../data.ts";
import { useData } from "../../loading.ts";
import { ActButton } from "../../parts/act.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { Source } from "../../parts/source.tsx";
import { JobsTable } from "../../parts/tables/jobs-table.tsx";
import { NoRows, Table } from "../../parts/tables/table.tsx";
import { Time } from "../../parts/time.tsx";
import { Value } from "../../parts/value.tsx";
import { address, place } from "../../router.ts";
import { useJobs } from "../found-jobs.ts";
import { VersionDifference } from "./program-difference.tsx";
import { ProgramGraph } from "./program-graph.tsx";
import { RunForm } from "./program-run.tsx";

export function Programs() {
  const { data, fault } = useData<ProgramList>("/programs?limit=200");
  const programs = data?.programs ?? [];
  return (
    <>
      <h1>Programs</h1>
      <FaultNotice fault={fault} />
      {programs.length === 0 ? (
        <NoRows data={data} fault={fault}>
          Nothing is deployed. <code>wf serve flows/</code> deploys a folder, <code>wf deploy FILE</code> a file.
        </NoRows>
      ) : (
        <Table label="Programs" titles={["Program", "Version", "Enabled", "From", "Deployed", "Description"]}>
          {programs.map((program) => (
            <tr key={program.name}>
              <td>
                <a href={address(["programs", program.name])}>{program.name}</a>
              </td>
              <td>{program.version}</td>
              <td>{program.enabled ? "yes" : "no"}</td>
              <td>{program.source}</td>
              <td>
                <Time at={program.deployed_at} />
              </td>
              <td>{program.description ?? ""}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

export function Program({ name }: { readonly name: string }) {
  const base = `/programs/${encodeURIComponent(name)}`;
  const { data: program, fault, again } = useData<ProgramData>(base);
  const versions = useData<ProgramVersionList>(`${base}/versions`);
  const shown = Number(place.value.query.get("version") ?? program?.version ?? 0);
  const version = useData<ProgramVersion>(shown > 0 ? `${base}/versions/${shown}` : null, null);
  const jobs = useJobs({ program: name, limit: "10" });
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
          {warning}
        </p>
      ))}
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
      {program.schedules.length === 0 ? null : (
        <section>
          <h2>Schedules</h2>
          <ul>
            {program.schedules.map(({ id, cron, tz, next }) => (
              <li key={id}>
                <a href={address(["schedules", ...id.split("/")])}>{id}</a> <code>{cron}</code> {tz}, next{" "}
                <Time at={next[0]} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <RunForm name={name} code={shown === program.version ? version.data?.code : undefined} />
      <section>
        <h2>Last jobs</h2>
        <JobsTable jobs={jobs.data?.jobs ?? []} empty="no job yet" />
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
              {each.current ? ", current" : ""}
            </li>
          ))}
        </ul>
      </section>
      {version.data === null ? null : (
        <VersionDifference base={base} shown={version.data} versions={versions.data?.versions ?? []} />
      )}
      {version.data === null ? null : <ProgramGraph checksum={version.data.checksum} />}
      <section>
        <h2>Source of version {shown}</h2>
        <FaultNotice fault={version.fault} />
        {version.data?.code === undefined ? (
          <p class="quiet">only its IR is kept</p>
        ) : (
          <Source code={version.data.code} />
        )}
        {version.data?.settings === undefined || Object.keys(version.data.settings).length === 0 ? null : (
          <>
            <h3>Settings</h3>
            <Value value={version.data.settings} />
          </>
        )}
      </section>
    </>
  );
}
