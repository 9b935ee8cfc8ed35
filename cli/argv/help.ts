/**
 * Help pages, made from the same classes that run: the list of commands, one page per command, and one per action of a command
 * that does several things. The description of a flag may begin with the actions that it belongs to: `peek, drain: maximum number …`.
 */

import { wrappedTable } from "../output/terminal/table.ts";
import { wrap } from "../output/terminal/wrap.ts";
import { EXIT } from "../session/faults.ts";
import { RUNTIME_VERSION } from "../session/version.ts";
import type { CommandAction, CommandSpec, FlagSpec } from "./argv.ts";
import type { Definition } from "./clipanion.ts";

/** Commands by purpose, in the order of the overview. */
export const COMMAND_GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ["Write", ["init", "check", "lint", "fmt", "migrate", "explain", "import", "grammar", "lsp"]],
  ["Run", ["run", "batch", "test", "replay", "trace"]],
  ["Look", ["inspect", "diagram", "diff", "compile", "disasm", "capabilities"]],
  ["Guard", ["policy-validate", "security-report", "profiles"]],
  [
    "Serve",
    [
      "serve",
      "playground",
      "deploy",
      "propose",
      "proposals",
      "promote",
      "sign",
      "programs",
      "schedule",
      "jobs",
      "dead-letters",
      "approve",
      "notices",
      "events",
      "mcp",
    ],
  ],
  [
    "Operate",
    [
      "doctor",
      "backup",
      "restore",
      "adapter",
      "mailbox",
      "memory",
      "queue",
      "cache",
      "audit",
      "summarize",
      "completion",
    ],
  ],
];

const FLAG_GROUPS: readonly (readonly [string, RegExp])[] = [
  [
    "Grant",
    /^--(max-(steps|depth|adapter-calls|time-ms|frame-bytes|loop-iters)|cleanup-(calls|ms)|enable-adapter|allow-adapter|allow|profile|grant|policy|forbid-.*|adapters-config|set|(http|sqlite|fs|tools|wasm)-.*|memory-db|agent-root|cache-path)$/,
  ],
  [
    "Output",
    /^--(json|quiet|verbose|color|no-color|out|raw|trace|trace-out|trace-jsonl|record|format|compact|canonical|diff|ir|max-diagnostics)$/,
  ],
];

const EXIT_CODES: readonly (readonly [code: string, text: string])[] = [
  [`${EXIT.success}`, "success"],
  [`${EXIT.failed}`, "the program failed: it does not compile, cannot be loaded, or its run failed"],
  [`${EXIT.usage}`, "wrong usage, unreadable input, unknown label"],
  [`${EXIT.policy}`, "the program violates the policy; nothing was executed"],
  [`${EXIT.interrupted}`, `interrupted by Ctrl-C (SIGTERM: ${EXIT.terminated})`],
];

type Summarized = { readonly names: readonly [string, ...string[]]; readonly summary: string };

export function overview(commands: readonly Summarized[], width: number): string {
  const summaries = new Map(commands.map(({ names, summary }) => [names[0], summary]));
  const lines = [`weft ${RUNTIME_VERSION} — run small deterministic workflows`, ""];
  for (const [title, names] of COMMAND_GROUPS) {
    lines.push(`${title}:`);
    for (const name of names) lines.push(`  ${name.padEnd(16)}${wrap(summaries.get(name) ?? "", width, 18)}`);
  }
  lines.push(
    "",
    "First steps:  wf init demo && cd demo && wf run hello.wf",
    "Help:         wf help COMMAND [ACTION]",
    "",
  );
  return lines.join("\n");
}

