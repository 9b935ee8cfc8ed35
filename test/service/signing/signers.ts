/** Keys in files of their own, and bodies that they signed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { COMPILER_VERSION } from "../../../compiler/compile.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { type Attestation, attest, attestedContent, signedSettings } from "../../../vm/attestation/attestation.ts";
import { generatedKey, type SigningKey } from "../../../vm/attestation/keys.ts";
import { exactJson } from "../../../vm/inputs/exact-text.ts";
import type { JobServing } from "../jobs/serving-jobs.ts";

export type Signer = { readonly name: string; readonly key: SigningKey };

export const newSigner = (name: string): Signer => ({ name, key: generatedKey().key });

/** Writes one file for a signer into the folder of trusted keys. */
export function trust(folder: string, { name, key }: Signer, entry: object = {}): void {
  const keys = [{ name, public_key: key.publicKey, until: "2099-12-31", ...entry }];
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ keys }));
}

/** What a service would make of the body, signed; a dry run says its checksum and its report. */
export async function attestationOf(
  service: JobServing,
  name: string,
  body: JsonObject,
  { name: who, key }: Signer,
  when = Date.now(),
): Promise<Attestation> {
  const dry = await service.call("PUT", `/programs/${name}?dry_run=1`, body);
  if (dry.status !== 200) throw new Error(`no dry run: ${dry.text}`);
  const { code, files, main } = body;
  const source = code !== undefined ? { code } : files !== undefined ? { files, main: main ?? null } : {};
  const content = attestedContent({
    name,
    source: JSON.stringify(source),
    checksum: dry.body.checksum,
    settings: exactJson(signedSettings(body)),
    report: JSON.stringify(dry.body.report),
    compiler: COMPILER_VERSION,
    irHash: null,
  });
  return attest(content, key, who, when);
}

/** Signs a changed statement anew. */
export function resigned(attestation: Attestation, { name, key }: Signer, changes: object): Attestation {
  const { kind, name: of, source, checksum, settings, report, compiler, when } = { ...attestation, ...changes };
  return attest({ kind, name: of, source, checksum, settings, report, compiler }, key, name, Date.parse(when));
}
