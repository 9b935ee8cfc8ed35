/** The variables that a job begins with. */
import { useState } from "preact/hooks";
import type { Job, JobFrame } from "../../data.ts";
import { useData } from "../../loading.ts";
import { FaultNotice } from "../../parts/fault.tsx";
import { Table } from "../../parts/tables/table.tsx";
import { Value } from "../../parts/value.tsx";
import { address } from "../../router.ts";
import { RULES } from "../../rules.ts";
import { number } from "../../words.ts";

export function Input({ job }: { readonly job: Job }) {
  const [values, setValues] = useState(false);
  const { data, fault } = useData<JobFrame>(`/result/${job.job_id}/frame${values ? "?values=1" : ""}`, null);
  if (data === null && fault === null) return null;
  const variables = Object.entries(data?.frame ?? {});
  return (
    <section aria-label="Input">
      <h2>Input</h2>
      <FaultNotice fault={fault} />
      {RULES.values && (variables.length > 0 || values) ? (
        <label class="check">
          <input type="checkbox" checked={values} onChange={(event) => setValues(event.currentTarget.checked)} />
          Show values of the input
        </label>
      ) : null}
      {data === null ? null : variables.length === 0 ? (
        <p class="quiet">It begins without variables.</p>
      ) : (
        <>
          {values && data.shown === "shapes" ? (
            <p class="quiet">Values are shown up to 64 KiB, and these have {number(data.bytes)} bytes.</p>
          ) : null}
          <Table label="Input" titles={["Name", "Value"]}>
            {variables.map(([name, value]) => (
              <tr key={name}>
                <td>
                  <code>{name}</code>
                </td>
                <td>{data.shown === "values" ? <Value value={value} /> : <code>{String(value)}</code>}</td>
              </tr>
            ))}
          </Table>
          {data.shown === "values" && job.program !== undefined && job.version != null ? (
            <p>
              <a href={address(["playground"], { ...playgroundOf(job), job: job.job_id })}>
                Open in the playground with this input
              </a>
            </p>
          ) : null}
        </>
      )}
    </section>
  );
}

const playgroundOf = ({ program, version }: Job) => ({ program: String(program), version: String(version) });
