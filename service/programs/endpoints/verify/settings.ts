/** How deliveries to an endpoint prove their sender, as the setting `verify` says it (docs/programs.md). */
import * as z from "zod";

const names = z.array(z.string().min(1)).min(1);
const secrets = z.union([z.string().min(1), names.max(8)]);
export const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, "must be the name of a header");

/** What a template may name in braces. */
const TEMPLATE =
  /^[^{}]*(?:\{(?:timestamp|body|fields|method|path|query|url|header:[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128})\}[^{}]*)*$/;

const signed = z
  .string()
  .max(256)
  .regex(
    TEMPLATE,
    "may have {timestamp}, {body}, {fields}, {method}, {path}, {query}, {url} and {header:NAME} in braces",
  )
  .regex(/\{(?:body|fields)\}/, "must have {body} in it, or {fields} for the sorted fields of a form");

const template = {
  header: headerName,
  /** Before the signature in its header. */
  prefix: z.string().max(64).optional(),
  encoding: z.enum(["hex", "base64"]).optional(),
  /** Names the header with the time of the delivery: seconds or milliseconds since 1970, or ISO 8601. */
  timestamp_header: headerName.optional(),
  /** What is signed, such as `v0:{timestamp}:{body}`. Default: `{body}`, and `{timestamp}.{body}` where there is a time. */
  signed: signed.optional(),
};

/** `secrets`: names among the operator's secrets; several while one is replaced by another. */
export const Verify = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("standard"), secrets }),
  z.strictObject({ kind: z.literal("svix"), secrets }),
  z.strictObject({ kind: z.literal("github"), secrets }),
  z.strictObject({ kind: z.literal("stripe"), secrets }),
  z.strictObject({ kind: z.literal("slack"), secrets }),
  z.strictObject({ kind: z.literal("shopify"), secrets }),
  z.strictObject({ kind: z.literal("twilio"), secrets }),
  z.strictObject({ kind: z.literal("twitch"), secrets }),
  z.strictObject({ kind: z.literal("gitlab"), secrets }),
  z.strictObject({ kind: z.literal("bearer"), secrets }),
  /** The secret is the password of `user`. */
  z.strictObject({
    kind: z.literal("basic"),
    secrets,
    user: z.string().regex(/^[^:\p{Cc}]{1,128}$/u, "must be a name without a colon"),
  }),
  z.strictObject({
    /** A shared token in a header, which signs nothing. */
    kind: z.literal("token"),
    secrets,
    header: headerName,
    prefix: z.string().max(64).optional(),
  }),
  z.strictObject({
    kind: z.literal("hmac"),
    secrets,
    ...template,
    algorithm: z.enum(["sha1", "sha256", "sha512"]).optional(),
  }),
  /** The secrets are public keys. */
  z.strictObject({ kind: z.literal("ed25519"), secrets, ...template }),
]);
export type VerifySettings = z.output<typeof Verify>;

/** What is signed, and where the signature is. */
export type SignedRules = Omit<Extract<VerifySettings, { kind: "hmac" }>, "kind" | "secrets">;

/** Schemes of senders that sign by a template. */
const SENDERS: Readonly<Partial<Record<VerifySettings["kind"], SignedRules>>> = {
  github: { header: "x-hub-signature-256", prefix: "sha256=" },
  shopify: { header: "x-shopify-hmac-sha256", encoding: "base64" },
  slack: {
    header: "x-slack-signature",
    prefix: "v0=",
    timestamp_header: "x-slack-request-timestamp",
    signed: "v0:{timestamp}:{body}",
  },
  twitch: {
    header: "twitch-eventsub-message-signature",
    prefix: "sha256=",
    timestamp_header: "twitch-eventsub-message-timestamp",
    signed: "{header:twitch-eventsub-message-id}{timestamp}{body}",
  },
};

/** Null for schemes without a template. */
export function signedRules(verify: VerifySettings): SignedRules | null {
  if (verify.kind === "hmac" || verify.kind === "ed25519") return verify;
  return SENDERS[verify.kind] ?? null;
}

export function templateOf({ signed, timestamp_header }: SignedRules): string {
  return signed ?? (timestamp_header === undefined ? "{body}" : "{timestamp}.{body}");
}

/** Whether the address of the request is signed, which only the operator knows: `WF_PUBLIC_URL`. */
export function signsUrl(verify: VerifySettings): boolean {
  if (verify.kind === "twilio") return true;
  const rules = signedRules(verify);
  return rules !== null && templateOf(rules).includes("{url}");
}

/** What a template lacks; null for one that is whole. */
export function templateFault(
  verify: VerifySettings,
  hasDedupe: boolean,
): readonly [code: string, message: string] | null {
  if (verify.kind !== "hmac" && verify.kind !== "ed25519") return null;
  const { signed, timestamp_header } = verify;
  if (signed === undefined) return null;
  const isTimed = signed.includes("{timestamp}");
  if (isTimed && timestamp_header === undefined)
    return ["timestamp_header", "signed has {timestamp}: name its header in timestamp_header"];
  if (!isTimed && !hasDedupe)
    return ["dedupe", "what is signed has no {timestamp}, so an old delivery could be sent again: set dedupe"];
  return null;
}
