/**
 * What a deployment says about the version that it makes: its security report, and how it differs from the version before. Both look
 * at the whole of a program, so those of large programs are made in a thread (`reviews.ts`).
 */
import { type AdapterEntry, createCatalog } from "../../../compiler/catalog.ts";
import { diffPrograms } from "../../../compiler/diff/program-diff.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { securityReport } from "../../../compiler/policy/report.ts";
import type { DeploymentSettings } from "../deployment-settings.ts";

/** IR and settings as JSON, as versions are stored. */
export type ReviewedTexts = { readonly ir: string; readonly settings: string };
export type ReviewRequest = {
  /** The current version; null for a new deployment. */
  readonly before: (ReviewedTexts & { readonly version: number }) | null;
  readonly after: ReviewedTexts;
  /** The adapters that the programs may know. */
  readonly entries: readonly AdapterEntry[];
};
/** Both as JSON. */
export type Review = { readonly difference: string | null; readonly report: string };

type Side = { readonly ir: Ir; readonly settings: DeploymentSettings };
export type Difference = ReturnType<typeof differenceOf>;

export function review({ before, after, entries }: ReviewRequest): Review {
  const catalog = createCatalog(entries);
  const side = parsed(after);
  const difference = before === null ? null : differenceOf(before.version, parsed(before), side, catalog);
  return {
    difference: difference === null ? null : JSON.stringify(difference),
    report: JSON.stringify(securityReport(side.ir, catalog).summary),
  };
}

function parsed({ ir, settings }: ReviewedTexts): Side {
  return { ir: JSON.parse(ir) as Ir, settings: JSON.parse(settings) as DeploymentSettings };
}

/** What two versions differ in; what the later one newly reaches stands first. */
function differenceOf(from: number, before: Side, after: Side, catalog: ReturnType<typeof createCatalog>) {
  const { same, ...rest } = diffPrograms(before.ir, after.ir, catalog);
  const settings = changedSettings(before.settings, after.settings);
  const newly_reaches = rest.powers.filter(({ change }) => change === "added");
  return { from, newly_reaches, same: same && settings.length === 0, settings, ...rest };
}

/** Names of the settings that differ. */
function changedSettings(before: DeploymentSettings, after: DeploymentSettings): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const text = (settings: DeploymentSettings, name: string): string | undefined =>
    JSON.stringify((settings as { readonly [name: string]: unknown })[name]);
  return [...names].filter((name) => text(before, name) !== text(after, name)).sort();
}
