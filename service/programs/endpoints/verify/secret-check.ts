/** A deployment that verifies with a secret that cannot be one of its scheme is refused: a key of a few bytes is found by trying. */
import type { Services } from "../../../services.ts";
import { type RequestIssue, ServiceFault } from "../../../wire/errors.ts";
import type { ServedEndpoint } from "../served-endpoints.ts";
import type { VerifySettings } from "./settings.ts";
import { isTooShort } from "./signatures.ts";

/** Rejects with ServiceFault endpoint_invalid. Secrets that are missing are reported with what else is not here (`needs.ts`). */
export async function refuseShortSecrets(
  { secrets }: Pick<Services, "secrets">,
  endpoints: readonly ServedEndpoint[],
): Promise<void> {
  const issues: RequestIssue[] = [];
  for (const { endpoint, settings } of endpoints) {
    const { verify } = settings;
    if (verify === undefined) continue;
    for (const name of [verify.secrets].flat()) {
      const secret = await secrets.get(name);
      if (secret === undefined || secret === "" || !isTooShort(verify.kind, secret)) continue;
      const place = `endpoint ${endpoint.method} ${endpoint.path}`;
      const message = `${place}: the secret '${name}' ${wrongFor(verify.kind, secret)}`;
      issues.push({ path: "/endpoints", code: "secret_short", message });
    }
  }
  const [first] = issues;
  if (first !== undefined) throw new ServiceFault("endpoint_invalid", first.message, { issues });
}

function wrongFor(kind: VerifySettings["kind"], secret: string): string {
  const isPublic = kind === "ed25519" || secret.startsWith("whpk_");
  return isPublic
    ? `is not a public key of Ed25519 for '${kind}': give its 32 bytes as hex or base64`
    : `is too short for '${kind}'; use 24 random bytes or more`;
}
