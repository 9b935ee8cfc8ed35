/** `wf capabilities`: the adapters the compiler knows, with their facts and verbs. */

import { type AdapterState, adapterState } from "../../adapters/health.ts";
import {
  type CapabilitiesDocument,
  type CapabilityEntry,
  capabilitiesDocument,
} from "../../compiler/catalog/capabilities.ts";
import type { Json } from "../../compiler/json.ts";
import { admits } from "../../vm/grant/convert.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { AdapterFlags } from "../commands/flags/adapter-flags.ts";
import { effectiveGrant } from "../grant/effective-grant.ts";
import { adapterNames } from "../grant/limit-flags.ts";
import { readTextFile } from "../input/input.ts";
import { table, wrappedTable } from "../output/terminal/table.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { RUNTIME_VERSION } from "../session/version.ts";
import { capabilityDifferences } from "./difference.ts";

const TIER_WORDS: Readonly<Record<CapabilityEntry["support_tier"], string>> = {
  core: "core",
  compatibility: "compatibility",
  extension_ecosystem: "extension",
};

const HEALTH_TEST_MS = 10_000;

export class CapabilitiesCommand extends AdapterFlags {
  static override paths = [["capabilities"], ["adapters"]];
  static override usage = Command.Usage({
    description: "List the adapters with their privilege, effects and verbs.",
    details: "[NAME...]",
    examples: [
      ["all adapters", "wf capabilities"],
      ["some adapters with every verb", "wf capabilities http fs"],
      ["whether the enabled ones work", "wf capabilities --check --fs-root data"],
      ["what a profile admits", "wf capabilities --profile sandbox_compute_and_store"],
      ["what changed since a document was saved", "wf capabilities --compare capabilities.json"],
    ],
  });
  static override readonly notes = [
    "`--verbose` says why an adapter cannot be used: no provider, not allowed, not enabled, a missing setting. `--check` ends with 1 when a health test fails; it takes the flags of `wf run` that enable adapters and set their settings.",
    "`--compare FILE` reads an earlier `--json` document and lists the adapters, facts and verbs that were added, removed or changed since; it ends with 1 when there are any. With `--json`: `{ok, differences: [{path, was?, is?}]}`.",
  ];
  static override readonly pages = ["adapters/README.md"];

  names = Option.Rest();
  adapter = Option.Array("--adapter", { description: "<NAME> same as the operand NAME (repeatable)" });
  check = Option.Boolean("--check", false, { description: "open every enabled adapter and run its health check" });

  compare = Option.String("--compare", {
    description: "<FILE> compare this build with a saved document; exit with 1 when they differ",
  });

  async execute(): Promise<number> {
    const session = this.session();
    const { screen } = session;
    const { catalog } = session.host;
    const document = capabilitiesDocument(catalog, RUNTIME_VERSION);
    if (this.compare !== undefined) return printDifferences(session, this.compare, document);
    const wanted = [...adapterNames(null, this.names, catalog), ...adapterNames("--adapter", this.adapter, catalog)];
    const effective = effectiveGrant(session, {
      ...this.grantFlags(),
      ...this.adapterFlags(),
      project: this.project(session, "."),
    });
    const { grant, runtime, admission } = effective;
    const shown = Object.entries(document.adapters).filter(
      ([name]) => (wanted.length === 0 || wanted.includes(name)) && admits(grant, name, catalog),
    );
    const states = new Map<string, AdapterState>();
    const test = this.check ? { timeoutMs: HEALTH_TEST_MS } : null;
    const withStates = screen.verbose || this.check;
    if (withStates) for (const [name] of shown) states.set(name, await adapterState(runtime, admission, name, test));
    await effective.close();
    const ill = [...states.values()].some((state) => state.missing !== null || state.health?.ok === false);
    const exit = this.check && ill ? EXIT.failed : EXIT.success;
    if (screen.json) {
      const adapters = shown.map(([name, entry]) => [name, withStates ? { ...entry, state: states.get(name) } : entry]);
      screen.document({ ...document, adapters: Object.fromEntries(adapters) });
      return exit;
    }
    const head = ["adapter", "tier", "privilege", "effect", "destr", "net", "verbs"];
    const rows = shown.map(([name, entry]) => row(name, entry, states.get(name)));
    if (withStates) head.splice(6, 0, "state");
    const layout = wanted.length === 0 && !screen.verbose ? table : wrappedTable;
    screen.out(`${layout([head, ...rows], screen.tableWidth).join("\n")}\n`);
    return exit;
  }
}

const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

function printDifferences({ screen, cwd }: Session, file: string, document: CapabilitiesDocument): number {
  const differences = capabilityDifferences(readJson(readTextFile(cwd, file, MAX_DOCUMENT_BYTES)), document);
  if (differences === null)
    throw new CliFault(`${file} is not a capabilities document`, { error: "invalid_json", exitCode: EXIT.usage });
  const same = differences.length === 0;
  if (screen.json) screen.document({ ok: same, differences });
  else if (same) screen.note(`no difference to ${file}`);
  else {
    const rows = differences.map(({ path, was, is }) => [path, sideText(was), sideText(is)]);
    screen.out(`${table([["path", "saved", "this build"], ...rows], screen.tableWidth).join("\n")}\n`);
  }
  return same ? EXIT.success : EXIT.failed;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function sideText(value: Json | undefined): string {
  if (value === undefined) return "-";
  return typeof value === "object" ? "present" : String(value);
}

function row(name: string, entry: CapabilityEntry, state: AdapterState | undefined): string[] {
  return [
    name,
    TIER_WORDS[entry.support_tier],
    entry.privilege_tier,
    entry.effect_default,
    entry.destructive ? "yes" : "-",
    entry.network_facing ? "yes" : "-",
    ...(state === undefined ? [] : [stateText(state)]),
    entry.verbs.join(" "),
  ];
}

/** The first thing that keeps it from being used, or that nothing does. */
function stateText({ provided, allowed, enabled, missing, health }: AdapterState): string {
  if (!provided) return "no provider";
  if (!allowed) return "not allowed";
  if (!enabled) return "not enabled";
  return missing ?? health?.message ?? "ready";
}
