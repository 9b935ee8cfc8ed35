/**
 * The policy object: what a program must not contain. Read strictly, because a misspelt restriction must never be a restriction
 * that does nothing. The same readers serve the restrictions of a grant.
 */
import { nearest } from "../../grammar/text/nearest.ts";
import { type AdapterCatalog, findAdapter, PRIVILEGE_TIERS } from "../catalog.ts";
import { compareText } from "../ir/checksum.ts";
import { pointer, quoted } from "../ir/issues.ts";

export const POLICY_LISTS = [
  "forbidden_adapters",
  "forbidden_effects",
  "forbidden_effect_tiers",
  "forbidden_privilege_tiers",
] as const;
export type PolicyList = (typeof POLICY_LISTS)[number];
export type PolicyMember = PolicyList | "forbidden_destructive";

/** Absent members restrict nothing. Names are folded, sorted and each once. */
export type Policy = { readonly [List in PolicyList]?: readonly string[] } & {
  readonly forbidden_destructive?: boolean;
};
const POLICY_MEMBERS: readonly string[] = [...POLICY_LISTS, "forbidden_destructive"];

export type InputIssue = {
  /** JSON pointer into the object read. */
  readonly path: string;
  readonly code:
    | "type"
    | "unknown_member"
    | "unknown_tier"
    | "too_large"
    | "duplicate"
    | "unknown_setting"
    | "conflict"
    | "required"
    | "required_by_profile"
    | "unknown_adapter"
    | "place"
    | "definition"
    | "not_yours";
  readonly message: string;
};
/** What reading found besides the value. Warnings are `code: sentence`. */
export type Findings = { readonly issues: InputIssue[]; readonly warnings: string[] };

export type PolicyResult =
  | { readonly ok: true; readonly policy: Policy; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

const MAX_NAMES = 1000;
const MAX_NAME_LENGTH = 200;
const MAX_ISSUES = 100;

export function parsePolicy(value: unknown, catalog: AdapterCatalog): PolicyResult {
  const found: Findings = { issues: [], warnings: [] };
  const object = readObject(value, "", POLICY_MEMBERS, "policy member", found);
  const policy = object === null ? {} : readRestrictions(object, catalog, found);
  if (found.issues.length > 0) return { ok: false, issues: found.issues.slice(0, MAX_ISSUES) };
  return { ok: true, policy, warnings: found.warnings };
}

/** The `forbidden_*` members of a policy or grant. */
export function readRestrictions(
  object: ReadonlyMap<string, unknown>,
  catalog: AdapterCatalog,
  found: Findings,
): Policy {
  const policy: { [List in PolicyList]?: readonly string[] } & { forbidden_destructive?: boolean } = {};
  for (const list of POLICY_LISTS) {
    const given = object.get(list);
    if (given === undefined) continue;
    const names = readNames(given, `/${list}`, found);
    if (list === "forbidden_privilege_tiers") checkTiers(names, found);
    else if (list === "forbidden_adapters") warnOfAdapters(names, catalog, found);
    else warnOfEffects(names, catalog, found);
    policy[list] = names;
  }
  const destructive = object.get("forbidden_destructive");
  if (typeof destructive === "boolean") policy.forbidden_destructive = destructive;
  else if (destructive !== undefined) issue(found, "/forbidden_destructive", "type", "expected true or false");
  return policy;
}

/** Own members by name, or null. Members outside `known` are refused with the nearest known one, or with all. */
export function readObject(
  value: unknown,
  path: string,
  known: readonly string[] | null,
  noun: string,
  found: Findings,
): ReadonlyMap<string, unknown> | null {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    issue(found, path, "type", "expected an object");
    return null;
  }
  const entries = Object.entries(value);
  if (entries.length > MAX_NAMES) {
    issue(found, path, "too_large", `more than ${MAX_NAMES} members`);
    return null;
  }
  for (const [name] of entries) {
    if (known === null ? !isPlainName(name) : !known.includes(name)) {
      const near = known === null ? null : nearest(name, known);
      const others = known === null ? "" : `; known: ${known.join(", ")}`;
      const hint = near === null ? others : `; did you mean ${near}?`;
      issue(
        found,
        pointer(path, name.slice(0, MAX_NAME_LENGTH)),
        "unknown_member",
        `unknown ${noun} ${quoted(name)}${hint}`,
      );
    }
  }
  return new Map(entries);
}

/** Names with a special meaning for JavaScript objects are not names of adapters or settings. */
function isPlainName(name: string): boolean {
  return (
    !["__proto__", "constructor", "prototype"].includes(name.trim().toLowerCase()) && name.length <= MAX_NAME_LENGTH
  );
}

/** A list of names: trimmed, in lower case, sorted, each once. */
export function readNames(value: unknown, path: string, found: Findings): readonly string[] {
  if (!Array.isArray(value)) {
    issue(found, path, "type", "expected a list of text");
    return [];
  }
  if (value.length > MAX_NAMES) {
    issue(found, path, "too_large", `more than ${MAX_NAMES} names`);
    return [];
  }
  const names = new Set<string>();
  value.forEach((element: unknown, position) => {
    const name = typeof element === "string" ? element.trim().toLowerCase() : "";
    if (name === "" || name.length > MAX_NAME_LENGTH) issue(found, `${path}/${position}`, "type", "expected a name");
    else names.add(name);
  });
  return [...names].sort(compareText);
}

export function issue(found: Findings, path: string, code: InputIssue["code"], message: string): void {
  if (found.issues.length < MAX_ISSUES) found.issues.push({ path, code, message });
}

export function warnOfAdapters(names: readonly string[], catalog: AdapterCatalog, found: Findings): void {
  for (const name of names) {
    if (findAdapter(catalog, name) === undefined)
      found.warnings.push(
        `unknown_adapter_name: no adapter is called ${quoted(name)}${nearText(name, catalog.names())}`,
      );
  }
}

function checkTiers(names: readonly string[], found: Findings): void {
  for (const name of names) {
    if ((PRIVILEGE_TIERS as readonly string[]).includes(name)) continue;
    const message = `unknown privilege tier ${quoted(name)}${nearText(name, PRIVILEGE_TIERS)}`;
    issue(found, "/forbidden_privilege_tiers", "unknown_tier", message);
  }
}

function warnOfEffects(names: readonly string[], catalog: AdapterCatalog, found: Findings): void {
  if (names.length === 0) return;
  const known = effectTags(catalog);
  for (const name of names) {
    if (!known.has(name))
      found.warnings.push(
        `unknown_effect_name: no step has the effect or tier ${quoted(name)}${nearText(name, known)}`,
      );
  }
}

function nearText(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  return near === null ? "" : `; did you mean ${near}?`;
}

/** Every word that a rule about effects can match. */
function effectTags(catalog: AdapterCatalog): ReadonlySet<string> {
  const tags = new Set<string>([
    "pure",
    "io",
    "meta",
    "control",
    "io-read",
    "io-write",
    "network",
    "compute",
    "call",
    "unknown",
  ]);
  for (const tier of PRIVILEGE_TIERS) tags.add(tier);
  for (const name of catalog.names())
    for (const verb of catalog.adapter(name)?.verbs ?? []) tags.add(verb.kind.toLowerCase());
  return tags;
}
