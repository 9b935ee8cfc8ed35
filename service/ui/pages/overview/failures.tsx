/** Failures that were neither retried nor discarded, by program and reason, with what the newest of them says. */
import { useEffect } from "preact/hooks";
import type { DeadLetterList } from "../../data.ts";
import { onJobChange } from "../../job-changes.ts";
import { useData } from "../../loading.ts";
import { Card } from "../../look/card.tsx";
import { Skeleton } from "../../look/empty.tsx";
import { Time } from "../../look/time.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { address } from "../../router.ts";
import { RULES } from "../../rules.ts";
import { number, spaced } from "../../words.ts";
import { deadFilters, useDeadMessages } from "../jobs/found-jobs.ts";

const SHOWN = 6;

export function FailuresByProgram() {
  const { data, fault, again } = useData<DeadLetterList>(RULES.lists ? "/dead-letters" : null, null);
  useEffect(() => (RULES.lists ? onJobChange(again) : undefined), []);
  const messages = useDeadMessages();
  if (!RULES.lists) return null;
  const groups = data?.groups ?? [];
  return (
    <Card
      title="Failures"
      label="Failures"
      actions={
        <a class="small" href={address(["dead-letters"])}>
          retry or discard
        </a>
      }
    >
      <FaultNotice fault={fault} />
      {data === null && fault === null ? <Skeleton /> : null}
      {data !== null && groups.length === 0 ? <p class="quiet">No job has failed.</p> : null}
      <ul class="rows">
        {groups.slice(0, SHOWN).map(({ program, error, count, last_at: last, job_id: id }) => (
          <li key={`${program} ${error}`}>
            <p>
              <a href={address(["jobs"], deadFilters({ program, error }))}>
                <strong>{program ?? "without a deployment"}</strong>
              </a>{" "}
              <span class="count bad">{number(count)}</span>{" "}
              <span class="quiet small">
                {spaced(error)}, newest <Time at={last} />
              </span>
            </p>
            <a class="small message" href={address(["jobs", id])}>
              {messages.get(id) ?? "the newest one"}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
