/** `wf profiles [NAME]`: the named security profiles, the recommended limits, and which profile admits a program. */

import type { JsonObject } from "../../compiler/json.ts";
import { POLICY_LISTS } from "../../compiler/policy/policy.ts";
import type { Side } from "../../vm/grant/explain.ts";
import { constraintsOf } from "../../vm/grant/normalize-grant.ts";
import { findProfile, RECOMMENDED_LIMITS, unknownProfile } from "../../vm/grant/profiles.ts";
import { LIMIT_KEYS } from "../../vm/run.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { isStrict, modeFlag } from "../commands/flags/compile-mode.ts";
import { type EffectiveGrant, effectiveGrant } from "../grant/effective-grant.ts";
import { isProfileFile, knownProfiles, loadProfile } from "../grant/grant-documents.ts";
import { projectConfig } from "../grant/project-config.ts";
import { reasonText } from "../output/security-report.ts";
import { grouped, table } from "../output/terminal/table.ts";
import { loadProgram } from "../run/load-program.ts";
import { reportOf } from "../security-report/report.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { exposureText, limitsText, profilesText, profileText } from "./profiles-text.ts";

export class ProfilesCommand extends WeftCommand {
  static override paths = [["profiles"]];
  static override usage = Command.Usage({
    description: "List the security profiles and the exposure profiles of the MCP server, or show one.",
    details: "[NAME]",
    examples: [
      ["all of them", "wf profiles"],
      ["one", "wf profiles local_minimal"],
      ["which of them admit a program", "wf profiles --explain hello.wf"],
    ],
  });
  static override readonly notes = [
    "The list has the profiles of `WF_PROFILES_FILE` too. `--grant` prints what came from where: flags, configuration, environment, profile.",
  ];
  static override readonly pages = ["policy.md#profiles", "mcp.md#exposure"];

  name = Option.String({ required: false });
  limits = Option.Boolean("--limits", false, { description: "print the recommended limits" });
  grant = Option.Boolean("--grant", false, {
    description: "print the grant of this environment and the source of each value",
  });
  profile = Option.String("--profile", { description: "<NAME|FILE> with --grant: profile to start from" });
  config = Option.String("--config", {
    description: "<FILE> with --grant: use this configuration instead of the discovered wf.config.json",
  });
  explain = Option.String("--explain", {
    description: "<FILE> report which profiles admit a program, and why the others do not",
  });
  strict = modeFlag("strict", "loose", "with --explain: ");
  loose = modeFlag("loose", "loose", "with --explain: ");

  async execute(): Promise<number> {
    const session = this.session();
    const { screen } = session;
    if ([this.limits, this.grant, this.explain !== undefined, this.name !== undefined].filter(Boolean).length > 1)
      throw usageFault("NAME, --limits, --grant and --explain exclude each other");
    if (this.profile !== undefined && !this.grant) throw usageFault("--profile goes with --grant");
    if ((this.strict || this.loose) && this.explain === undefined)
      throw usageFault("--strict and --loose go with --explain");
    if (this.grant) return this.showGrant(session);
    if (this.explain !== undefined) return this.explainProgram(session, this.explain);
    if (this.limits) {
      if (screen.json) screen.document({ ok: true, limits: RECOMMENDED_LIMITS });
      else screen.out(limitsText(RECOMMENDED_LIMITS, screen.tableWidth));
      return EXIT.success;
    }
    return this.showProfiles(session, this.name);
  }

  /** An operator's security profile may bear the name of an exposure profile: it goes first. */
  private async showProfiles(session: Session, name: string | undefined): Promise<number> {
    const { screen } = session;
    const profiles = knownProfiles(session);
    const { EXPOSURE_PROFILES: exposures } = await import("../../mcp/main.ts");
    if (name === undefined) {
      if (screen.json) screen.document({ schema_version: "1.0", profiles, exposure_profiles: exposures });
      else screen.out(profilesText(profiles, exposures, screen));
      return EXIT.success;
    }
    const profile = isProfileFile(name) ? loadProfile(session, name, []) : findProfile(name, profiles);
    if (profile !== undefined) {
      if (screen.json) screen.document(profile);
      else screen.out(profileText(profile, screen));
      return EXIT.success;
    }
    const exposure = Object.hasOwn(exposures, name) ? exposures[name] : undefined;
    if (exposure === undefined) {
      const known = [...profiles, ...Object.keys(exposures).map((other) => ({ name: other }))];
      throw new CliFault(unknownProfile(name, known, "profile"), { error: "unknown_profile", exitCode: EXIT.usage });
    }
    if (screen.json) screen.document({ name, ...exposure });
    else screen.out(exposureText(name, exposure, screen));
    return EXIT.success;
  }

