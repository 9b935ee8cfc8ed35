/** Events of a job, as their stream has them. */
import type { Job, Json, RunSuccess } from "./api-types.ts";

/** One event of a job (docs/jobs.md, events of a job). */
export type JobEvent =
  | {
      readonly event: "status";
      readonly data: {
        readonly job_id: string;
        readonly status: Job["status"];
        readonly attempt: number;
        readonly ts: string;
      };
    }
  | { readonly event: "adapter_call"; readonly data: Readonly<Record<string, Json>> }
  /** Of durable jobs (docs/durable.md). */
  | {
      readonly event: "resumed" | "waiting" | "woken" | "outcome_unknown";
      readonly data: Readonly<Record<string, Json>>;
    }
  | { readonly event: "progress"; readonly data: { readonly usage: RunSuccess["usage"] } }
  | { readonly event: "end"; readonly data: { readonly status: Job["status"]; readonly ok: boolean } };
