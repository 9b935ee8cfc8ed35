/**
 * What a caller would have to enable for a program to find its adapters: names, and the settings that its literal arguments ask for.
 * A suggestion only: whether it is granted is another matter.
 */
import type { SettingTable } from "../../compiler/catalog/settings.ts";
import type { AdapterCatalog, ParameterRole } from "../../compiler/catalog.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { type Json, setMember } from "../../compiler/json.ts";
import { LITERALS_OF_ROLE } from "../../compiler/policy/argument-facts.ts";
import { capabilitiesOf } from "../../compiler/policy/capabilities-of.ts";

/** A ready `adapters` member of a request: `{enable: ["http"], http: {allow_hosts: ["api.example.com"]}}`. */
export type SuggestedAdapters = { readonly enable: readonly string[]; readonly [adapter: string]: Json };

export function suggestedAdapters(
  ir: Ir,
  names: readonly string[],
  catalog: AdapterCatalog,
  settings: SettingTable,
): SuggestedAdapters {
  const suggestion: { enable: readonly string[]; [adapter: string]: Json } = { enable: [...names].sort() };
  for (const name of suggestion.enable) {
    const lists = listsFor(name, ir, catalog, settings);
    if (Object.keys(lists).length > 0) setMember(suggestion, name, lists);
  }
  return suggestion;
}

/** Per list setting of the adapter, what the program names in places of its role. */
function listsFor(
  name: string,
  ir: Ir,
  catalog: AdapterCatalog,
  settings: SettingTable,
): { readonly [setting: string]: readonly string[] } {
  const admits = settings.get(name)?.admits ?? {};
  const found = new Map<string, Set<string>>();
  for (const node of ir.nodes) {
    for (const facts of capabilitiesOf(node.op, node.data, catalog)) {
      if (facts.adapter !== name) continue;
      for (const role of Object.keys(admits) as ParameterRole[]) {
        const setting = admits[role];
        const named = facts.literals[LITERALS_OF_ROLE[role]];
        if (setting === undefined || named.length === 0) continue;
        const all = found.get(setting) ?? new Set();
        for (const one of named) all.add(one);
        found.set(setting, all);
      }
    }
  }
  return Object.fromEntries([...found].map(([setting, values]) => [setting, [...values].sort()]));
}
