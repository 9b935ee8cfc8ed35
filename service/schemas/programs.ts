/** Bodies of the routes of deployments. */
import * as z from "zod";
import { COMPILER_VERSION } from "../../compiler/compile.ts";
import { ProgramEmits } from "../events/schemas.ts";
import { flowMembers } from "../jobs/flow/members.ts";
import { JOB_STATUSES } from "../jobs/job.ts";
import { MAX_SEARCH_MEMBERS, SEARCH_MEMBER } from "../jobs/job-search.ts";
import { Next } from "../programs/channels/schemas.ts";
import { Endpoint } from "../programs/endpoints/endpoint-settings.ts";
import { DeploymentNotices } from "../programs/notice-settings.ts";
import { proposalMembers } from "../programs/proposals/schemas.ts";
import { AttestationBody, Signed } from "../programs/signing/schemas.ts";
import { anyObject, anyValue, pageLimit, stored } from "../wire/common.ts";
import { durableMembers, keepSeconds } from "./jobs.ts";
import { EXAMPLES } from "./program-examples.ts";
import { programMembers } from "./run.ts";

const { code, ir, strict, label, limits, allowed_adapters, adapters, policy } = programMembers;

const Tags = z
  .record(
    z.string().regex(/^[\x21-\x39\x3b-\x7e]{1,64}$/, "must be 1 to 64 printable characters without a colon"),
    stored(z.string().max(128)),
  )
  .refine((tags) => Object.keys(tags).length <= 8, "must have at most 8 tags");
const Description = stored(z.string().max(2000));

export const DeployRequest = z
  .strictObject({
    code,
    ir,
    /** Texts by path; includes resolve among them. */
    files: z.record(z.string(), z.string()).nullish(),
    /** Path of the file that is the program. */
    main: z.string().nullish(),
    strict,
    label,
    /** Values for variables that a caller does not give. */
    frame: anyObject.nullish(),
    limits,
    allowed_adapters,
    adapters,
    policy,
    ...durableMembers,
    /** Each round of a job has the whole lifetime (`job.again`). */
    again_lifetime: z.boolean().nullish(),
    ...flowMembers,
    tz: z.string().min(1).max(64).nullish(),
    tags: Tags.nullish(),
    description: Description.nullish(),
    /** By path as the program writes it, or by method and path. */
    endpoints: z.record(z.string(), Endpoint).nullish(),
    schedules: z.array(anyObject).max(1000).nullish(),
    /** How long results of its jobs are kept. */
    keep_s: keepSeconds.nullish(),
    /** Who is notified of what goes wrong. */
    notices: DeploymentNotices.nullish(),
    ...proposalMembers,
    /** Who vouches for the version (docs/signed-versions.md). */
    attestation: AttestationBody.nullish(),
    /** Inputs by which its jobs are found. */
    search: z
      .array(z.string().regex(SEARCH_MEMBER, "must be an input such as customer, or a member of it such as order.id"))
      .max(MAX_SEARCH_MEMBERS)
      .refine((members) => new Set(members).size === members.length, "must not name an input twice")
      .nullish(),
  })
  .meta({ id: "DeployRequest", examples: EXAMPLES.DeployRequest });
export type DeployMembers = z.output<typeof DeployRequest>;

export const RollbackRequest = z
  .strictObject({ version: z.int().min(1) })
  .meta({ id: "RollbackRequest", examples: EXAMPLES.RollbackRequest });

export const ProgramChange = z
  .strictObject({ enabled: z.boolean().nullish(), tags: Tags.nullish(), description: Description.nullish() })
  .meta({ id: "ProgramChange", examples: EXAMPLES.ProgramChange });

/** Who accepted a proposed version. */
const Accepted = z.object({
  /** null: not named. */
  by: z.string().nullable(),
  via: z.enum(["proxy", "api", "file"]),
  at: z.string(),
  comment: z.string(),
  /** Id of the proposal. */
  proposal: z.string(),
  proposed_by: z.string().nullable(),
});

const facts = {
  name: z.string(),
  /** The current version. */
  version: z.int(),
  checksum: z.string(),
  enabled: z.boolean(),
  source: z.enum(["api", "file"]),
  tags: z.record(z.string(), z.string()),
  description: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  deployed_at: z.string(),
  accepted: Accepted.nullable(),
  /** null: the current version is not signed. */
  signed: Signed.nullable(),
  /** The version next to the current one; null: none. */
  next: Next.nullable(),
};

