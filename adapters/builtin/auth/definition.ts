/**
 * The adapter `auth`: whether a credential that a program was given is valid, and whose it is. It never issues, stores
 * or renews one. `enforce` is the call of the Enf step and needs no provider.
 */
import { enforce } from "../../../vm/calls/enforce.ts";
import { anyJson, arg, defineAdapter, setting, type VerbContext, verbsFor, z } from "../../definition/define.ts";
import { type Asked, type Expected, rejected, type Verdict, verdictOn } from "./claims.ts";
import { ASYMMETRIC, SYMMETRIC } from "./jwt.ts";
import type { Provider } from "./provider.ts";
import { notConfigured, providerOf } from "./providers.ts";

const MAX_TOKEN_BYTES = 16 * 1024;
/** What stands for "no credential" in programs. */
const NO_TOKEN: ReadonlySet<string> = new Set(["", "invalid", "none", "null"]);

const address = z.url({ protocol: /^https?$/ });
const key = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  subject: z.string(),
  scopes: z.array(z.string()).default([]),
});

const settings = {
  provider: setting
    .operator(z.enum(["jwt", "static", "introspection"]).optional())
    .describe(
      'who is asked: `static`, `jwt` or `introspection`; without one, only `enforce` and the answers about "no token" work',
    ),
  jwks_url: setting.operator(address.optional()).describe("of `jwt`: address of the key set"),
  key_secret: setting
    .operator(z.string().optional())
    .describe("of `jwt`: name of the secret with a shared secret, or a public key as PEM"),
  issuer: setting.operator(z.string().optional()).describe("what `iss` must be; unchecked without it"),
  audience: setting
    .operator(z.union([z.string(), z.array(z.string())]).optional())
    .describe("one of what `aud` must hold; unchecked without it"),
  algorithms: setting
    .operator(
      z
        .array(z.enum([...ASYMMETRIC, ...SYMMETRIC]))
        .min(1)
        .optional(),
    )
    .describe(
      "the only ones that count: RS256, ES256 and EdDSA with `jwks_url`, HS256 with `key_secret`. `none` does not exist, and symmetric ones do not go with public keys",
    ),
  clock_skew_s: setting
    .operator(z.number().min(0).max(600).default(60))
    .describe("seconds that clocks may be apart; at most 600"),
  keys: setting.operator(z.array(key).optional()).describe("of `static`: hashes of keys with owner and scopes"),
  url: setting.operator(address.optional()).describe("of `introspection`: address of the provider"),
  client_id: setting.operator(z.string().optional()).describe("of `introspection`: name of this client"),
  client_secret_name: setting
    .operator(z.string().optional())
    .describe("of `introspection`: name of the secret with the client's password"),
  cache_s: setting
    .operator(z.number().min(0).max(3600).default(30))
    .describe("of `introspection`: seconds that an answer is kept"),
};

type Instance = { readonly provider: Provider | null; readonly expected: Expected };

const verb = verbsFor<typeof settings, Instance>();

const checking = {
  effect: "io-read",
  kind: "control",
  determinism: "clock",
  record: "hash",
  args: z.tuple([arg("token", z.string(), { sensitive: true })]),
  options: z.strictObject({ scopes: z.array(z.string()).default([]), audience: z.string().optional() }),
  timeoutMs: 5_000,
  maxTimeoutMs: 15_000,
  errors: ["ADAPTER_UNAVAILABLE"],
} as const;

export const authAdapter = defineAdapter<typeof settings, Instance>({
  apiVersion: 1,
  name: "auth",
  version: "1.0.0",
  summary: "Checks credentials that a program was given",
  support: "core",
  lane: "canonical",
  privilege: "operator_sensitive",
  sandboxSafe: false,
  networkFacing: false,
  durable: false,
  maturity: "beta",
  needs: ["http"],
  settings,

  open({ settings, host, secret }) {
    const { http } = host;
    const { provider, issuer, audience, clock_skew_s: clockSkewS } = settings;
    const outside = provider !== "static";
    return {
      provider: providerOf(settings, http, secret),
      expected: {
        issuer: outside ? issuer : undefined,
        audience: outside ? (typeof audience === "string" ? [audience] : audience) : undefined,
        clockSkewS,
      },
    };
  },

  verbs: {
    Validate: verb({
      ...checking,
      summary: "Whether a token is valid",
      result: z.boolean(),
      examples: [{ source: 'R auth.Validate "none" ->ok', result: false }],
      run: async ({ args: [token], options, instance, ctx }) => (await verdict(token, options, instance, ctx)).valid,
    }),
    verify: verb({
      ...checking,
      summary: "Whether a token is valid, whose it is, and why it is not",
      result: z.object({
        valid: z.boolean(),
        subject: z.string().nullable(),
        scopes: z.array(z.string()),
        expires_at: z.string().nullable(),
        reason: z.string().nullable(),
      }),
      examples: [
        {
          source: 'R auth.verify "none" ->who',
          result: { valid: false, subject: null, scopes: [], expires_at: null, reason: "malformed" },
        },
      ],
      run: ({ args: [token], options, instance, ctx }) => verdict(token, options, instance, ctx),
    }),
    enforce: verb({
      summary: "Whether facts meet the constraints of a policy",
      effect: "pure",
      determinism: "pure",
      args: z.tuple([arg("policy", anyJson()), arg("constraints", anyJson()), arg("facts", anyJson())]),
      result: z.literal(true),
      errors: ["ADAPTER_POLICY_VIOLATION"],
      examples: [{ source: 'R auth.enforce "p" {"auth": true} {"auth_present": true} ->ok', result: true }],
      run: ({ args }) => enforce(args),
    }),
  },
});

async function verdict(
  token: string,
  options: { readonly scopes: readonly string[]; readonly audience?: string | undefined },
  { provider, expected }: Instance,
  ctx: VerbContext,
): Promise<Verdict> {
  if (isNoToken(token)) return rejected("malformed");
  if (provider === null) throw notConfigured("no provider is configured");
  const nowMs = ctx.now();
  const claims = await provider.claims(token, { signal: ctx.signal, nowMs });
  if (typeof claims === "string") return rejected(claims);
  const asked: Asked = { scopes: options.scopes, audience: options.audience };
  return verdictOn(claims, expected, asked, nowMs);
}

/** The length comes first: nothing is done with text that is far too long. */
function isNoToken(token: string): boolean {
  if (token.length > MAX_TOKEN_BYTES || Buffer.byteLength(token) > MAX_TOKEN_BYTES) return true;
  return NO_TOKEN.has(token.trim().toLowerCase());
}