/** One sentence, usage, flags by group, examples, exit codes. `action`: the action that the page is about; null for the whole command. */
export function commandPage(
  command: CommandSpec,
  definition: Definition,
  width: number,
  action: string | null = null,
): string {
  const actions = command.actions ?? {};
  const described = action === null ? undefined : actions[action];
  if (action !== null && described !== undefined) return actionPage(command, definition, width, action, described);
  const lines = [wrap(definition.description?.trim() ?? "", width), "", `usage: ${command.usageLine}`];
  if (command.names.length > 1)
    lines.push(
      `alias: ${command.names
        .slice(1)
        .map((name) => `wf ${name}`)
        .join(", ")}`,
    );
  const actionRows = Object.entries(actions).map(([name, { operands, summary }]) => [`${name} ${operands}`, summary]);
  if (actionRows.length > 0)
    lines.push("", "Actions:", ...wrappedTable(actionRows, width, 2).map((line) => `  ${line.trimEnd()}`));
  const examples = (definition.examples ?? []).map(([, example]) => example);
  return [...lines, ...pageEnd(command, examples, width)].join("\n");
}

/** The page of one action: the flags and examples of the command that belong to it. */
function actionPage(
  command: CommandSpec,
  definition: Definition,
  width: number,
  action: string,
  { operands, summary, idleFlags = [] }: CommandAction,
): string {
  const [name = ""] = command.names;
  const flags = command.flags.flatMap((flag) => {
    const text = descriptionFor(action, flag.description, Object.keys(command.actions ?? {}));
    if (text === null || flag.names.some((word) => idleFlags.includes(word))) return [];
    return [{ ...flag, description: text }];
  });
  const call = `wf ${name} ${action}`;
  const examples = (definition.examples ?? []).map(([, example]) => example).filter((line) => line.includes(call));
  const usage = `usage: ${call} ${operands} [flags]`.replace("  ", " ");
  return [
    wrap(summary, width),
    "",
    usage,
    ...pageEnd({ flags, notes: [], pages: command.pages }, examples, width),
  ].join("\n");
}

/** What a flag means to an action; null when its description names other actions only. */
function descriptionFor(action: string, description: string, actions: readonly string[]): string | null {
  const [, value = "", prefix, text] = /^(<.*?> )?([a-z-]+(?:, [a-z-]+)*): (.*)$/.exec(description) ?? [];
  const named = prefix?.split(", ") ?? [];
  if (text === undefined || !named.every((name) => actions.includes(name))) return description;
  return named.includes(action) ? value + text : null;
}

function pageEnd(
  { flags, notes, pages }: Pick<CommandSpec, "flags" | "notes" | "pages">,
  examples: readonly string[],
  width: number,
): string[] {
  const lines: string[] = [];
  for (const [title, members] of flagGroups(flags))
    lines.push("", `${title}:`, ...wrappedTable(members.map(flagRow), width, 2).map((line) => `  ${line}`));
  if (notes.length > 0)
    lines.push("", "Notes:", ...notes.map((note) => `  ${wrap(note.replaceAll("`", ""), width, 2)}`));
  if (examples.length > 0) lines.push("", "Examples:", ...examples.map((example) => `  ${example}`));
  lines.push("", "Exit codes:", ...EXIT_CODES.map(([code, text]) => `  ${code.padEnd(5)}${wrap(text, width, 7)}`));
  if (pages.length > 0) lines.push("", `More: ${wrap(pages.map((page) => `docs/${page}`).join(", "), width, 6)}`);
  return [...lines, ""];
}

/** The flags that mean something to a command, by purpose. */
export function flagGroups(flags: readonly FlagSpec[]): [string, FlagSpec[]][] {
  const groups = new Map<string, FlagSpec[]>([
    ["Program", []],
    ...FLAG_GROUPS.map(([title]): [string, FlagSpec[]] => [title, []]),
  ]);
  for (const flag of flags.filter(({ idle }) => !idle)) {
    const title = FLAG_GROUPS.find(([, names]) => flag.names.some((name) => names.test(name)))?.[0] ?? "Program";
    groups.get(title)?.push(flag);
  }
  return [...groups].filter(([, members]) => members.length > 0);
}

/** A flag with its value, and what it means. */
export function flagRow({ names, description }: FlagSpec): [flag: string, meaning: string] {
  const [, value, text] = /^(?:<(.*?)> )?(.*)$/.exec(description) ?? [];
  return [`${names.join(", ")}${value === undefined ? "" : ` ${value}`}`, text ?? ""];
}
