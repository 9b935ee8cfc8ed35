/**
 * What the compiler knows of built-in adapters is made from their definitions. `WEFT_DOCS=write` writes it down anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fsAdapter } from "../../adapters/builtin/fs/definition.ts";
import { adapterSettingsOf, catalogEntryOf } from "../../adapters/definition/catalog-entry.ts";
import { definitionIssues } from "../../adapters/definition/check-definition.ts";
import { BUILTIN_LOADERS } from "../../adapters/registry.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { extensionChecks } from "../../compiler/catalog/settings.ts";

const ALL = Object.entries(BUILTIN_LOADERS);
const DATA = new URL("../../compiler/catalog/builtin.json", import.meta.url);

/** One line for the facts of an adapter, for each of its verbs, and for its settings. */
async function factsOf(name: string): Promise<string> {
  const definition = await BUILTIN_LOADERS[name]?.();
  if (definition === undefined) throw new Error(`no adapter ${name}`);
  const { verbs, ...facts } = catalogEntryOf(definition);
  const settings = JSON.stringify(adapterSettingsOf(definition));
  const rows = verbs.map((verb) => JSON.stringify(verb)).join(",\n");
  return `${JSON.stringify(facts).slice(0, -1)},"verbs":[\n${rows}\n],\n"settings":${settings}}`;
}

it("the data of the compiler are those of the definitions", async () => {
  const published = builtinCatalog.names().filter((name) => name !== "core");
  const added = Object.keys(BUILTIN_LOADERS).filter((name) => !published.includes(name));
  const texts = await Promise.all([...published, ...added].map(factsOf));
  const made = `[\n${texts.join(",\n")}\n]\n`;
  if (process.env["WEFT_DOCS"] === "write") writeFileSync(DATA, made);
  expect(readFileSync(DATA, "utf8")).toBe(made);
});

it.each(ALL)("%s has a list for every role that a setting admits", async (_name, load) => {
  const { settings, admits } = adapterSettingsOf(await load());
  for (const setting of Object.values(admits)) expect(settings[setting]?.kind).toBe("intersect");
});

it("verbs of fs that can refuse an extension are those the check before a run knows", () => {
  const { name: adapter, verbs } = fsAdapter;
  expect(adapter).toBe(extensionChecks.adapter);
  const refusing = Object.keys(verbs).filter((name) => verbs[name]?.errors?.includes("ADAPTER_EXTENSION_BLOCKED"));
  expect(refusing.sort()).toEqual([...extensionChecks.verbs.keys()].sort());
});

it.each(ALL)("the definition of %s keeps the rules", async (_name, load) => {
  expect(definitionIssues(await load())).toEqual([]);
});
