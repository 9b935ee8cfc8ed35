/** The settings of http, and what a run keeps while it makes requests. */
import { type SettingsOf, setting, type VerbContext, z } from "../../definition/define.ts";
import type { HttpScope } from "../../guard/http/http.ts";

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** The largest answer that a request may ask for where the operator says nothing. */
export const CALLER_RESPONSE_BYTES = 8 * 1024 * 1024;
export const MAX_TIMEOUT_S = 120;

export const httpSettings = {
  allow_hosts: setting.list("host", ["url", "host"]).describe("see below; without the list every public host"),
  allow_ports: z
    .array(z.number().int())
    .readonly()
    .optional()
    .meta({ merge: "intersect", fold: "number" })
    .describe("numbers"),
  // No default here: an absent setting takes the default of the host.
  allow_private: z
    .boolean()
    .optional()
    .meta({ merge: "and", operatorGrants: true })
    .describe(
      "the operator: private addresses need not be named; a caller can only say false. Without it false, true with `WF_HTTP_ALLOW_PRIVATE=1`",
    ),
  timeout_s: setting.bound(MAX_TIMEOUT_S).describe("seconds of a call; 5 when neither setting nor option says"),
  max_response_bytes: z
    .number()
    .nonnegative()
    .default(1_000_000)
    .meta({ merge: "min", max: MAX_RESPONSE_BYTES, callerMax: CALLER_RESPONSE_BYTES })
    .describe("of an answer, after decoding; a request gets at most 8388608 unless the operator names more"),
  max_request_bytes: setting.most(1_000_000).describe("of a body that is sent"),
  max_redirects: setting.most(5, 10).describe("hops of one call"),
  allow_secrets: setting
    .operator(z.array(z.string()).readonly().default([]))
    .describe(
      "names of secrets that programs may use in `auth`; also set `allow_hosts`, otherwise a program can send them to any host",
    ),
  proxy_url: setting
    .operator(z.url().optional())
    .describe("an HTTP proxy; variables such as `HTTPS_PROXY` are not read"),
  ca_file: setting.operator(z.string().optional()).describe("certificates (PEM) trusted besides the usual ones"),
  user_agent: setting
    .operator(
      z
        .string()
        .regex(/^[\x20-\x7e]+$/)
        .optional(),
    )
    .describe("value of the `User-Agent` header; without it `weft/<version>`"),
};
type HttpSettings = SettingsOf<typeof httpSettings>;

/** The connections of one run. */
export type HttpInstance = { readonly scope: HttpScope; readonly propagateTrace: boolean };

/** What every verb is given besides its arguments. */
export type HttpVerbCall = {
  readonly settings: HttpSettings;
  readonly instance: HttpInstance;
  readonly ctx: VerbContext;
};
