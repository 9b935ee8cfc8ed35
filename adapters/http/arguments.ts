/**
 * Arguments and options of the verbs of http, and the spellings of them: an object of option names may stand where headers do, and
 * the timeout may be given in a place or as an option.
 */
import { isObject, type Json } from "../../compiler/json.ts";
import { anyJson, arg, z } from "../define.ts";

const headers = z.record(z.string(), z.union([z.string(), z.array(z.string())], "text or a list of text"));
const QUERY_VALUE = "text, a number, true, false, null, or a list of these";
const queryValue = z.union([z.string(), z.number(), z.boolean(), z.null()], QUERY_VALUE);

const common = {
  headers: headers.optional(),
  query: z.record(z.string(), z.union([queryValue, z.array(queryValue)], QUERY_VALUE)).optional(),
  timeout_s: z.number().positive().optional(),
  response: z.enum(["auto", "json", "text", "base64", "none"]).default("auto"),
  accept_status: z
    .union([z.array(z.number().int().min(100).max(599)), z.literal("any")], 'a list of statuses, or "any"')
    .optional(),
  redirect: z.enum(["follow", "manual", "error"]).optional(),
  max_redirects: z.number().int().nonnegative().optional(),
  max_response_bytes: z.number().int().nonnegative().optional(),
  auth: z
    .strictObject({
      secret: z.string(),
      scheme: z
        .string()
        .regex(/^(?:bearer|basic|header:[!#$%&'*+.^_`|~0-9A-Za-z-]+)$/, "bearer, basic or header:NAME")
        .default("bearer"),
    })
    .optional(),
};
const sending = {
  body: anyJson().optional(),
  body_type: z.enum(["json", "text", "form", "base64"]).optional(),
  idempotency_key: z
    .union([z.literal(true), z.string().min(1).max(255)], "true, or text of 1 to 255 characters")
    .optional(),
};

export const readOptions = z.strictObject(common);
export const writeOptions = z.strictObject({ ...common, ...sending });
type ReadOptions = z.output<typeof readOptions>;
/** Reading verbs have no body. */
export type RequestOptions = ReadOptions & Partial<z.output<typeof writeOptions>>;

const url = arg("url", z.string(), { role: "url" });
const headersPlace = arg("headers", headers.optional());
const timeoutPlace = arg("timeout_s", z.number().positive().optional());
export const bodilessArgs = z.tuple([url, headersPlace, timeoutPlace]);
export const bodyArgs = z.tuple([url, arg("body", anyJson().optional()), headersPlace, timeoutPlace]);

/**
 * The one spelling of the arguments, url, body?, headers?, null, options. `place` is that of the headers, `options` the schema of
 * the verb.
 */
export function respelling(place: number, options: z.ZodObject): (args: readonly Json[]) => readonly Json[] {
  return (args) => {
    const given = args.slice(0, args.findLastIndex((value) => value !== null) + 1);
    const before = given.slice(0, place);
    const [first = null, timeout, chosen = {}, ...more] = given.slice(place);
    if (given.length === place + 1 && isOptions(first, options)) return [...before, null, null, first];
    if (typeof timeout !== "number" || !isObject(chosen) || more.length > 0) return given;
    const own = chosen["timeout_s"] ?? timeout;
    const shorter = typeof own === "number" ? Math.min(own, timeout) : own;
    return [...before, first, null, { ...chosen, timeout_s: shorter }];
  };
}

function isOptions(value: Json, { shape }: z.ZodObject): boolean {
  const names = isObject(value) ? Object.keys(value) : [];
  return names.length > 0 && names.every((name) => Object.hasOwn(shape, name));
}