const activity = {
  /** The newest of its jobs; null: it has none that is kept, or the service does not list jobs. */
  last_job: z
    .object({
      job_id: z.string(),
      status: z.enum(JOB_STATUSES),
      queued_at: z.string(),
      /** null: it is not over. */
      finished_at: z.string().nullable(),
    })
    .nullable(),
  /** When the first of its schedules fires; null: none will. */
  next_fire_at: z.string().nullable(),
};

export const ProgramList = z
  .object({ programs: z.array(z.object({ ...facts, ...activity })), next_cursor: z.string().nullable() })
  .meta({ id: "ProgramList", examples: EXAMPLES.ProgramList });

const EndpointShown = z.object({
  method: z.string(),
  path: z.string(),
  url: z.string(),
  label: z.string(),
  mode: z.enum(["run", "job"]),
  verify: z.string().optional(),
  dedupe: z.string().optional(),
  type: z.string().optional(),
  description: z.string().optional(),
});
const ScheduleShown = z.looseObject({
  id: z.string(),
  cron: z.string(),
  tz: z.string(),
  label: z.string(),
  next: z.array(z.string()),
});

export const Program = z
  .object({
    ...facts,
    endpoints: z.array(EndpointShown),
    schedules: z.array(ScheduleShown),
    emits: ProgramEmits.nullable(),
    warnings: z.array(z.string()),
  })
  .meta({ id: "Program", examples: EXAMPLES.Program });

const power = z.looseObject({ change: z.string(), kind: z.string(), value: z.string() });
const Difference = z
  .object({
    from: z.int(),
    /** What the new version may reach and the one before may not. */
    newly_reaches: z.array(power),
    same: z.boolean(),
    settings: z.array(z.string()),
    powers: z.array(power),
    entry: anyValue,
    labels: z.array(anyObject),
    endpoints: z.array(anyObject),
    declarations: z.array(anyObject),
    /** By the lines of the source; null: not both versions are in Python with their source. */
    functions: z.array(anyObject).nullable(),
  })
  .meta({ id: "ProgramDifference", examples: EXAMPLES.ProgramDifference });

export const Deployed = z
  .object({
    ok: z.literal(true),
    trace_id: z.string(),
    name: z.string(),
    version: z.int(),
    checksum: z.string(),
    unchanged: z.boolean(),
    dry_run: z.boolean(),
    difference: Difference.nullable(),
    endpoints: z.array(EndpointShown),
    schedules: z.array(ScheduleShown),
    emits: ProgramEmits.nullable(),
    /** What the program may touch, and its bounds: the summary of the security report. */
    report: anyObject,
    warnings: z.array(z.string()),
  })
  .meta({ id: "Deployed", examples: EXAMPLES.Deployed });

const versionFacts = {
  version: z.int(),
  current: z.boolean(),
  checksum: z.string(),
  source_hash: z.string().nullable(),
  compiler: z.string().meta({ examples: [COMPILER_VERSION] }),
  semantics: z.int(),
  created_at: z.string(),
  /** null: it was deployed without a proposal. */
  accepted: Accepted.nullable(),
  /** null: it is not signed. */
  signed: Signed.nullable(),
};
export const VersionList = z
  .object({ name: z.string(), versions: z.array(z.object(versionFacts)), next_cursor: z.string().nullable() })
  .meta({ id: "ProgramVersionList", examples: EXAMPLES.ProgramVersionList });
export const Version = z
  .object({
    name: z.string(),
    ...versionFacts,
    code: z.string().optional(),
    files: z.record(z.string(), z.string()).optional(),
    main: z.string().optional(),
    /** As it was sent; null: it is not signed. */
    attestation: AttestationBody.nullable(),
    settings: anyObject,
    warnings: z.array(z.string()),
    ir: anyObject,
  })
  .meta({ id: "ProgramVersion", examples: EXAMPLES.ProgramVersion });

export const Removed = z
  .object({ ok: z.literal(true), name: z.string() })
  .meta({ id: "ProgramRemoved", examples: EXAMPLES.ProgramRemoved });

const pageMembers = {
  limit: pageLimit,
  cursor: z.string().max(200).optional(),
};
export const ProgramListQuery = z.strictObject({
  ...pageMembers,
  /** `key` or `key:value`. */
  tag: stored(z.string().min(1).max(200)).optional(),
  q: stored(z.string().min(1).max(200)).optional(),
});
export const VersionListQuery = z.strictObject(pageMembers);
const flag = z.enum(["0", "1"]).optional();
/** `propose`: the version waits for a person. `next`: it is next to the current one, with no share of calls. */
export const DeployQuery = z.strictObject({ dry_run: flag, propose: flag, next: flag });
