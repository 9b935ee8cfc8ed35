/**
 * What can be said before a run about the settings that its calls will meet: literal hosts, tables, paths, tools and modules outside
 * the lists in force. Warnings only, because a program may handle the adapter's error (docs/policy.md, what is known before a run).
 */
import {
  type AdapterSettings,
  extensionChecks,
  type SettingDefinition,
  type SettingTable,
} from "../../compiler/catalog/settings.ts";
import type { AdapterCatalog, ParameterRole } from "../../compiler/catalog.ts";
import { stepName } from "../../compiler/diagram/label-names.ts";
import { admitsEvent } from "../../compiler/events.ts";
import { CALL_OPS, type CallData, type Ir, type IrNode } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import { LITERALS_OF_ROLE, type Literals } from "../../compiler/policy/argument-facts.ts";
import { capabilitiesOf, type NodeFacts } from "../../compiler/policy/capabilities-of.ts";
import type { Grant } from "./grant.ts";
import { admitsHost } from "./host-patterns.ts";
import { constraintsOf } from "./normalize-grant.ts";
import { foldSetting } from "./setting-values.ts";

/** One warning for each literal argument that a setting in force refuses. */
export function refusedLiterals(ir: Ir, grant: Grant, catalog: AdapterCatalog, settings: SettingTable): string[] {
  const warnings = new Set<string>();
  for (const node of ir.nodes) {
    for (const facts of capabilitiesOf(node.op, node.data, catalog)) {
      const known = facts.adapter === null ? undefined : settings.get(facts.adapter);
      if (facts.adapter === null || known === undefined) continue;
      const given = constraintsOf(grant, facts.adapter);
      for (const setting of [...refusing(facts.literals, known, given), ...refusingExtension(node, facts, given)]) {
        warnings.add(
          `setting_would_refuse: ${stepName(ir, node)} uses ` +
            `${facts.adapter}.${facts.verb} outside ${facts.adapter}.${setting}`,
        );
      }
    }
  }
  return [...warnings];
}

/** The settings that refuse one of the literals. */
function* refusing(
  literals: Literals,
  known: AdapterSettings,
  given: { readonly [setting: string]: Json },
): Generator<string> {
  for (const role of Object.keys(known.admits) as ParameterRole[]) {
    const setting = known.admits[role];
    const list = setting === undefined ? undefined : given[setting];
    if (setting === undefined || !Array.isArray(list)) continue;
    const named = literals[LITERALS_OF_ROLE[role]];
    if (named.some((one) => !admitted(one, list as readonly Json[], known.settings[setting]))) yield setting;
  }
}

/** The setting for extensions, when the verb would refuse one of the paths by it. */
function refusingExtension(
  node: IrNode,
  { adapter, verb, literals }: NodeFacts,
  given: { readonly [setting: string]: Json },
): readonly string[] {
  const { setting, verbs } = extensionChecks;
  const check = adapter === extensionChecks.adapter && verb !== null ? verbs.get(verb) : undefined;
  const allowed = given[setting];
  if (check === undefined || !Array.isArray(allowed)) return [];
  if (check === "when_hashed" && !asksForHash(node)) return [];
  const named = literals.paths.map(extensionOf);
  // A path without one is most likely a folder where that is allowed.
  const looked = check === "unless_folder" ? named.filter((extension) => extension !== "") : named;
  return looked.every((extension) => (allowed as readonly Json[]).includes(extension)) ? [] : [setting];
}

/** Whether option `sha256` stands in the program as true. */
function asksForHash(node: IrNode): boolean {
  if (!CALL_OPS.has(node.op)) return false;
  const options = (node.data as CallData).args.at(-1);
  if (options?.k !== "map") return false;
  const asked = options.entries.findLast(([name]) => name === "sha256")?.[1];
  return asked?.k === "bool" && asked.v;
}

function admitted(literal: string, list: readonly Json[], definition: SettingDefinition | undefined): boolean {
  if (definition?.elements === "host") {
    const { host, port } = hostAndPort(literal);
    return list.some((pattern) => typeof pattern === "string" && admitsHost(pattern, host, port));
  }
  if (definition?.elements === "event")
    return list.some((pattern) => typeof pattern === "string" && admitsEvent(pattern, literal));
  const folded = foldSetting([literal], definition);
  const [element] = "value" in folded && Array.isArray(folded.value) ? folded.value : [literal];
  return list.includes(element as Json);
}

/** Of a URL only the host is known here. */
function hostAndPort(literal: string): { readonly host: string; readonly port: number | null } {
  const match = /^(\[[^\]]*\]|[^:]*):([0-9]{1,5})$/.exec(literal);
  return match === null ? { host: literal, port: null } : { host: match[1] ?? "", port: Number(match[2]) };
}

/** Lower case with its dot; empty for a name without one, dotfiles included. */
function extensionOf(path: string): string {
  const name = path.split("/").findLast((segment) => segment !== "" && segment !== ".") ?? "";
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot).toLowerCase();
}
