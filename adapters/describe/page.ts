/**
 * The documentation page of an adapter. Tables stand between the lines `<!-- generated: NAME -->` and `<!-- end of NAME -->` and are
 * written anew from the definition; everything else on a page is prose that people wrote and stays as it is. A page without any
 * prose can be made as well. Knows no files.
 */
import type { AdapterDefinition } from "../definition/define.ts";
import { argumentsTable, examplesTable, factsTable, secretsTable, settingsTable, verbsTable } from "./tables.ts";

const REGIONS: Readonly<Record<string, (definition: AdapterDefinition) => string>> = {
  verbs: verbsTable,
  settings: settingsTable,
  secrets: secretsTable,
  "facts of verbs": factsTable,
  "arguments and options": argumentsTable,
  examples: examplesTable,
};

/** The regions that every page has, in the order of a page without prose; `secrets` only where there are any. */
const NEEDED = ["verbs", "settings", "facts of verbs", "arguments and options", "examples"] as const;

export type FilledPage =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

const REGION = /^<!-- generated: ([a-z ]+) -->\n(?:.*?\n)??<!-- end of ([a-z ]+) -->$/gms;

/** `page` with its tables as the definition has them now; everything between them is kept. */
export function filledPage(page: string, definition: AdapterDefinition): FilledPage {
  const seen: string[] = [];
  let problem: string | undefined;
  const text = page.replaceAll(REGION, (region, name: string, end: string) => {
    const make = Object.hasOwn(REGIONS, name) ? REGIONS[name] : undefined;
    if (make === undefined) problem = `no table is called '${name}'; there are ${Object.keys(REGIONS).join(", ")}`;
    else if (name !== end) problem = `the table '${name}' ends as '${end}'`;
    seen.push(name);
    return make === undefined ? region : regionText(name, make(definition));
  });
  const missing = neededOf(definition).filter((name) => !seen.includes(name));
  if (problem === undefined && missing.length > 0)
    problem = `the page has no place for ${missing.map((name) => `<!-- generated: ${name} -->`).join(", ")}`;
  return problem === undefined ? { ok: true, text } : { ok: false, problem };
}

/** A page without any prose but the definition's own: title, summary, notes, and every table under its heading. */
export function adapterPage(definition: AdapterDefinition): string {
  const { name, version, summary, notes } = definition;
  const sections = neededOf(definition).map((region) => {
    const title = `${region[0]?.toUpperCase()}${region.slice(1)}`;
    return `## ${title}\n\n${regionText(region, REGIONS[region]?.(definition) ?? "")}`;
  });
  const said = [`# ${name}`, summary, `Version ${version}.`, ...(notes === undefined ? [] : [notes])];
  return `${[...said, ...sections].join("\n\n")}\n`;
}

function neededOf({ secrets = {}, verbs }: AdapterDefinition): readonly string[] {
  const left = Object.values(verbs).every(({ examples = [] }) => examples.length === 0)
    ? NEEDED.filter((name) => name !== "examples")
    : NEEDED;
  return Object.keys(secrets).length === 0 ? left : [...left, "secrets"];
}

function regionText(name: string, table: string): string {
  return `<!-- generated: ${name} -->\n${table}${table === "" ? "" : "\n"}<!-- end of ${name} -->`;
}
