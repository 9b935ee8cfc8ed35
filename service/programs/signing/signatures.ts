/**
 * Which versions may become current, and which of those that are may run, where the operator trusts keys (docs/signed-versions.md). Without keys a
 * version may have an attestation all the same, which is kept for the service that it is promoted to.
 */
import { BoundedMap } from "../../../compiler/bounded-map.ts";
import {
  type Attestation,
  type AttestedTexts,
  attestedContent,
  differingMembers,
  hashOf,
  isSignedBy,
} from "../../../vm/attestation/attestation.ts";
import { type RequestIssue, ServiceFault } from "../../wire/errors.ts";
import type { TrustedKeyring } from "./trusted-keyring.ts";

/** A version that is kept. `attestation`: JSON of it; null: it is not signed. */
export type KeptVersion = { readonly name: string; readonly attestation: string | null; readonly createdMs: number };
/** A version that is about to be current. */
export type AdmittedVersion = AttestedTexts & { readonly attestation: string | null };

/** Of a version that came as IR. */
export function irHashOf({ source, ir }: { readonly source: string; readonly ir: string }): string | null {
  return source === "{}" ? hashOf(ir) : null;
}

/** Who signed a version, as answers show it. */
export type Signer = {
  /** The name that the operator gave the key; where it is not trusted, what the signature says of itself. */
  readonly by: string;
  readonly key: string;
  readonly at: string;
  /** The signature was verified with a key that is trusted and not revoked. */
  readonly trusted: boolean;
};

/** Clocks of signers may be ahead by so much. */
const MAX_AHEAD_MS = 300_000;
const MAX_VERIFIED = 2000;

export class Signatures {
  readonly #keyring: TrustedKeyring | null;
  /** Whether a key made a signature, by both: looking it up again costs nothing. */
  readonly #verified = new BoundedMap<boolean>({ max: MAX_VERIFIED });

  constructor(keyring: TrustedKeyring | null) {
    this.#keyring = keyring;
  }

  /** Only signed versions become current. */
  get isRequired(): boolean {
    return this.#keyring !== null;
  }

  /** Reports each time that the trusted keys change; `fault`: why they are not followed. */
  onChanged(listener: (fault: string | null) => void): void {
    this.#keyring?.onChanged(listener);
  }

  /** Before a version becomes current. `now`: milliseconds since 1970. Throws ServiceFault. */
  admit(version: AdmittedVersion, now: number): void {
    const { attestation: text, name } = version;
    if (text !== null) checkContent(version, text);
    const refusal = this.refusal({ name, attestation: text, createdMs: now });
    if (refusal !== null) throw refusal;
    if (text === null || !this.isRequired) return;
    if (Date.parse((JSON.parse(text) as Attestation).when) > now + MAX_AHEAD_MS)
      throw new ServiceFault("attestation_invalid", `the signature of '${name}' is dated in the future`);
  }

  /** Why a version that is kept may not run now; null: it may. Its content was compared when it was stored. */
  refusal({ name, attestation: text, createdMs }: KeptVersion): ServiceFault | null {
    const keys = this.#keyring?.keys;
    if (keys === undefined) return null;
    if (text === null)
      return new ServiceFault(
        "attestation_missing",
        `this version of '${name}' is not signed, and WF_TRUSTED_KEYS admits signed versions only: \`wf deploy FILE --sign KEY\` with its source signs it`,
      );
    const attestation = JSON.parse(text) as Attestation;
    const key = keys.get(attestation.key);
    if (key === undefined)
      return new ServiceFault("key_unknown", `the key that signed '${name}' is not among those of WF_TRUSTED_KEYS`);
    if (key.revoked !== null)
      return new ServiceFault("key_revoked", `the key of ${key.name}, which signed '${name}', is revoked`);
    if (!this.#isVerified(text, attestation))
      return new ServiceFault(
        "attestation_invalid",
        `the signature of '${name}' was not made by the key of ${key.name}`,
      );
    const signedMs = Date.parse(attestation.when);
    if (Math.max(signedMs, createdMs) >= key.endsMs) {
      const end = new Date(key.endsMs).toISOString();
      return new ServiceFault("key_expired", `the key of ${key.name}, which signed '${name}', ended at ${end}`);
    }
    return null;
  }

  /** Null: the version is not signed. */
  signer(text: string | null): Signer | null {
    if (text === null) return null;
    const attestation = JSON.parse(text) as Attestation;
    const key = this.#keyring?.keys.get(attestation.key);
    const trusted = key !== undefined && key.revoked === null && this.#isVerified(text, attestation);
    return { by: trusted ? key.name : attestation.who, key: attestation.key, at: attestation.when, trusted };
  }

  #isVerified(text: string, attestation: Attestation): boolean {
    const known = this.#verified.get(text);
    if (known !== undefined) return known;
    const key = this.#keyring?.keys.get(attestation.key);
    const made = key !== undefined && isSignedBy(attestation, key);
    // The id of a key is a hash of it, so the same id is the same key for ever.
    if (key !== undefined) this.#verified.set(text, made);
    return made;
  }
}

/** Throws ServiceFault attestation_differs. */
function checkContent(version: AdmittedVersion, text: string): void {
  const content = attestedContent(version);
  const differing = differingMembers(JSON.parse(text) as Attestation, content);
  if (differing.length === 0) return;
  const issues: RequestIssue[] = differing.map((member) => ({
    path: `/attestation/${member}`,
    code: "value",
    message: `expected ${content[member as keyof typeof content] ?? "null"}`,
  }));
  const message = `the attestation is about something else than this version: ${differing.join(", ")}`;
  throw new ServiceFault("attestation_differs", message, { issues });
}
