/** What a version may be refused for, when it is to become current or to run. */
export const SIGNATURE_REFUSALS = [
  "attestation_missing",
  "attestation_invalid",
  "key_unknown",
  "key_expired",
  "key_revoked",
] as const;
