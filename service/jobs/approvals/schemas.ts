/** Bodies of the routes of approvals and links. */
import * as z from "zod";
import { MAX_CHOICE, MAX_COMMENT, MAX_PEOPLE } from "../../../vm/durable/approvals.ts";
import { anyValue, pageLimit, timeCursor } from "../../wire/common.ts";
import { readJobId } from "../job-id.ts";
import { APPROVAL_STATES } from "./approvals.ts";

const ID = "3f0c9a51d2b84e6f9b1c7d8e2a4f6b90";
const JOB_ID = "01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d";
const PERSON_FORM = "must name people as user:ann or group:leads";
/** Among people to look for: the caller with its groups, as the proxy names them. */
export const ME = "me";
const sought = z.string().regex(/^(me|(user|group):[^\s,\p{C}]{1,128})$/u, `${PERSON_FORM}, or be ${ME}`);

export const ApprovalParams = z.object({ id: z.string() });
export const ApprovalsQuery = z.strictObject({
  state: z.enum([...APPROVAL_STATES, "all"]).default("open"),
  to: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(sought).max(MAX_PEOPLE))
    .optional(),
  job: z
    .string()
    .refine((text) => readJobId(text) !== null, "must be the id of a job")
    .transform((text) => text.toLowerCase())
    .optional(),
  limit: pageLimit,
  cursor: timeCursor,
});

const answer = {
  choice: "approve",
  by: "ann",
  via: "proxy",
  comment: null,
  data: null,
  at: "2030-01-01T00:00:00.000Z",
};
const approval = {
  id: ID,
  approval_id: ID,
  job_id: JOB_ID,
  state: "decided",
  program: "refund",
  version: 3,
  asked_by: "bob",
  title: "Refund of an order",
  details: { order: 7, total: 120 },
  choices: ["approve", "reject"],
  to: ["group:support-leads"],
  need: 1,
  form: null,
  opened_at: "2030-01-01T00:00:00.000Z",
  expires_at: "2030-01-04T00:00:00.000Z",
  ended_at: "2030-01-01T00:00:00.000Z",
  decision: "approve",
  answers: [answer],
};
const Answer = z.object({
  choice: z.string(),
  /** null: not named. */
  by: z.string().nullable(),
  via: z.enum(["proxy", "api", "cli", "link", "terminal", "elicitation"]),
  comment: z.string().nullable().optional(),
  data: anyValue.optional(),
  at: z.string(),
});
export const ApprovalDocument = z
  .object({
    /** The same as `approval_id`. */
    id: z.string(),
    approval_id: z.string(),
    job_id: z.string(),
    state: z.enum(APPROVAL_STATES),
    program: z.string().optional(),
    version: z.int().nullable().optional(),
    name: z.string().optional(),
    /** Who queued the job. */
    asked_by: z.string().optional(),
    /** Title, details, comments and data are not shown to this caller. */
    values_hidden: z.literal(true).optional(),
    title: z.string().optional(),
    details: anyValue.optional(),
    /** The first one approves. */
    choices: z.array(z.string()),
    to: z.array(z.string()),
    need: z.int(),
    form: z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullable(),
    opened_at: z.string(),
    expires_at: z.string().nullable(),
    ended_at: z.string().nullable(),
    decision: z.string().nullable(),
    answers: z.array(Answer),
  })
  .meta({ id: "Approval", examples: [approval] });
export const ApprovalPage = z
  .object({ approvals: z.array(ApprovalDocument), next_cursor: z.string().nullable() })
  .meta({ id: "ApprovalPage", examples: [{ approvals: [approval], next_cursor: null }] });

export const DecisionRequest = z
  .strictObject({
    decision: z.string().min(1).max(MAX_CHOICE),
    comment: z.string().max(MAX_COMMENT).nullish(),
    /** By field of the form. */
    data: z.record(z.string(), anyValue).nullish(),
    /** Said by the command line, for the record. */
    via: z.enum(["cli", "elicitation"]).optional(),
  })
  .meta({ id: "DecisionRequest", examples: [{ decision: "approve", comment: "checked" }] });

export const LinkRequest = z
  .strictObject({
    for: z.string().regex(/^user:[^\s,\p{C}]{1,128}$/u, "must name one person, as user:ann"),
    expires_s: z.int().min(60).max(604_800).nullish(),
  })
  .meta({ id: "LinkRequest", examples: [{ for: "user:ann", expires_s: 86_400 }] });
export const LinkMade = z
  .object({ ok: z.literal(true), url: z.string(), for: z.string(), expires_at: z.string() })
  .meta({
    id: "LinkMade",
    examples: [
      {
        ok: true,
        url: "https://weft.example.com/a/Q2hhbmdlIG1lIHdpdGggMzIgcmFuZG9tIGJ5dGVzISE",
        for: "user:ann",
        expires_at: "2030-01-02T00:00:00.000Z",
      },
    ],
  });
