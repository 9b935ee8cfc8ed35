/**
 * Arguments and options of the verbs of http, and the spellings of them: an object of option names may stand where headers do, and
 * the timeout may be given in a place or as an option.
 */
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import { nearest } from "../../../grammar/text/nearest.ts";
import { keepComposed, memberTexts } from "../../../vm/inputs/exact-text.ts";
import { anyJson, arg, z } from "../../definition/define.ts";

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
const OPTIONS: Readonly<Record<string, z.ZodType>> = writeOptions.shape;
type ReadOptions = z.output<typeof readOptions>;
/** Reading verbs have no body. */
export type RequestOptions = ReadOptions & Partial<z.output<typeof writeOptions>>;

const url = arg("url", z.string(), { role: "url" });
const headersPlace = arg("headers", headers.optional());
const timeoutPlace = arg("timeout_s", z.number().positive().optional());
export const bodilessArgs = z.tuple([url, headersPlace, timeoutPlace]);
export const bodyArgs = z.tuple([url, arg("body", anyJson().optional()), headersPlace, timeoutPlace]);

/** The one spelling of the arguments, url, body?, headers?, null, options. `place` is that of the headers. */
export function respelling(place: number): (args: readonly Json[]) => readonly Json[] {
  return (args) => {
    const given = args.slice(0, args.findLastIndex((value) => value !== null) + 1);
    const before = given.slice(0, place);
    const [first = null, timeout, chosen = {}, ...more] = given.slice(place);
    const isTimed = typeof timeout === "number";
    if (given.length === place + (isTimed ? 2 : 1) && isObject(first) && isOptions(first))
      return [...before, null, null, isTimed ? within(first, timeout) : first];
    if (!isTimed || !isObject(chosen) || more.length > 0) return given;
    return [...before, first, null, within(chosen, timeout)];
  };
}

/** Of two timeouts the shorter one holds. */
function within(options: JsonObject, timeout: number): JsonObject {
  const own = options["timeout_s"] ?? timeout;
  const all = { ...options, timeout_s: typeof own === "number" ? Math.min(own, timeout) : own };
  keepComposed(all, new Map([...memberTexts(options)].filter(([name]) => name !== "timeout_s")));
  return all;
}

/**
 * Whether all names are those of options, also of options that the verb at hand does not have, or misspellings of them: as headers they
 * would be sent, and the option that was meant would not hold.
 */
function isOptions(object: JsonObject): boolean {
  const names = Object.keys(object);
  return names.length > 0 && names.every((name) => Object.hasOwn(OPTIONS, name) || isMisspelt(name, object[name]));
}

/** Near to the name of an option, and with a value that it takes. Names of headers seldom have `_`, and options never `-`. */
function isMisspelt(name: string, value: Json | undefined): boolean {
  const meant = name.includes("-") ? null : nearest(name, Object.keys(OPTIONS));
  return meant !== null && OPTIONS[meant]?.safeParse(value).success === true;
}
