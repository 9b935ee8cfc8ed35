/**
 * Writes the pages of docs/cli, one for each command, and the table of docs/cli.md that lists them, from what `wf help NAME` shows: the usage,
 * examples, actions, flags and notes of the classes that run.
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { CommandSpec } from "../../cli/argv/argv.ts";
import { type Definition, PlainCli } from "../../cli/argv/clipanion.ts";
import { COMMAND_GROUPS, flagGroups, flagRow } from "../../cli/argv/help.ts";
import { commandSpecs } from "../../cli/commands/command-specs.ts";
import { COMMANDS } from "../../cli/registry.ts";
import { tableOf } from "./table.ts";

/** Flags of every command, which docs/cli.md describes. */
const COMMON: ReadonlySet<string> = new Set(["--json", "-q", "-v", "--color", "--no-color", "--cwd"]);

const folder = new URL("../../docs/", import.meta.url);

export type CommandPage = { readonly name: string; readonly path: string; readonly text: string };

export async function commandPages(): Promise<readonly CommandPage[]> {
  const classes = await Promise.all(COMMANDS.map(({ load }) => load()));
  const cli = PlainCli.of(classes);
  const definitions = cli.definitions();
  return commandSpecs(cli, classes).map((command, at) => {
    const [name = ""] = command.names;
    return { name, path: `cli/${name}.md`, text: pageOf(command, definitions[at]) };
  });
}

function pageOf(command: CommandSpec, definition: Definition | undefined): string {
  const [name = "", ...aliases] = command.names;
  const also = aliases.length === 0 ? "" : `\n\nAlso: ${aliases.map((alias) => `\`wf ${alias}\``).join(", ")}.`;
  const examples = (definition?.examples ?? []).map(([title, line]) => `# ${title.trim()}\n${line.trim()}\n`);
  const parts = [
    `# wf ${name}\n\n${definition?.description?.trim() ?? ""}`,
    `\`\`\`sh\n${examples.join("\n")}\`\`\``,
    `## Usage\n\n\`\`\`\n${command.usageLine}\n\`\`\`${also}`,
    actionsOf(command),
    ...flagsOf(command),
    command.notes.length === 0 ? "" : `## Notes\n\n${command.notes.join("\n\n")}`,
    pagesOf(command),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function actionsOf({ actions }: CommandSpec): string {
  const rows = Object.entries(actions ?? {}).map(([name, { operands, summary }]) => [
    `\`${`${name} ${operands}`.trim()}\``,
    summary,
  ]);
  return rows.length === 0 ? "" : `## Actions\n\n${tableOf(["Action", "Does"], rows).trimEnd()}`;
}

function flagsOf({ flags }: CommandSpec): string[] {
  const own = flags.filter(({ names }) => !names.some((name) => COMMON.has(name)));
  const common = flags.filter(({ names, idle }) => !idle && names.some((name) => COMMON.has(name)));
  const tables = flagGroups(own).map(([title, members]) => {
    const rows = members.map(flagRow).map(([flag, meaning]) => [`\`${flag}\``, meaning]);
    return `### ${title}\n\n${tableOf(["Flag", "Meaning"], rows).trimEnd()}`;
  });
  const names = common.map((flag) => `\`${flag.names.join(", ")}\``).join(", ");
  return ["## Flags", ...tables, `And those [of every command](../cli.md#rules-for-every-command): ${names}.`];
}

function pagesOf({ pages }: CommandSpec): string {
  const links = pages.map((page) => `[${titleOf(page)}](${relative("cli", page)})`);
  return links.length === 0 ? "" : `See also: ${links.join(" · ")}.`;
}

/** The heading that a link leads to. */
function titleOf(page: string): string {
  const [path = "", anchor] = page.split("#");
  const [, command] = /^cli\/(.+)\.md$/.exec(path) ?? [];
  if (command !== undefined) return `wf ${command}`;
  const headings = [...readFileSync(new URL(path, folder), "utf8").matchAll(/^#+ (.+)$/gm)].map(
    ([, text = ""]) => text,
  );
  const slug = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .replace(/\s/g, "-");
  const found = anchor === undefined ? headings[0] : headings.find((text) => slug(text) === anchor);
  if (found === undefined) throw new Error(`docs/${page} leads to no heading`);
  return found.replaceAll("`", "");
}

/** The commands by purpose, for docs/cli.md. */
export async function commandTables(): Promise<string> {
  const rows = new Map(
    await Promise.all(
      COMMANDS.map(async ({ names: [name, ...aliases], load }): Promise<[string, string[]]> => {
        const { usage } = await load();
        const also = aliases.map((alias) => `, \`wf ${alias}\``).join("");
        return [name, [`[\`wf ${name}\`](cli/${name}.md)${also}`, usage?.description?.trim() ?? ""]];
      }),
    ),
  );
  return COMMAND_GROUPS.map(([title, names]) => {
    const table = tableOf(
      ["Command", "Does"],
      names.map((name) => rows.get(name) ?? []),
    );
    return `### ${title}\n\n${table}`;
  }).join("\n");
}
