/** What a job shows of itself, and variables of a durable job, as the last state of it that was stored has them. */
import { useState } from "preact/hooks";
import type { JobState, JobVariables } from "../../data.ts";
import { useData } from "../../loading.ts";
import { Table } from "../../look/table.tsx";
import { Time } from "../../look/time.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { Value } from "../../parts/value.tsx";
import { RULES } from "../../rules.ts";
import { number } from "../../words.ts";

/** Of a job that is not over: its states are dropped with its end. */
export function Variables({ id }: { readonly id: string }) {
  const [values, setValues] = useState(false);
  const { data, fault } = useData<JobVariables>(`/result/${id}/variables${values ? "?values=1" : ""}`);
  if (data?.seq == null && fault === null) return <p class="quiet">No state of it is stored yet.</p>;
  return (
    <section aria-label="Variables">
      <FaultNotice fault={fault} />
      {RULES.values ? (
        <label class="check">
          <input type="checkbox" checked={values} onChange={(event) => setValues(event.currentTarget.checked)} />
          Show values of variables
        </label>
      ) : null}
      {data?.seq == null ? null : (
        <>
          <p class="quiet">As they were after record {number(data.seq)}; what came later is in the journal.</p>
          <Table label="Variables" titles={["Name", "Value"]}>
            {Object.entries(data.variables).map(([name, value]) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td>{values ? <Value value={value} /> : <code>{String(value)}</code>}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </section>
  );
}

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
