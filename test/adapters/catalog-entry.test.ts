/** Facts of built-in adapters stand twice: as data for the compiler, and in the definition that acts. Both must say the same. */
import { describe, expect, it } from "vitest";
import { fsAdapter } from "../../adapters/builtin/fs/definition.ts";
import { adapterSettingsOf, catalogEntryOf } from "../../adapters/definition/catalog-entry.ts";
import { definitionIssues } from "../../adapters/definition/check-definition.ts";
import { BUILTIN_LOADERS } from "../../adapters/registry.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { builtinSettings, extensionChecks } from "../../compiler/catalog/settings.ts";

const ALL = Object.entries(BUILTIN_LOADERS);

describe.each(ALL)("the definition of %s", (name, load) => {
  it("gives the catalog entry that the compiler has", async () => {
    expect(catalogEntryOf(await load())).toStrictEqual(builtinCatalog.adapter(name));
  });

  it("gives the settings that the merge has", async () => {
    const { settings, aliases } = adapterSettingsOf(await load());
    const known = builtinSettings.get(name);
    expect(settings).toStrictEqual(known?.settings);
    expect(aliases).toStrictEqual(known?.aliases);
  });

  it("has a list for every role that a setting admits", async () => {
    const { settings, admits } = adapterSettingsOf(await load());
    const known = builtinSettings.get(name)?.admits ?? {};
    for (const setting of Object.values(known)) expect(settings[setting]?.kind).toBe("intersect");
    if (Object.keys(admits).length > 0) expect(admits).toEqual(known);
  });
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
