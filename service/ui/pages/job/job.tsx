/** One job: what it began with and what came of it on the left, when it did what on the right, and below how it is made. */
import { useMemo } from "preact/hooks";
import type { Job as JobData, JobWaits, ProgramVersion } from "../../data.ts";
import { useData } from "../../loading.ts";
import { Card } from "../../look/card.tsx";
import { Skeleton } from "../../look/empty.tsx";
import { FaultNotice } from "../../parts/fault.tsx";
import { Meters } from "../../parts/meters.tsx";
import { stepWords } from "../../parts/step-words.ts";
import { Value } from "../../parts/value.tsx";
import { RULES } from "../../rules.ts";
import { useTitle } from "../../title.ts";
import { spaced } from "../../words.ts";
import { callsOf, useCallEvents, useShortCalls } from "./job-calls.ts";
import { JobFailure } from "./job-failure.tsx";
import { Family } from "./job-family.tsx";
import { JobHead, titleOfJob } from "./job-head.tsx";
import { Input } from "./job-input.tsx";
import { JobTabs } from "./job-tabs.tsx";
import { State } from "./job-variables.tsx";
import { Waits } from "./job-waits.tsx";
import { JournalExtent } from "./journal/job-extent.tsx";
import { useJournal } from "./journal/read-journal.ts";
import { Timeline } from "./timeline/timeline.tsx";

const OVER = new Set(["succeeded", "failed", "timed_out", "cancelled", "interrupted", "rejected", "expired"]);

export function Job({ id }: { readonly id: string }) {
  const { data: job, fault, again } = useData<JobData>(`/result/${id}`);
  useTitle(job === null ? "Job" : `${titleOfJob(job)}, ${spaced(job.status)}`, "Jobs");
  const { data: version } = useData<ProgramVersion>(
    job?.program === undefined || job.version == null ? null : `/programs/${job.program}/versions/${job.version}`,
    null,
  );
  const durable = job?.durable === true;
  const over = job !== null && OVER.has(job.status);
  const journal = useJournal(durable ? id : null, over);
  const events = useCallEvents(id, { durable, over });
  const recorded = useMemo(() => callsOf(journal.records), [journal.records]);
  const calls = durable ? recorded : events;
  const short = useShortCalls(id, { hasCalls: RULES.journals && recorded.length > 0, over });
  const waits = useData<JobWaits>(durable ? `/result/${id}/waits` : null, over ? null : undefined);
  const result = job?.result;
  const first = journal.records[0]?.label ?? (result?.ok === false ? result.error_structured?.stack?.[0] : undefined);
  const steps = useMemo(
    () => stepWords(version, { written: job?.label ?? "", id: first }),
    [version, job?.label, first],
  );
  if (job === null)
    return (
      <>
        <h1>Job</h1>
        <FaultNotice fault={fault} />
        {fault === null ? <Skeleton lines={8} /> : null}
      </>
    );
  return (
    <>
      <JobHead job={job} over={over} outdated={version?.current === false} changed={again} steps={steps} />
      <FaultNotice fault={fault} />
      <div class="columns">
        <div>
          {durable && !over ? <Waits id={id} loaded={waits} changed={again} steps={steps} /> : null}
          <Input job={job} />
          {result === undefined ? null : (
            <Card title={result.ok ? "Result" : "Failure"} label={result.ok ? "Result" : "Failure"}>
              {result.ok ? (
                <Value value={result.out} />
              ) : (
                <JobFailure job={job} result={result} version={version} steps={steps} />
              )}
              <Meters usage={result.usage} limits={result.limits} />
            </Card>
          )}
        </div>
        <div>
          <State id={id} over={over} />
          <Card title="Timeline" label="Timeline">
            <Timeline
              calls={calls}
              short={short}
              started={durable && journal.before > 0 ? null : timeOf(job.started_at)}
              ended={timeOf(job.finished_at)}
              steps={steps}
            />
          </Card>
          {durable || job.parent !== undefined ? <Family id={id} over={over} /> : null}
        </div>
      </div>
      <JournalExtent journal={journal} />
      <JobTabs
        job={job}
        over={over}
        calls={calls}
        short={short}
        waits={waits.data}
        journal={journal}
        version={version}
        steps={steps}
      />
    </>
  );
}

const timeOf = (time: string | null | undefined): number | null => (time == null ? null : Date.parse(time));
