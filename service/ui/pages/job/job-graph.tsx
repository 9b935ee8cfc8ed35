/** The graph of the program of a job, with what the run did so far: live while it runs. */
import { useMemo } from "preact/hooks";
import type { Job, JobWaits } from "../../data.ts";
import type { StepPlace } from "../../parts/graph/graph-marks.ts";
import { ProgramGraph } from "../programs/program-graph.tsx";
import { type JobCall, visitsOf } from "./job-calls.ts";

type JobGraphOf = {
  readonly job: Job;
  /** Of its program; null: it is not deployed, or not loaded. */
  readonly code: string | null;
  readonly calls: readonly JobCall[];
  /** null for a job that never waits. */
  readonly waits: JobWaits | null;
};

export function JobGraph({ job, code, calls, waits }: JobGraphOf) {
  const visits = useMemo(() => visitsOf(calls), [calls]);
  const marks = { visits, present: presentOf(job, calls, waits), failed: failedOf(job) };
  return <ProgramGraph checksum={job.checksum} code={code} marks={marks} />;
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
  return label === null || node === null ? null : { label, node };
}
