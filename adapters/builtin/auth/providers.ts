/**
 * From the operator's settings to a provider. What does not fit together is refused here, before any token is seen;
 * secrets and keys are fetched when the first token is.
 */
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError, secretMissing } from "../../errors.ts";
import { type HttpClient, neededHttp } from "../../guard/http/http.ts";
import { introspection } from "./introspection.ts";
import { type Algorithm, isSymmetric, type KeySource, signedTokens } from "./jwt.ts";
import { keySetAt } from "./key-set.ts";
import type { Provider } from "./provider.ts";
import { type StaticKey, staticKeys } from "./static-keys.ts";

export type ProviderSettings = {
  readonly provider?: "jwt" | "static" | "introspection" | undefined;
  readonly jwks_url?: string | undefined;
  readonly key_secret?: string | undefined;
  readonly algorithms?: readonly Algorithm[] | undefined;
  readonly keys?: readonly StaticKey[] | undefined;
  readonly url?: string | undefined;
  readonly client_id?: string | undefined;
  readonly client_secret_name?: string | undefined;
  readonly cache_s: number;
};

type Secret = (name: string) => Promise<string | undefined>;

/** null: none is configured. Throws ADAPTER_BAD_SETTINGS. */
export function providerOf(settings: ProviderSettings, http: HttpClient | undefined, secret: Secret): Provider | null {
  switch (settings.provider) {
    case undefined:
      return null;
    case "static":
      if (settings.keys === undefined) throw wrong("provider static needs keys");
      return staticKeys(settings.keys);
    case "jwt":
      return jwtProvider(settings, http, secret);
    case "introspection":
      return introspectionProvider(settings, http, secret);
  }
}

function jwtProvider(settings: ProviderSettings, http: HttpClient | undefined, secret: Secret): Provider {
  const { jwks_url: url, key_secret: name } = settings;
  if ((url === undefined) === (name === undefined)) throw wrong("provider jwt needs either jwks_url or key_secret");
  const algorithms = settings.algorithms ?? (url === undefined ? ["HS256"] : ["RS256", "ES256", "EdDSA"]);
  const symmetric = algorithms.filter(isSymmetric).length;
  if (symmetric > 0 && (url !== undefined || symmetric < algorithms.length)) {
    throw wrong("algorithms: symmetric ones do not go with public keys");
  }
  if (url === undefined) return signedTokens({ secret: () => known(secret, name ?? "") }, algorithms);
  return later(() => {
    const source: KeySource = { keySet: keySetAt(url, neededHttp(http, "a key set at a URL needs")) };
    return signedTokens(source, algorithms);
  });
}

function introspectionProvider(settings: ProviderSettings, http: HttpClient | undefined, secret: Secret): Provider {
  const { url, client_id: clientId, client_secret_name: name, cache_s } = settings;
  if (url === undefined || clientId === undefined || name === undefined) {
    throw wrong("provider introspection needs url, client_id and client_secret_name");
  }
  const clientSecret = () => known(secret, name);
  return later(() =>
    introspection({
      url,
      clientId,
      clientSecret,
      cacheMs: cache_s * 1000,
      http: neededHttp(http, "introspection needs"),
    }),
  );
}

/** A host without HTTP can still reject an empty token, so the missing HTTP is reported only for a real token. */
function later(make: () => Provider): Provider {
  let made: Provider | null = null;
  return {
    async claims(token, call) {
      made ??= make();
      return made.claims(token, call);
    },
  };
}

async function known(secret: Secret, name: string): Promise<string> {
  const text = await secret(name);
  if (text === undefined || text === "") throw secretMissing("a secret of the provider", name);
  return text;
}

export function notConfigured(message: string): AdapterError {
  return adapterError("ADAPTER_NOT_CONFIGURED", message);
}

function wrong(message: string): AdapterError {
  return adapterError("ADAPTER_BAD_SETTINGS", message);
}
