/** The profiles as people read them: the security profiles of grants, and the exposure profiles of the MCP server. */
import type { Profile } from "../../vm/grant/profiles.ts";
import { LIMIT_KEYS, type Limits } from "../../vm/run.ts";
import { visible } from "../output/terminal/columns.ts";
import { counted, grouped, table, wrappedTable } from "../output/terminal/table.ts";
import type { Screen } from "../session/screen.ts";

/** What a host of the MCP server sees. */
type Exposure = { readonly tools: readonly string[]; readonly resources: readonly string[] };

export function profilesText(
  profiles: readonly Profile[],
  exposures: Readonly<Record<string, Exposure>>,
  screen: Screen,
): string {
  const rows = [
    ...profiles.map((profile) => [profile.name, profile.description]),
    ...Object.entries(exposures).map(([name, { tools, resources }]) => [
      name,
      `${counted(tools.length, "tool")}, ${counted(resources.length, "resource")}`,
    ]),
  ];
  const lines = table(rows, screen.tableWidth);
  const head = screen.paint.dim("exposure profiles of the MCP server");
  return `${[...lines.slice(0, profiles.length), "", head, ...lines.slice(profiles.length)].join("\n")}\n`;
}

export function exposureText(name: string, { tools, resources }: Exposure, screen: Screen): string {
  const rows = [
    ["tools", list(tools)],
    ["resources", list(resources)],
    ["use", `wf mcp --exposure ${name}`],
  ];
  const head = `${screen.paint.bold(name)}  what a host of the MCP server sees; does not grant permissions`;
  return page(head, rows, screen);
}

export function profileText(profile: Profile, screen: Screen): string {
  const allowlist = profile.adapter_allowlist;
  const settings = (table: Readonly<Record<string, object>>): string =>
    list(Object.entries(table).map(([adapter, value]) => `${adapter} ${JSON.stringify(value)}`));
  const rows = [
    ["use", profile.intended_use.join(", ")],
    ["expects", profile.orchestrator_expectations.join(", ")],
    ["adapters", typeof allowlist === "string" ? "as the operator decides" : list(allowlist)],
    ["forbidden adapters", list(profile.forbidden_adapters)],
    ["forbidden effects", list([...profile.forbidden_effects, ...profile.forbidden_effect_tiers])],
    ["forbidden tiers", list(profile.forbidden_privilege_tiers)],
    ["destructive adapters", profile.forbidden_destructive ? "forbidden" : "admitted"],
    ...LIMIT_KEYS.flatMap((key) => {
      const value = profile.runtime_limits[key];
      return value === undefined ? [] : [[key, grouped(value)]];
    }),
    ["settings", settings(profile.adapter_constraints)],
    ["required settings", settings(profile.required_settings)],
  ];
  const head = `${screen.paint.bold(visible(profile.name))}  ${visible(profile.description)}`;
  return page(head, rows, screen);
}

function page(head: string, rows: readonly (readonly string[])[], screen: Screen): string {
  return `${[head, ...wrappedTable(rows, screen.tableWidth, 2).map((line) => `  ${line}`)].join("\n")}\n`;
}

export function limitsText(sets: Readonly<Record<string, Limits>>, width: number): string {
  const keys = LIMIT_KEYS.filter((key) => Object.values(sets).some((set) => set[key] !== undefined));
  const rows = keys.map((key) => [key, ...Object.values(sets).map((set) => grouped(set[key] ?? 0))]);
  return `${table([["limit", ...Object.keys(sets)], ...rows], width).join("\n")}\n`;
}

function list(words: readonly string[]): string {
  return words.length === 0 ? "-" : words.join(" ");
}
