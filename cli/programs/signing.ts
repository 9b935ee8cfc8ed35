/**
 * Signing what a service would deploy: compiled and reported on here, as the service does it there, so that what is signed is what its signer
 * has, and not what a service says of it.
 */
import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { basename, resolve } from "node:path";
import { COMPILER_VERSION } from "../../compiler/compile.ts";
import { canonicalJson } from "../../compiler/ir/canonical.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { securityReport } from "../../compiler/policy/report.ts";
import { type Attestation, attest, attestedContent, hashOf, signedSettings } from "../../vm/attestation/attestation.ts";
import { generatedKey, type SigningKey, signingKeyOf } from "../../vm/attestation/keys.ts";
import { exactJson } from "../../vm/inputs/exact-text.ts";
import { includesIn, type ProgramFiles } from "../../vm/inputs/program-files.ts";
import { writeAtomically } from "../input/files.ts";
import { readTextFile } from "../input/input.ts";
import { CliFault, CompileFault, EXIT, systemCode, usageFault } from "../session/faults.ts";
import type { Screen } from "../session/screen.ts";
import type { Session } from "../session/session.ts";
import type { DeployedAnswer, ProgramService } from "./client.ts";

type Signer = { readonly key: SigningKey; readonly who: string };

const MAX_KEY_BYTES = 16 * 1024;
const MAX_ATTESTATION_BYTES = 16 * 1024;
const MAX_WHO = 200;

/** `who`: what the signer is called; undefined: as the file of the key. Throws CliFault. */
export function readSigner(cwd: string, file: string, who: string | undefined): Signer {
  const key = signingKeyOf(readTextFile(cwd, file, MAX_KEY_BYTES));
  if (key === null)
    throw new CliFault(
      `${file} is not a private key of Ed25519 in PEM without a passphrase; wf sign keygen makes one`,
      {
        error: "key_invalid",
        exitCode: EXIT.usage,
      },
    );
  return { key, who: checkedWho(who ?? basename(file).replace(/\.[^.]*$/, "")) };
}

/** Throws CliFault. */
export function checkedWho(who: string): string {
  if (who.trim() === "" || who.length > MAX_WHO) throw usageFault(`option --who needs 1 to ${MAX_WHO} characters`);
  return who;
}

/** `body`: as PUT /programs/{name} takes it. Throws CompileFault. */
export function signed(session: Session, name: string, body: JsonObject, { key, who }: Signer): Attestation {
  const { host, io } = session;
  const settings = signedSettings(body);
  const ir = irOf(session, name, body, settings);
  const { code, files, main } = body;
  const source = code !== undefined ? { code } : files !== undefined ? { files, main: main ?? null } : {};
  const content = attestedContent({
    name,
    source: JSON.stringify(source),
    checksum: ir.checksum,
    settings: exactJson(settings),
    report: JSON.stringify(securityReport(ir, host.catalog).summary),
    compiler: COMPILER_VERSION,
    irHash: Object.keys(source).length === 0 ? hashOf(canonicalJson(ir as unknown as Json)) : null,
  });
  return attest(content, key, who, io.clock.wall());
}

function irOf({ host }: Session, name: string, body: JsonObject, settings: JsonObject): Ir {
  const { code, files, main, ir } = body;
  if (ir !== undefined) return ir as unknown as Ir;
  const many = isObject(files) ? ({ files, main } as ProgramFiles) : null;
  const text = String(many === null ? code : (many.files[many.main] ?? ""));
  const result = host.compile(text, {
    strict: settings["strict"] !== false,
    inputs: inputsIn(settings),
    ...(many === null ? {} : { includes: includesIn(many) }),
  });
  if (result.ir === null || !result.ok) throw new CompileFault(result.diagnostics, name, () => text);
  return result.ir;
}

/** Variables that every run has: defaults, and those that a schedule sets. */
function inputsIn({ frame, schedules }: JsonObject): readonly string[] {
  const frames = [
    frame,
    ...(Array.isArray(schedules) ? schedules.map((one) => (isObject(one) ? one["frame"] : null)) : []),
  ];
  return [...new Set(frames.flatMap((one) => (isObject(one) ? Object.keys(one) : [])))];
}

