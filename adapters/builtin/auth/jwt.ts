/**
 * Signed tokens (JWT), checked with jose: by a key that is a secret of the host, or by a provider's public keys. Which
 * algorithms hold is the operator's word, never the token's; symmetric ones are refused together with public keys,
 * because a public key would then be a shared secret that everyone knows.
 */
import type { CompactVerifyGetKey, CryptoKey, JWSHeaderParameters } from "jose";
import type { Json } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";
import { claimsIn, type Reason } from "./claims.ts";
import { loadJose } from "./jose.ts";
import type { KeySet } from "./key-set.ts";
import type { Provider } from "./provider.ts";

export const ASYMMETRIC = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
] as const;
export const SYMMETRIC = ["HS256", "HS384", "HS512"] as const;

export type Algorithm = (typeof ASYMMETRIC)[number] | (typeof SYMMETRIC)[number];

/** Where keys come from: `secret` gives a shared secret, or a public key as PEM. */
export type KeySource = { readonly keySet: KeySet } | { secret(): Promise<string> };

export function isSymmetric(algorithm: Algorithm): boolean {
  return algorithm.startsWith("HS");
}

export function signedTokens(source: KeySource, algorithms: readonly Algorithm[]): Provider {
  return {
    async claims(token, { nowMs }) {
      const key: CompactVerifyGetKey = (header) => keyFor(source, header, nowMs);
      try {
        const payload = await verified(token, key, algorithms);
        return claimsIn(JSON.parse(new TextDecoder().decode(payload)) as Json) ?? "malformed";
      } catch (thrown) {
        return reasonOf(thrown);
      }
    },
  };
}

async function verified(
  token: string,
  key: CompactVerifyGetKey,
  algorithms: readonly Algorithm[],
): Promise<Uint8Array> {
  const { compactVerify, errors } = await loadJose();
  const options = { algorithms: [...algorithms] };
  try {
    return (await compactVerify(token, key, options)).payload;
  } catch (thrown) {
    if (!(thrown instanceof errors.JWKSMultipleMatchingKeys)) throw thrown;
    // Without a key id several keys may fit.
    for await (const one of thrown) {
      const answer = await compactVerify(token, one, options).catch((): null => null);
      if (answer !== null) return answer.payload;
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

async function keyFor(source: KeySource, header: JWSHeaderParameters, nowMs: number): Promise<CryptoKey | Uint8Array> {
  if ("keySet" in source) return source.keySet.key(header, nowMs);
  const secret = await source.secret();
  const algorithm = header.alg as Algorithm;
  if (isSymmetric(algorithm)) return new TextEncoder().encode(secret);
  const { importSPKI } = await loadJose();
  try {
    return await importSPKI(secret, algorithm);
  } catch (cause) {
    throw adapterError("ADAPTER_BAD_SETTINGS", "the key is not a public key in PEM form for the token's algorithm", {
      cause,
    });
  }
}

async function reasonOf(thrown: unknown): Promise<Reason> {
  if (thrown instanceof AdapterError) throw thrown;
  const { errors } = await loadJose();
  if (thrown instanceof errors.JWSInvalid || thrown instanceof SyntaxError) return "malformed";
  // jose throws a TypeError for a key that does not go with the algorithm.
  if (thrown instanceof errors.JOSEError || thrown instanceof TypeError) return "signature";
  throw thrown;
}
