/** An attestation in requests, and who signed a version in answers. */
import * as z from "zod";
import { COMPILER_VERSION } from "../../../compiler/compile.ts";
import { ATTESTATION_TYPE } from "../../../vm/attestation/attestation.ts";
import { stored } from "../../wire/common.ts";

/** Held against the schema like the others (`service/wire/examples.ts`). */
const HASH = "sha256:0f343b0931126a20f133d67c2b018a3b0f343b0931126a20f133d67c2b018a3b";
const EXAMPLE = {
  type: ATTESTATION_TYPE,
  kind: "source",
  name: "doubler",
  source: HASH,
  checksum: HASH,
  settings: HASH,
  report: HASH,
  compiler: COMPILER_VERSION,
  who: "ann",
  when: "2030-01-01T00:00:00.000Z",
  key: "ed25519:0f343b0931126a20f133d67c2b018a3b0f343b0931126a20f133d67c2b018a3b",
  signature: `${"A".repeat(86)}==`,
};

const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/, "must be sha256: and 64 hexadecimal digits");
const key = z.string().regex(/^ed25519:[0-9a-f]{64}$/, "must be ed25519: and 64 hexadecimal digits");

/** Names no algorithm: that of the key is the only one. */
export const AttestationBody = z
  .strictObject({
    type: z.literal(ATTESTATION_TYPE),
    /** `ir`: of a version that came as IR. */
    kind: z.enum(["source", "ir"]),
    name: z.string().max(63),
    source: hash,
    /** Of the IR. */
    checksum: z.string().max(100),
    settings: hash,
    report: hash,
    /** null: of IR. */
    compiler: z.string().max(50).nullable(),
    who: stored(z.string().min(1).max(200)),
    when: z.iso.datetime().max(40),
    key,
    signature: z.string().regex(/^[A-Za-z0-9+/]{86}==$/, "must be 64 bytes in base64"),
  })
  .meta({ id: "Attestation", examples: [EXAMPLE] });

/** Who signed a version. */
export const Signed = z.object({
  /** The name that the operator gave the key; where it is not trusted here, what the signature says of itself. */
  by: z.string(),
  key: z.string(),
  at: z.string(),
  /** It was verified with a key of WF_TRUSTED_KEYS that is not revoked. */
  trusted: z.boolean(),
});
