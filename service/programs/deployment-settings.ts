/** What a version keeps besides its IR, as the JSON strings of a store hold it. */
import type { JsonObject } from "../../compiler/json.ts";
import type { CallerRequest } from "../../vm/admission/caller-request.ts";
import type { OnUnknown } from "../../vm/durable/call-options.ts";
import type { FlowMembers } from "../jobs/flow/members.ts";
import type { EndpointSettings } from "./endpoints/endpoint-settings.ts";
import type { NoticeRules } from "./notice-settings.ts";

/** For every call, or by `adapter.Verb` and `*`. */
export type UnknownWays = OnUnknown | Readonly<Record<string, OnUnknown>>;

/** As it was deployed: one source, or files with the entry named by `main`; neither for IR. */
export type ProgramSource = {
  readonly code?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly main?: string;
};

/** Members that were not given are absent. */
export type DeploymentSettings = CallerRequest &
  FlowMembers & {
    /** false: compiled without strict checks. */
    readonly strict?: boolean;
    /** Entry label as written. */
    readonly label?: string;
    /** Defaults below the caller's frame. */
    readonly frame?: JsonObject;
    /** Of jobs that a request says nothing about. */
    readonly durable?: boolean;
    readonly on_unknown?: UnknownWays;
    readonly lifetime_s?: number;
    /** Each round of a job has the whole lifetime (`job.again`). */
    readonly again_lifetime?: boolean;
    /** IANA name of the time zone of schedules. */
    readonly tz?: string;
    /** By path as the program writes it. */
    readonly endpoints?: Readonly<Record<string, EndpointSettings>>;
    /** How long results of its jobs are kept, in seconds. */
    readonly keep_s?: number;
    /** Targets of the operator's that are notified (docs/notices.md). */
    readonly notices?: NoticeRules;
    /** Inputs by which its jobs are found (`service/jobs/job-search.ts`). */
    readonly search?: readonly string[];
    /** As given (`deploy/schedules.ts`). */
    readonly schedules?: readonly JsonObject[];
  };

/** What a run of the deployment may ask for at most. */
export function askedBy({ allowed_adapters, policy, limits, adapters }: DeploymentSettings): CallerRequest {
  return {
    ...(allowed_adapters === undefined ? {} : { allowed_adapters }),
    ...(policy === undefined ? {} : { policy }),
    ...(limits === undefined ? {} : { limits }),
    ...(adapters === undefined ? {} : { adapters }),
  };
}
