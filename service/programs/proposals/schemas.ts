/** Bodies of the routes of proposals. */
import * as z from "zod";
import { MAX_COMMENT } from "../../../vm/durable/approvals.ts";
import { LIMIT_KEYS } from "../../../vm/run.ts";
import { ProgramEmits } from "../../events/schemas.ts";
import { anyObject, anyValue, pageLimit, stored, timeCursor } from "../../wire/common.ts";
import { AttestationBody, Signed } from "../signing/schemas.ts";
import { PROPOSAL_EXAMPLES as EXAMPLES } from "./examples.ts";
import { PROPOSAL_STATES } from "./proposal.ts";

const comment = stored(z.string().min(1).max(MAX_COMMENT));
const mockError = z.strictObject({
  code: z.string(),
  message: z.string().optional(),
  retryable: z.boolean().optional(),
  retry_after_ms: z.number().optional(),
});
const args = z.array(anyValue).optional();
const MockAnswer = z.union([z.strictObject({ args, result: anyValue }), z.strictObject({ args, error: mockError })]);

/** A test as `name.expected.json` has it, without what belongs to a folder of files. */
const ProposalTest = z
  .strictObject({
    name: z.string().min(1).max(200).optional(),
    label: z.string().optional(),
    frame: anyObject.optional(),
    limits: z.strictObject(Object.fromEntries(LIMIT_KEYS.map((key) => [key, z.int().min(0).optional()]))).optional(),
    /** Answers of adapters by call, such as `http.Get`. */
    mocks: z.record(z.string(), z.union([MockAnswer, z.array(MockAnswer).min(1).max(1000)])).optional(),
    clock: z.iso.datetime().optional(),
    random_seed: z.int().optional(),
    expect: z.strictObject({
      ok: z.boolean().optional(),
      result: anyValue.optional(),
      error: z.union([z.null(), z.string(), anyObject]).optional(),
    }),
  })
  .meta({ id: "ProposalTest", examples: EXAMPLES.ProposalTest });

/** Members of a deployment that only proposals have. */
export const proposalMembers = {
  /** Why it is proposed. */
  comment: comment.nullish(),
  tests: z.array(ProposalTest).max(100).nullish(),
};

export const ProposalParams = z.object({ id: z.string() });
export const ProposalsQuery = z.strictObject({
  state: z.enum([...PROPOSAL_STATES, "all"]).default("open"),
  program: stored(z.string().min(1).max(63)).optional(),
  limit: pageLimit,
  cursor: timeCursor,
});

const via = z.enum(["proxy", "api", "file"]);
const facts = {
  id: z.string(),
  /** Name of the deployment. */
  name: z.string(),
  state: z.enum(PROPOSAL_STATES),
  /** The version it was made against; null: there was none. */
  base: z.int().nullable(),
  /** The version that is current now. */
  current: z.int().nullable(),
  /** The base is not current any more: propose it again. */
  stale: z.boolean(),
  checksum: z.string(),
  source: z.enum(["api", "file"]),
  /** null: not named. */
  proposed_by: z.string().nullable(),
  proposed_via: via,
  comment: z.string().nullable(),
  proposed_at: z.string(),
  expires_at: z.string(),
  decision: z.object({ by: z.string().nullable(), via, comment: z.string(), at: z.string() }).nullable(),
  /** What it became. */
  version: z.int().nullable(),
  signed: Signed.nullable(),
};
export const ProposalList = z
  .object({ proposals: z.array(z.object(facts)), next_cursor: z.string().nullable() })
  .meta({ id: "ProposalList", examples: EXAMPLES.ProposalList });

export const ProposalDocument = z
  .object({
    ...facts,
    /** What the version may reach and its base may not; null for a first version, whose `report` says all. */
    newly_reaches: z.array(z.looseObject({ change: z.string(), kind: z.string(), value: z.string() })).nullable(),
    settings_changes: z.array(z.object({ name: z.string(), before: anyValue, after: anyValue })),
    /** As `patch` reads it. */
    source_difference: z.string(),
    difference: anyObject.nullable(),
    report: anyObject,
    tests: z.object({
      total: z.int(),
      passed: z.int(),
      fault: z.string().nullable(),
      results: z.array(z.object({ name: z.string(), ok: z.boolean(), problems: z.array(z.string()) })),
    }),
    endpoints: z.array(anyObject),
    schedules: z.array(anyObject),
    emits: ProgramEmits.nullable(),
    warnings: z.array(z.string()),
    code: z.string().optional(),
    files: z.record(z.string(), z.string()).optional(),
    main: z.string().optional(),
    settings: anyObject,
  })
  .meta({ id: "Proposal", examples: EXAMPLES.Proposal });

export const AcceptRequest = z
  .strictObject({
    checksum: z.string().max(100),
    base: z.int().min(1).nullable(),
    comment,
    attestation: AttestationBody.nullish(),
    /** It becomes the version next to the current one, with no share of calls. */
    next: z.boolean().nullish(),
  })
  .meta({ id: "AcceptRequest", examples: EXAMPLES.AcceptRequest });
export const DeclineRequest = z
  .strictObject({ comment })
  .meta({ id: "DeclineRequest", examples: EXAMPLES.DeclineRequest });
