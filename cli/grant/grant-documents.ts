/**
 * The documents that a command line's grant is made of: profiles, grants and policies. Files are read here; what they mean is decided
 * in `vm/grant`. The user is the operator, so files may hold what a caller may not.
 */
import { type KnownProfiles, type OperatorContext, readProfiles } from "../../adapters/operator/operator-file.ts";
import { StartFault } from "../../adapters/operator/start-fault.ts";
import { type InputIssue, parsePolicy } from "../../compiler/policy/policy.ts";
import { EMPTY_GRANT, type Grant } from "../../vm/grant/grant.ts";
import { normalizeGrant } from "../../vm/grant/normalize-grant.ts";
import { findProfile, type Profile, parseProfile, unknownProfile } from "../../vm/grant/profiles.ts";
import { readTextFile } from "../input/input.ts";
import { jsonPlace } from "../input/json-place.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { settingTable } from "./setting-flags.ts";

const MAX_DOCUMENT_BYTES = 1024 * 1024;

/** What grants and settings of this command line are read with. */
export function grantContext(session: Session): OperatorContext {
  return { catalog: session.host.catalog, settings: settingTable(session) };
}

/** A known name (built-in, or of WF_PROFILES_FILE), or one document where the value looks like a file. */
export function loadProfile(session: Session, given: string, warnings: string[]): Profile {
  if (!isProfileFile(given)) {
    const { profiles, warnings: noticed } = readKnownProfiles(session);
    const known = findProfile(given, profiles);
    warnings.push(...(noticed.get(given) ?? []));
    if (known !== undefined) return known;
    throw new CliFault(unknownProfile(given, profiles), { error: "unknown_profile", exitCode: EXIT.usage });
  }
  const read = parseProfile(readDocument(session, given), grantContext(session));
  if (!read.ok) throw documentFault("profile", given, read.issues);
  warnings.push(...read.warnings);
  return read.profile;
}

export function isProfileFile(given: string): boolean {
  return given.includes("/") || given.endsWith(".json");
}

/** The built-in profiles, and those of WF_PROFILES_FILE. */
export function knownProfiles(session: Session): readonly Profile[] {
  return readKnownProfiles(session).profiles;
}

function readKnownProfiles(session: Session): KnownProfiles {
  try {
    return readProfiles(session.environment.host, grantContext(session));
  } catch (cause) {
    if (!(cause instanceof StartFault)) throw cause;
    throw new CliFault(cause.message, { error: "invalid_configuration", exitCode: EXIT.usage });
  }
}

export function loadGrant(session: Session, file: string, warnings: string[]): Grant {
  const read = normalizeGrant(readDocument(session, file), "operator", grantContext(session));
  if (!read.ok) throw documentFault("grant", file, read.issues);
  warnings.push(...read.warnings);
  return read.grant;
}

export function loadPolicy(session: Session, file: string, warnings: string[]): Grant {
  const read = parsePolicy(readDocument(session, file), session.host.catalog);
  if (!read.ok) throw documentFault("policy", file, read.issues);
  warnings.push(...read.warnings);
  return { ...EMPTY_GRANT, ...read.policy };
}

function readDocument(session: Session, file: string): unknown {
  const text = readTextFile(session.cwd, file, MAX_DOCUMENT_BYTES).replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text);
  } catch {
    throw new CliFault(`${file} is not JSON at ${jsonPlace(text)}`, { error: "invalid_json", exitCode: EXIT.usage });
  }
}

const INVALID_DOCUMENTS = { profile: "invalid_profile", grant: "invalid_grant", policy: "invalid_policy" } as const;

function documentFault(kind: keyof typeof INVALID_DOCUMENTS, file: string, issues: readonly InputIssue[]): CliFault {
  const [first] = issues;
  const place = first === undefined || first.path === "" ? "" : `${first.path}: `;
  return new CliFault(`${file} is not a valid ${kind}: ${place}${first?.message ?? ""}`, {
    error: INVALID_DOCUMENTS[kind],
    exitCode: EXIT.usage,
    members: { issues: issues.map((one) => ({ ...one })) },
    notes: issues.slice(1, 20).map((one) => `${one.path}: ${one.message}`),
  });
}
