/** The jobs that started each other, where a job is one of several: each below the one that started it. */
import { useState } from "preact/hooks";
import type { FamilyTree } from "../../../../client/api-types.ts";
import { useData } from "../../loading.ts";
import { Card } from "../../look/card.tsx";
import { Status } from "../../parts/status.tsx";
import { address } from "../../router.ts";
import { counted, spaced } from "../../words.ts";

/** Jobs that are shown at once. */
const ROWS = 100;

export function Family({ id, over }: { readonly id: string; readonly over: boolean }) {
  const { data } = useData<FamilyTree>(`/result/${id}/family`, over ? null : undefined);
  const [shown, setShown] = useState(ROWS);
  if (data === null || data.jobs.length < 2) return null;
  const left = data.jobs.length - shown;
  return (
    <Card title="Family" label="Family">
      <ul class="tree">
        {data.jobs.slice(0, shown).map(({ job_id, depth, program, version, status, detached, share, error, round }) => (
          <li key={job_id}>
            {"· ".repeat(Math.min(depth, 20))}
            {job_id === id ? <strong>this job</strong> : <a href={address(["jobs", job_id])}>{job_id.slice(-12)}</a>}{" "}
            {program === null ? "" : `${program}@${version ?? "?"} `}
            <Status status={status} />
            {round === undefined ? "" : ` round ${round}`}
            {error === null ? "" : ` ${spaced(error)}`}
            {detached ? " detached" : ""}
            {share === undefined ? "" : " shared budget"}
          </li>
        ))}
      </ul>
      {left <= 0 ? null : (
        <button type="button" onClick={() => setShown(shown + ROWS)}>
          {counted(left, "more job")}
        </button>
      )}
      {left <= 0 && data.truncated ? <p>There are more.</p> : null}
    </Card>
  );
}
