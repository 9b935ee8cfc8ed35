/**
 * The client of the service (`weft-runner/client`): runs, batches, jobs, deployments and schedules, typed as the service's OpenAPI document
 * says. Without dependencies, in browsers too (docs/clients.md).
 */
export type * from "./client/api-types.ts";
export type { Frame, Frames, LeanRow, Rows } from "./client/batch.ts";
export { WeftClient } from "./client/client.ts";
export { type ClientCode, type Issue, RunFailed, WeftError, type WeftErrorCode } from "./client/errors.ts";
export type { JobEvent } from "./client/job-events.ts";
export type {
  ApprovalFilter,
  BatchOptions,
  JobFilter,
  ProposalFilter,
  RunAnswer,
  WaitOptions,
} from "./client/options.ts";
export type { WireOptions as ClientOptions } from "./client/wire.ts";
