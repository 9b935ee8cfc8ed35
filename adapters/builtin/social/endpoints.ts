/**
 * What the operator says about a server of any kind: for each verb the request, with places for what a call gives, and where in the answer
 * things stand. A value that a call does not give takes its parameter or member with it.
 */
import { z } from "../../definition/define.ts";

/** What a call can give. */
const VALUES = [
  "text",
  "id",
  "since",
  "since_id",
  "limit",
  "visibility",
  "language",
  "reply_to",
  "scheduled_at",
] as const;
export type ValueName = (typeof VALUES)[number];
export type Values = Readonly<Partial<Record<ValueName, string | number | null>>>;

const PLACE = /\{([^{}]*)\}/g;

function isName(name: string): name is ValueName {
  return (VALUES as readonly string[]).includes(name);
}

function namesIn(template: string): readonly string[] {
  return [...template.matchAll(PLACE)].map(([, name = ""]) => name);
}

const template = z
  .string()
  .max(2_000)
  .refine((text) => namesIn(text).every(isName), `places are ${VALUES.map((name) => `{${name}}`).join(" ")}`);
const path = template.regex(/^\/[^?#]*$/, "a path that begins with / and has no query");
const jsonPath = z.string().max(500);

const endpoint = z.strictObject({
  path,
  query: z.record(z.string(), template).default({}),
  /** Where the list, or the one thing, stands in the answer. */
  result: jsonPath.default(""),
});
const writing = endpoint.extend({
  method: z.enum(["POST", "PUT", "PATCH", "DELETE"]).optional(),
  /** Members of a JSON object. */
  body: z.record(z.string(), template).optional(),
});

/** Paths within a post, and within a profile. */
const postFields = z.strictObject({
  id: jsonPath.default("id"),
  text: jsonPath.default("text"),
  ts: jsonPath.default("created_at"),
  author: jsonPath.default("author"),
  url: jsonPath.default("url"),
  lang: jsonPath.default("lang"),
  reply_to: jsonPath.default("reply_to"),
});
const profileFields = z.strictObject({
  name: jsonPath.default("name"),
  url: jsonPath.default("url"),
  followers: jsonPath.default("followers"),
  posts: jsonPath.default("posts"),
});

export const endpoints = z.strictObject({
  mentions: endpoint.optional(),
  search: endpoint.optional(),
  timeline: endpoint.optional(),
  get: endpoint.optional(),
  profile: endpoint.optional(),
  post: writing.optional(),
  delete: writing.optional(),
  /** Texts of posts are HTML. */
  html: z.boolean().default(false),
  post_fields: postFields.prefault({}),
  profile_fields: profileFields.prefault({}),
});
export type Endpoints = z.output<typeof endpoints>;
export type Endpoint = z.output<typeof endpoint>;
export type WritingEndpoint = z.output<typeof writing>;

export type FilledRequest = {
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly body: Readonly<Record<string, string | number>> | null;
};

/** The request; null: a value that its path needs is missing, or would lead elsewhere. */
export function filled({ path, query, body }: WritingEndpoint, values: Values): FilledRequest | null {
  const parts = namesIn(path).map((name) => String(values[name as ValueName] ?? ""));
  // Dots alone would climb out of the path, however they are encoded.
  if (parts.some((part) => /^\.{0,2}$/.test(part) || !part.isWellFormed())) return null;
  const place = (_: string, name: string): string => encodeURIComponent(String(values[name as ValueName]));
  return {
    path: path.replace(PLACE, place),
    query: given(query, values).map(([name, value]) => [name, String(value)]),
    body: body === undefined ? null : Object.fromEntries(given(body, values)),
  };
}

function given(templates: Readonly<Record<string, string>>, values: Values): (readonly [string, string | number])[] {
  return Object.entries(templates).flatMap(([name, template]) => {
    const named = namesIn(template) as readonly ValueName[];
    if (named.some((one) => values[one] == null)) return [];
    const [only] = named;
    // A number alone stays one.
    const whole = only !== undefined && template === `{${only}}` ? values[only] : null;
    return [[name, whole ?? template.replace(PLACE, (_, one: ValueName) => String(values[one]))] as const];
  });
}

/** Whether a request tells the server this. */
export function takes({ path, query, body = {} }: WritingEndpoint, value: ValueName): boolean {
  return [path, ...Object.values(query), ...Object.values(body)].some((text) => namesIn(text).includes(value));
}
