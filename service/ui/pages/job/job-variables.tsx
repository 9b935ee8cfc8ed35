/** What a job shows of itself, and what a durable job holds where it stands, or where it failed. */
import { useState } from "preact/hooks";
import type { JobState, JobVariables } from "../../data.ts";
import { useData } from "../../loading.ts";
import { Table } from "../../look/table.tsx";
import { Time } from "../../look/time.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { Value } from "../../parts/value.tsx";
import { RULES } from "../../rules.ts";
import { number } from "../../words.ts";

/** `among`: names; others are not shown, and neither are the functions that called it. */
export function Variables({ id, among }: { readonly id: string; readonly among?: readonly string[] }) {
  const [values, setValues] = useState(false);
  const { data, fault } = useData<JobVariables>(`/result/${id}/variables${values ? "?values=1" : ""}`);
  const places = data === null ? [] : placesOf(data, among);
  if (among !== undefined && fault === null && places.length === 0) return null;
  return (
    <section aria-label="Variables">
      <FaultNotice fault={fault} />
      {data?.why === undefined ? null : <p class="quiet">{WHY[data.why]}</p>}
      {RULES.values && places.length > 0 ? (
        <label class="check">
          <input type="checkbox" checked={values} onChange={(event) => setValues(event.currentTarget.checked)} />
          Show values of variables
        </label>
      ) : null}
      {places.map((place, at) => (
        <Table key={at} label={titleOf(place)} titles={[titleOf(place), "Value"]}>
          {Object.entries(place.variables).map(([name, value]) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
              </td>
              <td>{values ? <Value value={value} /> : <code>{String(value)}</code>}</td>
            </tr>
          ))}
        </Table>
      ))}
      {data?.seq == null || among !== undefined ? null : (
        <p class="quiet">As they are after record {number(data.seq)} of the journal.</p>
      )}
    </section>
  );
}

type Place = JobVariables["callers"][number];

/** Innermost first, those without variables left out. */
function placesOf({ callers, function: name, line, variables }: JobVariables, among: readonly string[] | undefined) {
  const inner = { function: name, line, variables };
  const shown =
    among === undefined ? [inner, ...callers.toReversed()] : [{ ...inner, variables: only(variables, among) }];
  return shown.filter((place) => Object.keys(place.variables).length > 0);
}

function only(variables: Place["variables"], among: readonly string[]): Place["variables"] {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => among.includes(name)));
}

function titleOf({ function: name, line }: Pick<Place, "function" | "line">): string {
  const where = line === null ? "" : `, line ${line}`;
  return name === null ? "Variables" : `${name}${where}`;
}

/** Why there is nothing to show. */
const WHY: Readonly<Record<NonNullable<JobVariables["why"]>, string>> = {
  not_durable: "Only a durable job has a journal that its variables can be read from.",
  succeeded: "The job succeeded: what it held is gone, and its result is left.",
  too_long: "Its journal is too long to be run again for a look.",
  program_refused: "Its program cannot run here any more, so its variables cannot be read.",
  journal_differs: "Its journal is not one of this program, so its variables cannot be read.",
};

/** What its program gave to `progress` and `set_state`. `over`: it does not change any more. */
export function State({ id, over }: { readonly id: string; readonly over: boolean }) {
  const [values, setValues] = useState(false);
  const { data, fault } = useData<JobState>(`/jobs/${id}/state${values ? "?values=1" : ""}`, over ? null : undefined);
  if (data?.at == null) return null;
  const { progress, state, shown } = data;
  const members = Object.entries(state);
  return (
    <section class="card" aria-label="Progress">
      <h2>Progress</h2>
      <FaultNotice fault={fault} />
      {RULES.values ? (
        <label class="check">
          <input type="checkbox" checked={values} onChange={(event) => setValues(event.currentTarget.checked)} />
          Show values of the progress
        </label>
      ) : null}
      {progress === null ? null : (
        <p>
          {typeof progress.value === "number" ? (
            <progress value={progress.value} max={1} />
          ) : (
            <code>{String(progress.value)}</code>
          )}{" "}
          {progress.text}
        </p>
      )}
      {members.length === 0 ? null : (
        <Table label="Progress" titles={["Name", "Value"]}>
          {members.map(([name, value]) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
              </td>
              <td>{shown === "values" ? <Value value={value} /> : <code>{String(value)}</code>}</td>
            </tr>
          ))}
        </Table>
      )}
      <p class="quiet">
        Shown <Time at={data.at} />
      </p>
    </section>
  );
}
