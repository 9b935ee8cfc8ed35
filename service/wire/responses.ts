/** The answers of a route for the OpenAPI document: its successes, and every refusal of the table that it can give. */
import * as z from "zod";
import { ErrorBody, ProblemBody } from "./common.ts";
import { ERRORS, type ErrorCode, errorRow } from "./errors.ts";
import { SIGNATURE_REFUSALS } from "./signature-refusals.ts";

type Described = {
  readonly description: string;
  readonly content: { readonly [type: string]: { readonly schema: z.ZodType } };
};
/** `z.null()`: no body. */
export type Responses = { readonly [status: string]: Described | z.ZodNull };

/** What may be refused at any path. */
const EVERYWHERE: readonly ErrorCode[] = [
  "invalid_request",
  "ui_read_only",
  "forbidden_origin",
  "forbidden_host",
  "header_fields_too_large",
  "internal_error",
  "server_busy",
  "answer_dropped",
];
/** What may be refused of a request with a body. */
export const refusalsOfBodies: readonly ErrorCode[] = [
  "invalid_json",
  "payload_too_large",
  "unsupported_media_type",
  "request_timeout",
];
/** What may be refused of a program before it runs. */
export const refusalsOfPrograms: readonly ErrorCode[] = [
  ...refusalsOfBodies,
  "policy_violation",
  "code_not_taken",
  ...SIGNATURE_REFUSALS,
  "compile_error",
  "input_invalid",
  "invalid_ir",
  "unsupported_ir_version",
  "unknown_label",
  "adapter_config_error",
  "rate_limited",
  "server_busy",
  "draining",
];

/** A JSON body, bodies by media type, or no body. */
export type Success = z.ZodType | Readonly<Record<string, z.ZodType>> | null;

/** `successes` by status. `failures`: runs that fail may answer with a status of their own. */
export function responses(
  successes: Readonly<Record<number, Success>>,
  refusals: readonly ErrorCode[],
  { failures = false }: { readonly failures?: boolean } = {},
): Responses {
  const answers: { [status: string]: Responses[string] } = {};
  for (const [status, body] of Object.entries(successes)) {
    const description = failures ? "Success, or a program that failed" : (SUCCESSES[status] ?? "Success");
    answers[status] = body === null ? z.null().meta({ description }) : { description, content: contentOf(body) };
  }
  const byStatus = new Map<number, ErrorCode[]>();
  const add = (status: number, code: ErrorCode): void => {
    const known = byStatus.get(status);
    if (known === undefined) byStatus.set(status, [code]);
    else if (!known.includes(code)) known.push(code);
  };
  for (const code of [...refusals, ...EVERYWHERE]) add(errorRow(code).status, code);
  if (failures)
    for (const code of Object.keys(ERRORS) as ErrorCode[]) {
      const { preferred } = errorRow(code);
      if (preferred !== undefined) add(preferred, code);
    }
  for (const [status, codes] of byStatus) {
    // A route that has a body of its own for a status says so instead.
    answers[status] ??= {
      description: codes.map((code) => `${code}: ${errorRow(code).title}`).join(". "),
      content: {
        "application/json": { schema: ErrorBody },
        "application/problem+json": { schema: ProblemBody },
      },
    };
  }
  return answers;
}

const SUCCESSES: Readonly<Record<string, string>> = {
  202: "Accepted",
  204: "The job is over, and the caller has its last event",
  304: "Not changed since the entity tag that the request names",
};

function contentOf(body: NonNullable<Success>): Described["content"] {
  if (body instanceof z.ZodType) return { "application/json": { schema: body } };
  return Object.fromEntries(Object.entries(body).map(([type, schema]) => [type, { schema }]));
}
