/** Settings of an endpoint, as `endpoints` of a deployment gives them (docs/programs.md). */
import * as z from "zod";

const names = z.array(z.string().min(1)).min(1);
const secrets = z.union([z.string().min(1), names.max(8)]);
const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, "must be the name of a header");

/** How deliveries are signed. `secrets`: names among the operator's secrets; several while one is replaced by another. */
const Verify = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("standard"), secrets }),
  z.strictObject({ kind: z.literal("svix"), secrets }),
  z.strictObject({ kind: z.literal("github"), secrets }),
  z.strictObject({ kind: z.literal("stripe"), secrets }),
  z.strictObject({ kind: z.literal("slack"), secrets }),
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
    header: headerName,
    /** Before the signature in its header. */
    prefix: z.string().max(64).optional(),
    encoding: z.enum(["hex", "base64"]).optional(),
    algorithm: z.enum(["sha1", "sha256", "sha512"]).optional(),
    /** Names the header with the time of the delivery, in seconds or milliseconds since 1970. */
    timestamp_header: headerName.optional(),
    /** What is signed, such as `v0:{timestamp}:{body}`. Default: `{body}`, and `{timestamp}.{body}` where there is a time. */
    signed: z
      .string()
      .max(256)
      .regex(/^[^{}]*(?:\{(?:timestamp|body)\}[^{}]*)*$/, "may have {timestamp} and {body} in braces")
      .regex(/\{body\}/, "must have {body} in it")
      .optional(),
  }),
]);
export type VerifySettings = z.output<typeof Verify>;

export const Endpoint = z.strictObject({
  verify: Verify.optional(),
  /** `job`: answers 202 with the job that runs the label. */
  mode: z.enum(["run", "job"]).optional(),
  /** What makes a delivery the same as another one: the name of a header, or a JSON pointer into the body such as `/event/id`. */
  dedupe: z.union([headerName, z.string().regex(/^\/.{1,255}$/, "must be a JSON pointer")]).optional(),
  /** `whole`: the input `body` is the whole body, whatever other inputs there are. */
  body: z.enum(["whole"]).optional(),
  /** Headers that `_request` has. */
  headers: z.array(headerName).max(32).optional(),
});
export type EndpointSettings = z.output<typeof Endpoint>;