  /** What programs may do in this environment, with the sides that said so. */
  private async showGrant(session: Session): Promise<number> {
    const { screen } = session;
    const project = projectConfig(session.cwd, ".", this.config);
    const { profile } = this;
    const effective = effectiveGrant(session, { profile, grantFile: undefined, policyFile: undefined, project });
    await effective.close();
    for (const warning of effective.warnings) screen.warning(warning);
    if (screen.json) {
      const { grant, enabled } = effective;
      screen.document({ ok: true, grant, enabled, sources: grantSources(effective) });
    } else screen.out(`${table(grantRows(effective), screen.tableWidth).join("\n")}\n`);
    return EXIT.success;
  }

  private async explainProgram(session: Session, file: string): Promise<number> {
    const { screen } = session;
    const program = await loadProgram(session, file, { strict: isStrict(this, "loose") });
    const { profiles } = reportOf(session, program.ir);
    if (screen.json) screen.document({ ok: true, profiles });
    else {
      const rows = Object.entries(profiles).map(([name, one]) => [name, one.admitted ? "yes" : "no", reasonText(one)]);
      screen.out(`${table(rows, screen.tableWidth).join("\n")}\n`);
    }
    return EXIT.success;
  }
}

/** Whose each limit, each list, each restriction and the settings of each adapter are. */
function grantSources(effective: EffectiveGrant): JsonObject {
  const { grant, enabled, explanation, gateway } = effective;
  const limits = LIMIT_KEYS.filter((key) => grant.limits[key] !== undefined);
  const rules = POLICY_LISTS.flatMap((list) =>
    grant[list].map((value): [string, readonly string[]] => [`${list} ${value}`, explanation.rule(list, value)]),
  );
  return {
    allowed_adapters: explanation.allowlists,
    enabled: Object.fromEntries(enabled.map((name) => [name, enabler(effective, name)])),
    forbidden_destructive: explanation.destructive,
    limits: Object.fromEntries(limits.map((key) => [key, explanation.limit(key)])),
    rules: Object.fromEntries(rules),
    settings: Object.fromEntries(
      Object.keys(grant.adapter_constraints).map((name) => [name, settingSources(name, gateway.server.sides)]),
    ),
  };
}

/** The source that enables an adapter. `default`: no source mentions it, and it is enabled by default. */
function enabler({ runtime: { operator } }: EffectiveGrant, name: string): string {
  if (!operator.enabled.includes(name)) return "config";
  return operator.enablesByDefault ? "default" : "server";
}

function settingSources(adapter: string, sides: readonly Side[]): readonly string[] {
  return sides.filter(({ grant }) => Object.keys(constraintsOf(grant, adapter)).length > 0).map(({ source }) => source);
}

function grantRows(effective: EffectiveGrant): string[][] {
  const { grant, enabled, explanation, gateway } = effective;
  const enablers = [...new Set(enabled.map((name) => enabler(effective, name)))];
  const settings = Object.entries(grant.adapter_constraints).map(([name, value]) => [
    "settings",
    `${name} ${JSON.stringify(value)}`,
    settingSources(name, gateway.server.sides).join(", "),
  ]);
  const allowed = grant.allowed_adapters === null ? "all" : grant.allowed_adapters.join(" ");
  return [
    ["allowed adapters", allowed, explanation.allowlists.join(", ")],
    ...enablers.map((source) => [
      "enabled adapters",
      enabled.filter((name) => enabler(effective, name) === source).join(" "),
      source,
    ]),
    ...POLICY_LISTS.flatMap((list) =>
      grant[list].map((value) => [list.replaceAll("_", " "), value, explanation.rule(list, value).join(", ")]),
    ),
    ...(grant.forbidden_destructive ? [["destructive adapters", "forbidden", explanation.destructive.join(", ")]] : []),
    ...LIMIT_KEYS.flatMap((key) => {
      const value = grant.limits[key];
      return value === undefined ? [] : [[key, grouped(value), explanation.limit(key).join(", ")]];
    }),
    ...settings,
  ];
}
