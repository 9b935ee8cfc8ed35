/**
 * An attestation: what a person or a machine with a key vouches for when a version of a program is deployed. It is signed over canonical bytes
 * (docs/signed-versions.md, the bytes that are signed), so that each client with the public key can compute what was signed. Knows no files and no trust:
 * which keys count is up to the service (`service/programs/signing/`).
 */
import { createHash } from "node:crypto";
import { canonicalJson } from "../../compiler/ir/canonical.ts";
import { type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { exactEntries, exactJson, isNumberObject, opened, readExactly, saysMore } from "../inputs/exact-text.ts";
import { isSignatureOf, type PublicKey, type SigningKey, signatureOf } from "./keys.ts";

export const ATTESTATION_TYPE = "weft.attestation/1";

/** What is signed about the content of a version. Hashes are `sha256:` and hexadecimal digits. */
export type AttestedContent = {
  /** `ir`: the version came as IR, and its source is not vouched for. */
  readonly kind: "source" | "ir";
  readonly name: string;
  /** Hash of the source files; of a version that came as IR, of all of that. */
  readonly source: string;
  /** Of the IR. */
  readonly checksum: string;
  readonly settings: string;
  /** Hash of the summary of the security report. */
  readonly report: string;
  /** Version of the compiler that made the IR; null for IR. */
  readonly compiler: string | null;
};

type Statement = AttestedContent & {
  readonly type: typeof ATTESTATION_TYPE;
  /** What the signer is called. The service shows the name that its operator gave the key. */
  readonly who: string;
  /** ISO 8601 in UTC. */
  readonly when: string;
  /** Id of the key (`keys.ts`). */
  readonly key: string;
};
export type Attestation = Statement & {
  /** 64 bytes in base64. */
  readonly signature: string;
};

/** A version as stores keep it: `source`, `settings` and `report` are JSON. `irHash`: of a version that came as IR, `hashOf` its canonical JSON. */
export type AttestedTexts = {
  readonly name: string;
  readonly source: string;
  readonly checksum: string;
  readonly settings: string;
  readonly report: string;
  readonly compiler: string;
  readonly irHash: string | null;
};

export function attestedContent(version: AttestedTexts): AttestedContent {
  const { name, checksum, compiler, irHash } = version;
  const isIr = irHash !== null;
  return {
    kind: isIr ? "ir" : "source",
    name,
    source: irHash ?? hashOf(canonicalJson(JSON.parse(version.source) as Json)),
    checksum,
    settings: hashOf(settingsText(readExactly(version.settings))),
    report: hashOf(canonicalJson(JSON.parse(version.report) as Json)),
    compiler: isIr ? null : compiler,
  };
}

/** Members of a deployment that are not its settings: what it runs, what it is called, and what only a proposal has. */
const OTHERS: ReadonlySet<string> = new Set([
  ...["code", "ir", "files", "main"],
  ...["tags", "description", "comment", "tests", "attestation"],
]);

/** The settings in the body of a deployment, which its version has, with the texts of their numbers. A member that is null is absent. */
export function signedSettings(body: JsonObject): JsonObject {
  const settings: { [name: string]: Json } = {};
  for (const [name, value] of exactEntries(body))
    if (!OTHERS.has(name) && value !== null && value !== undefined) setMember(settings, name, value);
  return settings;
}

/** Members of the content, in the order in which differences are shown. */
const CONTENT = ["kind", "name", "source", "checksum", "settings", "report", "compiler"] as const;

/** Names of the members in which an attestation is about something else. */
export function differingMembers(attestation: AttestedContent, content: AttestedContent): readonly string[] {
  return CONTENT.filter((name) => attestation[name] !== content[name]);
}

/** `when`: milliseconds since 1970. */
export function attest(content: AttestedContent, key: SigningKey, who: string, when: number): Attestation {
  const statement: Statement = {
    type: ATTESTATION_TYPE,
    ...content,
    who,
    when: new Date(when).toISOString(),
    key: key.id,
  };
  return { ...statement, signature: signatureOf(key, signedBytes(statement)) };
}

/** Whether `key` made the signature. The id that the attestation names is not looked at. */
export function isSignedBy({ signature, ...statement }: Attestation, key: PublicKey): boolean {
  return isSignatureOf(key, signedBytes(statement), signature);
}

/** A line that says what is signed, so that no signature over another kind of text counts; then the canonical JSON of all members. */
export function signedBytes(statement: Statement): Buffer {
  return Buffer.from(`${ATTESTATION_TYPE}\n${canonicalJson(statement)}`, "utf8");
}

/** Canonical JSON (RFC 8785), except that a number whose text says more than its value stays as it was written: 5.0 is not 5. */
function settingsText(value: Json): string {
  if (!saysMore(value)) return canonicalJson(value);
  if (isNumberObject(value)) return exactJson(value).trim();
  if (Array.isArray(value)) return `[${opened(value).map(settingsText).join(",")}]`;
  const members = exactEntries(value as JsonObject)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${canonicalJson(name)}:${settingsText(one)}`);
  return `{${members.join(",")}}`;
}

/** `sha256:` and 64 hexadecimal digits. */
export function hashOf(text: string): string {
  return `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
}
