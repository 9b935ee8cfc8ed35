/**
 * wf.config.json: what a project says once instead of on every command line. It is looked for from the program's folder upward to the
 * root of the repository or the home folder, so never in shared folders such as /tmp. One that lies in the program's own folder,
 * or that a flag names, may grant access; one found further up can only restrict, so running a foreign program never widens access.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isObject } from "../../compiler/json.ts";
import { type Findings, type InputIssue, issue, readObject } from "../../compiler/policy/policy.ts";
import { keepInnerTexts, readExactly } from "../../vm/inputs/exact-text.ts";
import { readFoundFile, readTextFile } from "../input/input.ts";
import { jsonPlace } from "../input/json-place.ts";
import { folderOf } from "../input/path-kind.ts";
import { CliFault, EXIT } from "../session/faults.ts";

const CONFIG_FILE = "wf.config.json";
const MAX_CONFIG_BYTES = 1024 * 1024;
const MEMBERS: readonly string[] = [
  "profile",
  "strict",
  "include_roots",
  "limits",
  "policy",
  "adapters",
  "test",
  "programs",
];

export type ProjectConfig = {
  /** As messages call it. */
  readonly name: string;
  /** Folder that its paths count from. */
  readonly folder: string;
  /** Speaks for the user: it may widen what a program may do, not only tighten it. */
  readonly own: boolean;
  /** Name or absolute path. */
  readonly profile: string | undefined;
  readonly strict: boolean | undefined;
  /** Absolute; of a configuration that only tightens, those inside its own folder. */
  readonly includeRoots: readonly string[];
  /** Shaped as in a request; read where grants are. */
  readonly limits: unknown;
  readonly policy: unknown;
  readonly adapters: unknown;
  /** Settings of deployments from files, by the name of the program; read by the service. */
  readonly programs: Readonly<Record<string, unknown>>;
  /** Defaults of `wf test`. */
  readonly test: { readonly coverage: boolean };
};

/** The configuration for a program: `file` as the user named it (undefined or `-`: it has no folder), `named` by a flag. */
export function projectConfig(
  cwd: string,
  file: string | null | undefined,
  named: string | undefined,
): ProjectConfig | null {
  if (named !== undefined)
    return readConfig(resolve(cwd, named), named, true, () => readTextFile(cwd, named, MAX_CONFIG_BYTES));
  const placed = file !== undefined && file !== null && file !== "-";
  const start = placed ? folderOf(resolve(cwd, file)) : cwd;
  const path = findUpward(start);
  if (path === null) return placed ? includeRootsOf(cwd, start) : null;
  return readConfig(path, relative(cwd, path), placed && dirname(path) === start);
}

/** The include roots alone of the configuration in the working folder, for a program below it that no repository and no home is around. */
function includeRootsOf(cwd: string, start: string): ProjectConfig | null {
  const path = join(cwd, CONFIG_FILE);
  if (!isWithin(cwd, start) || !existsSync(path)) return null;
  const { name, folder, includeRoots } = readConfig(path, CONFIG_FILE, false);
  const unset = { profile: undefined, strict: undefined, limits: undefined, policy: undefined, adapters: undefined };
  return { name, folder, own: false, includeRoots, ...unset, programs: {}, test: { coverage: false } };
}

function findUpward(start: string): string | null {
  const home = homedir();
  const seen: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    seen.push(join(folder, CONFIG_FILE));
    if (folder === home || existsSync(join(folder, ".git"))) return seen.find((path) => existsSync(path)) ?? null;
    // Neither a repository nor a home is around it: only the folder itself can be meant.
    if (folder === dirname(folder)) return seen.slice(0, 1).find((path) => existsSync(path)) ?? null;
  }
}

function readConfig(
  path: string,
  name: string,
  own: boolean,
  read: () => string = () => readFoundFile(path, name, MAX_CONFIG_BYTES),
): ProjectConfig {
  let document: unknown;
  let text = "";
  try {
    text = read().replace(/^\uFEFF/, "");
    document = readExactly(text);
    if (isObject(document)) keepInnerTexts(document);
  } catch (cause) {
    if (cause instanceof SyntaxError)
      throw configFault(name, [{ path: "", code: "type", message: `it is not JSON at ${jsonPlace(text)}` }]);
    throw cause;
  }
  const found: Findings = { issues: [], warnings: [] };
  const members = readObject(document, "", MEMBERS, "member of the configuration", found);
  const profile = typed(members?.get("profile"), "/profile", "a text", isText, found);
  const strict = typed(members?.get("strict"), "/strict", "true or false", isSwitch, found);
  const roots = typed(members?.get("include_roots"), "/include_roots", "a list of folders", isTexts, found) ?? [];
  const test =
    members?.has("test") === true ? readObject(members.get("test"), "/test", ["coverage"], "member", found) : null;
  const programs = typed(
    members?.get("programs"),
    "/programs",
    "an object with an object for each program",
    isPrograms,
    found,
  );
  const coverage = typed(test?.get("coverage"), "/test/coverage", "true or false", isSwitch, found) ?? false;
  if (found.issues.length > 0) throw configFault(name, found.issues);
  const folder = dirname(path);
  return {
    name,
    folder,
    own,
    profile: profile !== undefined && /[/]|\.json$/.test(profile) ? resolve(folder, profile) : profile,
    strict,
    includeRoots: roots
      .map((root) => resolve(folder, root))
      .filter((root) => own || (isWithin(folder, root) && existsSync(root))),
    limits: members?.get("limits"),
    policy: members?.get("policy"),
    adapters: members?.get("adapters"),
    programs: programs ?? {},
    test: { coverage },
  };
}

/** Whether `path` is `folder` or lies below it. */
function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

export function configFault(name: string, issues: readonly InputIssue[]): CliFault {
  const told = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return new CliFault(`${name}: ${told[0] ?? "not valid"}`, {
    error: "invalid_configuration",
    exitCode: EXIT.usage,
    members: { issues: issues.map((one) => ({ ...one })) },
    notes: told.slice(1, 20),
  });
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isPrograms = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && Object.values(value).every(isObject);
const isSwitch = (value: unknown): value is boolean => typeof value === "boolean";
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

function typed<T>(
  value: unknown,
  path: string,
  what: string,
  is: (value: unknown) => value is T,
  found: Findings,
): T | undefined {
  if (value === undefined || is(value)) return value;
  issue(found, path, "type", `expected ${what}`);
  return undefined;
}
