/** The variables that a job begins with, with their values where the service shows values. */
import type { Job, JobFrame } from "../../data.ts";
import { useData } from "../../loading.ts";
import { Card } from "../../look/card.tsx";
import { Skeleton } from "../../look/empty.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { Value } from "../../parts/value.tsx";
import { address } from "../../router.ts";
import { RULES } from "../../rules.ts";
import { number } from "../../words.ts";

export function Input({ job }: { readonly job: Job }) {
  const { data, fault } = useData<JobFrame>(`/result/${job.job_id}/frame${RULES.journals ? "?values=1" : ""}`, null);
  const variables = Object.entries(data?.frame ?? {});
  const isShown = data?.shown === "values";
  return (
    <Card
      title="Input"
      label="Input"
      actions={
        isShown && job.program !== undefined && job.version != null ? (
          <a class="small" href={address(["playground"], { ...playgroundOf(job), job: job.job_id })}>
            Open in the playground with this input
          </a>
        ) : null
      }
    >
      <FaultNotice fault={fault} />
      {data === null ? (
        fault === null ? (
          <Skeleton />
        ) : null
      ) : variables.length === 0 ? (
        <p class="quiet">It begins without variables.</p>
      ) : (
        <>
          {RULES.journals && !isShown ? (
            <p class="quiet">Values are shown up to 64 KiB, and these have {number(data.bytes)} bytes.</p>
          ) : null}
          <dl class="variables" tabIndex={0} aria-label="Variables">
            {variables.map(([name, value]) => (
              <div key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>{isShown ? <Value value={value} isBrief /> : <code>{String(value)}</code>}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Card>
  );
}

const playgroundOf = ({ program, version }: Job) => ({ program: String(program), version: String(version) });
