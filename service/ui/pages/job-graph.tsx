/** The graph of the program of a job, with what the run did so far: live while it runs. */
import { useState } from "preact/hooks";
import type { Layout } from "../../console/layout/shapes.ts";
import type { Job, JobWaits } from "../data.ts";
import { useData } from "../loading.ts";
import { FaultNotice } from "../parts/fault.tsx";
import { Graph, type StepPlace } from "../parts/graph.tsx";
import { type JobCall, marksOf } from "./job-calls.ts";

/** `waits`: null for a job that never waits. */
export function JobGraph({
  job,
  calls,
  waits,
}: {
  readonly job: Job;
  readonly calls: readonly JobCall[];
  readonly waits: JobWaits | null;
}) {
  const [isCollapsed, collapse] = useState(false);
  const { data, fault } = useData<Layout>(`/ui/layout/${job.checksum}?view=${isCollapsed ? "labels" : "steps"}`, null);
  return (
    <section aria-label="Graph">
      <h2>Graph</h2>
      <FaultNotice fault={fault} />
      {data === null ? null : (
        <Graph
          layout={data}
          marks={marksOf(calls, presentOf(job, calls, waits), failedOf(job))}
          isCollapsed={isCollapsed}
          collapse={collapse}
        />
      )}
    </section>
  );
}

/** What it waits at; while it runs, its last call. */
function presentOf({ status }: Job, calls: readonly JobCall[], waits: JobWaits | null): StepPlace | null {
  const wait = waits?.waits.find(({ ended_at, label }) => ended_at === null && label !== undefined);
  if (wait?.label !== undefined && wait.node !== undefined) return { label: wait.label, node: wait.node };
  return status === "running" ? (calls.at(-1) ?? null) : null;
}

function failedOf({ result }: Job): StepPlace | null {
  if (result === undefined || result.ok) return null;
  const { label = null, node = null } = result.error_structured ?? {};
  // A label is written with an L in errors, and without it in the graph.
  return label === null || node === null ? null : { label: label.replace(/^L/, ""), node };
}
