/** What one looks at after the answer: the graph of the program, the journal, the source, the meters, and what it holds. */
import { useState } from "preact/hooks";
import type { Job, JobWaits, ProgramVersion } from "../../data.ts";
import { Tabs } from "../../look/tabs.tsx";
import { MeterBars } from "../../parts/meters.tsx";
import { Source } from "../../parts/source.tsx";
import type { StepWords } from "../../parts/step-words.ts";
import type { JobCall, ShortCalls } from "./job-calls.ts";
import { JobGraph } from "./job-graph.tsx";
import { Variables } from "./job-variables.tsx";
import { Journal } from "./journal/job-journal.tsx";
import type { JournalRead } from "./journal/read-journal.ts";

type TabsOf = {
  readonly job: Job;
  readonly over: boolean;
  readonly calls: readonly JobCall[];
  readonly short: ShortCalls;
  readonly waits: JobWaits | null;
  readonly journal: JournalRead;
  /** null: its program is not deployed, or not loaded. */
  readonly version: ProgramVersion | null;
  readonly steps: StepWords;
};
type Name = "Graph" | "Journal" | "Variables" | "Source" | "Meters";

export function JobTabs({ job, over, calls, short, waits, journal, version, steps }: TabsOf) {
  const durable = job.durable === true;
  const names: readonly Name[] = [
    "Graph",
    ...(durable ? (["Journal"] as const) : []),
    ...(durable && job.status !== "succeeded" ? (["Variables"] as const) : []),
    ...(version?.code === undefined ? [] : (["Source"] as const)),
    ...(job.result?.usage === undefined ? [] : (["Meters"] as const)),
  ];
  const [wanted, choose] = useState<Name>("Graph");
  const chosen = names.includes(wanted) ? wanted : "Graph";
  const failed = job.result?.ok === false ? job.result.error_structured : undefined;
  return (
    <section class="card" aria-label="More about the job">
      <Tabs label="More about the job" names={names} chosen={chosen} choose={choose}>
        {chosen === "Graph" ? <JobGraph job={job} code={version?.code ?? null} calls={calls} waits={waits} /> : null}
        {chosen === "Journal" ? (
          <Journal job={job} journal={journal} over={over} code={version?.code} steps={steps} short={short} />
        ) : null}
        {chosen === "Variables" ? <Variables id={job.job_id} /> : null}
        {chosen === "Source" && version?.code !== undefined ? (
          <Source code={version.code} line={failed?.file === undefined ? (failed?.line ?? undefined) : undefined} />
        ) : null}
        {chosen === "Meters" ? <MeterBars usage={job.result?.usage} limits={job.result?.limits} /> : null}
      </Tabs>
    </section>
  );
}
