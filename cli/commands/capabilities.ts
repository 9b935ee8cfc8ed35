/** `wf capabilities`: the adapters the compiler knows, with their facts and verbs. */

import { PROVIDED_ADAPTERS } from "../../adapters/registry.ts";
import { type CapabilityEntry, capabilitiesDocument } from "../../compiler/catalog/capabilities.ts";
import { admits } from "../../vm/grant/convert.ts";
import { Command, Option } from "../clipanion.ts";
import { effectiveGrant } from "../effective-grant.ts";
import { EXIT, usageFault } from "../faults.ts";
import { adapterNames } from "../grant.ts";
import { table } from "../output/table.ts";
import { RUNTIME_VERSION } from "../version.ts";
import { WeftCommand } from "./base.ts";

const TIER_WORDS: Readonly<Record<CapabilityEntry["support_tier"], string>> = {
  core: "core",
  compatibility: "compatibility",
  extension_ecosystem: "extension",
};

export class CapabilitiesCommand extends WeftCommand {
  static override paths = [["capabilities"], ["adapters"]];
  static override usage = Command.Usage({
    description: "Lists the adapters with their privilege, effects and verbs.",
    examples: [
      ["all adapters", "wf capabilities"],
      ["one adapter with every verb", "wf capabilities --adapter http"],
      ["what a profile admits", "wf capabilities --profile sandbox_compute_and_store"],
    ],
  });

  adapter = Option.String("--adapter", { description: "<NAME> only this adapter" });
  profile = Option.String("--profile", { description: "<NAME|FILE> only adapters that this profile allows" });

  async execute(): Promise<number> {
    const session = this.session();
    const { screen } = session;
    const { catalog } = session.host;
    const document = capabilitiesDocument(catalog, RUNTIME_VERSION);
    const wanted = this.adapter === undefined ? null : adapterNames("--adapter", [this.adapter], catalog);
    if (wanted !== null && wanted.length !== 1) throw usageFault("option --adapter takes one name");
    const { grant } = effectiveGrant(session, { profile: this.profile, grantFile: undefined, policyFile: undefined });
    const shown = Object.entries(document.adapters).filter(
      ([name]) => (wanted === null || wanted.includes(name)) && admits(grant, name, catalog),
    );
    if (screen.json) {
      screen.document({ ...document, adapters: Object.fromEntries(shown) });
      return EXIT.success;
    }
    const head = ["adapter", "tier", "privilege", "effect", "destr", "net", "verbs"];
    const rows = shown.map(([name, entry]) => row(name, entry, screen.verbose));
    if (screen.verbose) head.splice(6, 0, "state");
    const width = this.adapter === undefined && !screen.verbose ? screen.width : Number.POSITIVE_INFINITY;
    screen.out(`${table([head, ...rows], width).join("\n")}\n`);
    return EXIT.success;
  }
}

function row(name: string, entry: CapabilityEntry, verbose: boolean): string[] {
  return [
    name,
    TIER_WORDS[entry.support_tier],
    entry.privilege_tier,
    entry.effect_default,
    entry.destructive ? "yes" : "-",
    entry.network_facing ? "yes" : "-",
    ...(verbose ? [PROVIDED_ADAPTERS.includes(name) ? "available" : "no provider"] : []),
    entry.verbs.join(" "),
  ];
}