/** `digest.attestation.json` for `digest.wf`. */
export function attestationFile(file: string): string {
  return `${file.replace(/\.[^./\\]*$/, "")}.attestation.json`;
}

export type SigningFlags = {
  /** File of a key that signs here. */
  readonly sign: string | undefined;
  readonly who: string | undefined;
  /** File of an attestation that was made before. */
  readonly attestation: string | undefined;
};

/** Throws CliFault. */
export function checkSigningFlags({ sign, who, attestation }: SigningFlags): void {
  if (sign !== undefined && attestation !== undefined) throw usageFault("--sign and --attestation exclude each other");
  if (who !== undefined && sign === undefined) throw usageFault("--who goes with --sign");
}

/** What the flags say of a program; null: it is not signed. Throws CliFault. */
export function attestationOf(
  session: Session,
  { name, body }: { readonly name: string; readonly body: object },
  { sign, who, attestation }: SigningFlags,
): JsonObject | null {
  if (attestation !== undefined) return readAttestation(session.cwd, attestation);
  if (sign === undefined) return null;
  return signed(session, name, body as JsonObject, readSigner(session.cwd, sign, who));
}

/** As the service takes it, which checks it. Throws CliFault. */
function readAttestation(cwd: string, file: string): JsonObject {
  const text = readTextFile(cwd, file, MAX_ATTESTATION_BYTES);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (isObject(value)) return value as JsonObject;
  throw new CliFault(`${file} is not an attestation; wf sign program makes one`, {
    error: "attestation_invalid",
    exitCode: EXIT.usage,
  });
}

/** The attestation next to a program; undefined: it has no such file. Throws CliFault. */
export function attestationNextTo(cwd: string, file: string): JsonObject | undefined {
  const path = attestationFile(file);
  return existsSync(resolve(cwd, path)) ? readAttestation(cwd, path) : undefined;
}

export type KeyFiles = { readonly id: string; readonly privateFile: string; readonly publicFile: string };

/** Writes a new key, and its public part as WF_TRUSTED_KEYS takes it. Files that exist stay as they are. Throws CliFault. */
export function writeKey(cwd: string, file: string, who: string, until: string): KeyFiles {
  const { pem, key } = generatedKey();
  const publicFile = `${file.replace(/\.[^./\\]*$/, "")}.pub.json`;
  for (const one of [file, publicFile])
    if (existsSync(resolve(cwd, one)))
      throw new CliFault(`${one} exists; a key is never overwritten: choose another name`, {
        error: "file_exists",
        exitCode: EXIT.usage,
      });
  writePrivate(resolve(cwd, file), file, pem);
  const document = { keys: [{ name: who, public_key: key.publicKey, until }] };
  writeAtomically(cwd, publicFile, `${JSON.stringify(document, null, 2)}\n`);
  return { id: key.id, privateFile: file, publicFile };
}

/** For its owner alone from its first byte on. */
function writePrivate(path: string, file: string, pem: string): void {
  try {
    const descriptor = openSync(path, "wx", 0o600);
    writeSync(descriptor, pem);
    closeSync(descriptor);
  } catch (cause) {
    const code = systemCode(cause);
    if (code === null) throw cause;
    throw new CliFault(`${file} cannot be written (${code})`, { error: "input_error", exitCode: EXIT.usage });
  }
}

/** What came of a version that is there already: it gets the signature that comes along, as its first one or in place of that of another key. */
export async function withSignature(
  service: Pick<ProgramService, "deploy">,
  name: string,
  body: object,
  dry: DeployedAnswer,
  screen: Pick<Screen, "note">,
): Promise<DeployedAnswer> {
  if (!("attestation" in body) || body.attestation == null) return dry;
  const done = await service.deploy(name, body, { dryRun: false, base: dry.version });
  screen.note(`${name}: version ${done.version} is kept, with this signature`);
  return done;
}
