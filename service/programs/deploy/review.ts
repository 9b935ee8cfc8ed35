/**
 * What a deployment says about the version that it makes: its security report, and how it differs from the version before. Both look
 * at the whole of a program, so those of large programs are made in a thread (`reviews.ts`).
 */
import { type AdapterEntry, createCatalog } from "../../../compiler/catalog.ts";
import { logicalLines } from "../../../compiler/diagram/logical-lines.ts";
import { functionsOf, type SourcedProgram } from "../../../compiler/diff/line-changes.ts";
import { diffPrograms } from "../../../compiler/diff/program-diff.ts";
import { unifiedDiff } from "../../../compiler/diff/text-diff.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Json } from "../../../compiler/json.ts";
import { securityReport } from "../../../compiler/policy/report.ts";
import type { DeploymentSettings, ProgramSource } from "../deployment-settings.ts";

/** IR, source and settings as JSON, as versions are stored. */
export type ReviewedTexts = { readonly ir: string; readonly source: string; readonly settings: string };
export type ReviewRequest = {
  /** The current version; null for a new deployment. */
  readonly before: (ReviewedTexts & { readonly version: number }) | null;
  readonly after: ReviewedTexts;
  /** The adapters that the programs may know. */
  readonly entries: readonly AdapterEntry[];
  /** Changes of the text and of settings are wanted, too. */
  readonly isProposal: boolean;
};
/** As JSON. `changes`: null where they were not asked for. */
export type Review = { readonly difference: string | null; readonly report: string; readonly changes: string | null };
/** A setting as it was and as it is; null: not given. */
type SettingChange = { readonly name: string; readonly before: Json; readonly after: Json };
export type ReviewedChanges = { readonly settings: readonly SettingChange[]; readonly source: string };

type Side = SourcedProgram & { readonly settings: DeploymentSettings };
export type Difference = ReturnType<typeof differenceOf>;

export function review({ before, after, entries, isProposal }: ReviewRequest): Review {
  const catalog = createCatalog(entries);
  const side = parsed(after);
  const difference = before === null ? null : differenceOf(before.version, parsed(before), side, catalog);
  return {
    difference: difference === null ? null : JSON.stringify(difference),
    report: JSON.stringify(securityReport(side.ir, catalog).summary),
    changes: isProposal ? JSON.stringify(changesOf(before, after)) : null,
  };
}

function changesOf(before: ReviewedTexts | null, after: ReviewedTexts): ReviewedChanges {
  const settings = (texts: ReviewedTexts | null) =>
    JSON.parse(texts?.settings ?? "{}") as Readonly<Record<string, Json | undefined>>;
  const [old, now] = [settings(before), settings(after)];
  return {
    settings: changedSettings(old, now).map((name) => ({ name, before: old[name] ?? null, after: now[name] ?? null })),
    source: sourceDifference(before?.source ?? "{}", after.source),
  };
}

/** As `patch` reads it, one file after the other. */
function sourceDifference(before: string, after: string): string {
  const [old, now] = [filesOf(before), filesOf(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort();
  return paths.map((path) => unifiedDiff(old.get(path) ?? "", now.get(path) ?? "", path, "proposed")).join("");
}

/** A program of one text is the file `program`; one that came as IR has no files. */
function filesOf(text: string): ReadonlyMap<string, string> {
  const { code, files, main } = JSON.parse(text) as ProgramSource;
  const all = Object.entries(files ?? {}).map(([path, one]) => [path === main ? PROGRAM : path, one] as const);
  return new Map(code === undefined ? all : [[PROGRAM, code]]);
}

/** Whether it is alone or has files next to it, its own text is compared with its own. */
const PROGRAM = "program";

function parsed({ ir, source, settings }: ReviewedTexts): Side {
  const files = filesOf(source);
  return {
    ir: JSON.parse(ir) as Ir,
    textOf: (file) => files.get(file ?? PROGRAM) ?? null,
    settings: JSON.parse(settings) as DeploymentSettings,
  };
}

/** What two versions differ in; what the later one newly reaches stands first. */
function differenceOf(from: number, before: Side, after: Side, catalog: ReturnType<typeof createCatalog>) {
  const { same, ...rest } = diffPrograms(before.ir, after.ir, catalog);
  const settings = changedSettings(before.settings, after.settings);
  const newly_reaches = rest.powers.filter(({ change }) => change === "added");
  const functions = functionsOf(rest.labels, before, after, logicalLines);
  return { from, newly_reaches, same: same && settings.length === 0, settings, ...rest, functions };
}

/** Names of the settings that differ. */
function changedSettings(before: object, after: object): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const text = (settings: object, name: string): string | undefined =>
    JSON.stringify((settings as { readonly [name: string]: unknown })[name]);
  return [...names].filter((name) => text(before, name) !== text(after, name)).sort();
}
