/** One proposed version: what it newly reaches, its settings, its source, its tests, and the form that decides it. */
import { useState } from "preact/hooks";
import type { ReportSummary } from "../../../compiler/policy/report-shape.ts";
import { type Refused, send } from "../api.ts";
import type { Proposal as ProposalData } from "../data.ts";
import { useData } from "../loading.ts";
import { Field } from "../look/field.tsx";
import { ActButton } from "../parts/act.tsx";
import { FaultNotice } from "../parts/fault.tsx";
import { OtherProblems, problemAt } from "../parts/problems.tsx";
import { settingText } from "../parts/settings.tsx";
import { Source } from "../parts/source.tsx";
import { BoundsView } from "../playground/bounds.tsx";
import { ReportView } from "../playground/report.tsx";
import { address } from "../router.ts";
import { RULES } from "../rules.ts";
import { useTitle } from "../title.ts";
import { exact, spaced } from "../words.ts";
import { EmittedEvents } from "./programs/program-emits.tsx";
import { Sides } from "./programs/sides.tsx";
import { warningText } from "./readiness.ts";

export function Proposal({ id }: { readonly id: string }) {
  const { data, fault, again } = useData<ProposalData>(`/proposals/${encodeURIComponent(id)}`);
  useTitle(data === null ? "Proposal" : `${data.name}, proposed`, "Proposals");
  if (data === null)
    return (
      <>
        <h1>Proposal</h1>
        <FaultNotice fault={fault} />
      </>
    );
  const { name, base, current, state, stale, proposed_by: by, proposed_at: at, comment, decision, version } = data;
  return (
    <>
      <h1>{name}, proposed</h1>
      <FaultNotice fault={fault} />
      <p>
        {base === null ? "A first version" : `Against version ${base}`} of{" "}
        {current === null ? name : <a href={address(["programs", name])}>{name}</a>}, proposed
        {by === null ? "" : ` by ${by}`} {exact(at)}. State: {state}
        {version === null ? "" : ` as version ${version}`}.
      </p>
      {data.signed === null ? null : (
        <p>
          Signed by {data.signed.by} {exact(data.signed.at)}
          {data.signed.trusted ? "" : ", which is not verified"}.
        </p>
      )}
      {comment === null ? null : <p>{comment}</p>}
      {stale ? (
        <p class="notice bad">
          {current === null ? "No version is current any more" : `Version ${current} is current now`}: it must be
          proposed again.
        </p>
      ) : null}
      {decision === null ? null : (
        <p class="notice">
          {state}, by {decision.by ?? "somebody without a name"} ({decision.via}), {exact(decision.at)}:{" "}
          {decision.comment}
        </p>
      )}
      {data.warnings.map((warning) => (
        <p class="notice" key={warning}>
          {warningText(warning)}
        </p>
      ))}
      <Reached proposal={data} />
      <EmittedEvents emits={data.emits} />
      <Settings changes={data.settings_changes} />
      <Text proposal={data} />
      <Tests tests={data.tests} />
      {state === "open" ? <Decide proposal={data} done={again} /> : null}
    </>
  );
}

function Reached({ proposal: { newly_reaches: newly, report } }: { readonly proposal: ProposalData }) {
  const summary = report as unknown as ReportSummary;
  const reached =
    newly?.map(({ kind, value }) => `${kind} ${value}`) ??
    Object.keys(summary.adapters)
      .filter((each) => each !== "core")
      .map((each) => `adapter ${each}`);
  return (
    <section aria-label="Reached">
      <h2>{newly === null ? "Reached" : "Newly reached"}</h2>
      {reached.length === 0 ? <p class="quiet">nothing</p> : null}
      <ul>
        {reached.map((each) => (
          <li key={each} class="bad">
            {each}
          </li>
        ))}
      </ul>
      <details>
        <summary>Report and bounds of a run</summary>
        <ReportView report={{ summary }} />
        <BoundsView summary={summary} />
      </details>
    </section>
  );
}

function Settings({ changes }: { readonly changes: ProposalData["settings_changes"] }) {
  if (changes.length === 0) return null;
  return (
    <section aria-label="Settings">
      <h2>Settings</h2>
      <ul class="changes">
        {changes.map(({ name, before, after }) => (
          <li key={name}>
            {spaced(name)}
            <Sides pairs={[{ before: textOf(before), after: textOf(after) }]} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const textOf = (setting: unknown): string | null => (setting === null ? null : settingText(setting));

/** What changed in the text; of a first version the text itself. */
function Text({
  proposal: { base, source_difference: difference, code, files, main },
}: {
  readonly proposal: ProposalData;
}) {
  const first = code ?? files?.[main ?? ""];
  return (
    <section>
      <h2>{base === null ? "Source" : "What the source changes"}</h2>
      {base === null && first !== undefined ? (
        <Source code={first} />
      ) : difference === "" ? (
        <p class="quiet">nothing</p>
      ) : (
        <section class="wide" tabIndex={0} aria-label="Difference">
          <pre class="value">
            {difference
              .replace(/\n$/, "")
              .split("\n")
              .map((line, at) => (
                <div key={at} class={/^\+/.test(line) ? "added" : /^-/.test(line) ? "bad" : undefined}>
                  {line === "" ? " " : line}
                </div>
              ))}
          </pre>
        </section>
      )}
    </section>
  );
}

function Tests({ tests: { total, passed, fault, results } }: { readonly tests: ProposalData["tests"] }) {
  const failed = results.filter((each) => !each.ok);
  return (
    <section aria-label="Tests">
      <h2>Tests</h2>
      {total === 0 ? <p class="quiet">It came without tests.</p> : null}
      {fault === null ? null : <p class="bad">{fault}</p>}
      {total === 0 || fault !== null ? null : (
        <p class={failed.length === 0 ? "added" : "bad"}>
          {passed} of {total} passed
        </p>
      )}
      <ul>
        {failed.map(({ name, problems }) => (
          <li key={name}>
            {name}: {problems.join("; ")}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Decide({ proposal, done }: { readonly proposal: ProposalData; readonly done: () => void }) {
  const { id, name, checksum, base } = proposal;
  const [comment, setComment] = useState("");
  const [fault, setFault] = useState<Refused | null>(null);
  if (!RULES.act && !RULES.people) return null;
  const path = `/proposals/${encodeURIComponent(id)}`;
  const shared = { ofPeople: true, done, refused: setFault };
  return (
    <section class="decide" aria-label="Decide">
      <h2>Decide</h2>
      {RULES.people ? null : (
        <p class="notice waits">
          The service does not know who you are: everybody who reaches it may decide (WF_USER_HEADER).
        </p>
      )}
      <Field label="Your word on it" error={problemAt(fault, "/comment")}>
        {(marks) => (
          <textarea {...marks} rows={2} value={comment} onInput={(event) => setComment(event.currentTarget.value)} />
        )}
      </Field>
      <OtherProblems fault={fault} fields={["/comment"]} />
      <p class="actions">
        <ActButton
          {...shared}
          text="Accept"
          kind="primary"
          confirm={`Make this version of ${name} current?`}
          run={() => send("POST", `${path}/accept`, { checksum, base, comment })}
        />
        <ActButton {...shared} text="Decline" run={() => send("POST", `${path}/decline`, { comment })} />
      </p>
    </section>
  );
}
