/** From the arguments of `ask` and `open` to a question that may be put before people. Throws AdapterError. */
import { createHash } from "node:crypto";
import { readSpan } from "../../../compiler/catalog/time-span.ts";
import type { Json } from "../../../compiler/json.ts";
import {
  type ApprovalAsked,
  type ApprovalForm,
  isFieldName,
  MAX_CHOICE,
  MAX_CHOICES,
  MAX_FIELDS,
  MAX_NEED,
  MAX_PEOPLE,
  MAX_TITLE,
  NO_CHOICES,
  PERSON,
} from "../../../vm/durable/approvals.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { keptResult } from "../../../vm/inputs/exact-text.ts";
import { anyJson, type VerbContext, z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";

const choice = z.string().min(1).max(MAX_CHOICE);
const kind = z.union([z.enum(["text", "number", "boolean"]), z.array(choice).min(1).max(MAX_CHOICES)]);

export const title = z.string().min(1).max(MAX_TITLE);
export const options = z.strictObject({
  details: anyJson().optional(),
  choices: z.array(choice).min(1).max(MAX_CHOICES).default(["approve", "reject"]),
  to: z
    .union([z.string(), z.array(z.string()).max(MAX_PEOPLE)])
    .optional()
    .meta({ role: "approver" }),
  need: z.number().int().min(1).max(MAX_NEED).default(1),
  timeout: z.union([z.number(), z.string()]).meta({ form: "span" }).optional(),
  form: z.record(z.string(), kind).optional(),
  idempotency_key: z.string().min(1).max(256).optional(),
});
export type AskOptions = z.output<typeof options>;

export function questionOf(
  text: string,
  given: AskOptions,
  allowTo: readonly string[] | undefined,
  ctx: Pick<VerbContext, "now">,
): ApprovalAsked {
  const { details = null, choices, need, form, timeout } = given;
  if (new Set(choices).size !== choices.length) throw badArgs("every choice stands once");
  const taken = choices.find((one) => (NO_CHOICES as readonly string[]).includes(one));
  if (taken !== undefined) throw badArgs(`${taken} is what is answered without a choice`);
  const to = [given.to ?? []].flat();
  checkPeople(to, allowTo);
  const span = timeoutSpan(timeout);
  const expiresMs = span === null ? null : ctx.now() + span;
  const { result, result_text } = keptResult(details as Json);
  const more = result_text === undefined ? {} : { details_text: result_text };
  return { title: text, details: result, ...more, choices, to, need, form: formOf(form), expiresMs };
}

/** Milliseconds; null: none is given. */
export function timeoutSpan(timeout: number | string | undefined): number | null {
  if (timeout === undefined) return null;
  const span = readSpan(timeout);
  if (span === null) throw badArgs("timeout is a number of seconds, or text such as 3d, of a year at most");
  return span;
}

/** The same call is the same question, however often it is made. */
export function approvalId({ traceId, idempotencyKey }: Pick<VerbContext, "traceId" | "idempotencyKey">): string {
  return createHash("sha256").update(`${traceId}\n${idempotencyKey}`, "utf8").digest("hex").slice(0, 32);
}

function checkPeople(to: readonly string[], allowed: readonly string[] | undefined): void {
  if (!to.every((one) => PERSON.test(one))) throw badArgs("to names people as user:ann and group:leads");
  if (allowed === undefined) return;
  if (to.length === 0) throw adapterError("ADAPTER_NOT_ALLOWED", "a question needs people in to, from allow_to");
  if (!to.every((one) => allowed.includes(one)))
    throw adapterError("ADAPTER_NOT_ALLOWED", "somebody in to is not on allow_to");
}

function formOf(form: AskOptions["form"]): ApprovalForm | null {
  if (form === undefined) return null;
  const names = Object.keys(form);
  if (names.length > MAX_FIELDS || !names.every(isFieldName))
    throw badArgs(`a form has at most ${MAX_FIELDS} fields with names of letters, digits and _`);
  return form;
}

function badArgs(message: string): AdapterError {
  return adapterError("ADAPTER_BAD_ARGS", message);
}
