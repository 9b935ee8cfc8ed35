/** The settings of http, and what a run keeps while it makes requests. */
import { type SettingsOf, setting, type VerbContext, z } from "../define.ts";
import type { HttpScope } from "../guard/http.ts";

const LARGEST_RESPONSE_BYTES = 64 * 1024 * 1024;
export const LONGEST_S = 120;

export const httpSettings = {
  allow_hosts: setting.list("host", ["url", "host"]),
  allow_ports: z.array(z.number().int()).readonly().optional().meta({ merge: "intersect", fold: "number" }),
  // No default of its own: where nobody says anything, the host's holds.
  allow_private: z.boolean().optional().meta({ merge: "and" }),
  timeout_s: setting.bound(LONGEST_S),
  max_response_bytes: setting.most(1_000_000, LARGEST_RESPONSE_BYTES),
  max_request_bytes: setting.most(1_000_000),
  max_redirects: setting.most(5, 10),
  allow_secrets: setting.operator(z.array(z.string()).readonly().default([])),
  proxy_url: setting.operator(z.url().optional()),
  ca_file: setting.operator(z.string().optional()),
  user_agent: setting.operator(
    z
      .string()
      .regex(/^[\x20-\x7e]+$/)
      .optional(),
  ),
};
export type HttpSettings = SettingsOf<typeof httpSettings>;

/** The connections of one run. */
export type HttpInstance = { readonly scope: HttpScope; readonly propagateTrace: boolean };

/** What every verb is given besides its arguments. */
export type HttpVerbCall = {
  readonly settings: HttpSettings;
  readonly instance: HttpInstance;
  readonly ctx: VerbContext;
};
