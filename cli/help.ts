/** Help pages, made from the same classes that run: the list of commands and one page per command. */

import type { CommandSpec, FlagSpec } from "./argv.ts";
import type { Definition } from "./clipanion.ts";
import { EXIT } from "./faults.ts";
import { wrappedTable } from "./output/table.ts";
import { wrap } from "./output/wrap.ts";
import { RUNTIME_VERSION } from "./version.ts";

/** Commands by what they are for, in the order of the overview. */
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ["Write", ["init", "check", "lint", "fmt", "explain", "import", "grammar", "lsp"]],
  ["Run", ["run", "batch", "test", "replay", "trace", "bench"]],
  ["Look", ["inspect", "diagram", "diff", "compile", "disasm", "capabilities"]],
  ["Guard", ["policy-validate", "security-report", "profiles", "sandbox"]],
  ["Serve", ["serve", "jobs", "mcp"]],
  ["Operate", ["doctor", "adapter", "mailbox", "memory", "queue", "cache", "audit", "summarize", "completion"]],
];

const FLAG_GROUPS: readonly (readonly [string, RegExp])[] = [
  [
    "Grant",
    /^--(max-(steps|depth|adapter-calls|time-ms|frame-bytes|loop-iters)|enable-adapter|allow-adapter|allow|profile|grant|policy|forbid-.*|adapters-config|set|(http|sqlite|fs|tools|wasm)-.*|memory-db|agent-root|cache-path)$/,
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

const NAME_GAP = "  ";

export function overview(commands: readonly { readonly names: readonly string[] }[], width: number): string {
  const known = new Set(commands.flatMap((command) => command.names));
  const lines = [`weft ${RUNTIME_VERSION} — run small deterministic workflows`, ""];
  for (const [title, names] of GROUPS) {
    const there = names.filter((name) => known.has(name)).join(NAME_GAP);
    lines.push(`  ${title.padEnd(8)}  ${wrap(there, width, 12, NAME_GAP)}`);
  }
  lines.push("", "First steps:  wf init demo && cd demo && wf run hello.wf", "Help:         wf help COMMAND", "");
  return lines.join("\n");
}

/** One sentence, usage, flags by group, examples, exit codes. */
export function commandPage(command: CommandSpec, definition: Definition, width: number): string {
  const lines = [wrap(definition.description?.trim() ?? "", width), "", `usage: ${command.usageLine}`];
  if (command.names.length > 1)
    lines.push(
      `alias: ${command.names
        .slice(1)
        .map((name) => `wf ${name}`)
        .join(", ")}`,
    );
  for (const [title, flags] of grouped(command.flags.filter(({ idle }) => !idle)))
    lines.push("", `${title}:`, ...flagLines(flags, width));
  lines.push("", "Examples:");
  for (const [, example] of definition.examples ?? []) lines.push(`  ${example}`);
  lines.push("", "Exit codes:", ...EXIT_CODES.map(([code, text]) => `  ${code.padEnd(5)}${wrap(text, width, 7)}`), "");
  return lines.join("\n");
}

function grouped(flags: readonly FlagSpec[]): [string, FlagSpec[]][] {
  const groups = new Map<string, FlagSpec[]>([
    ["Program", []],
    ...FLAG_GROUPS.map(([title]): [string, FlagSpec[]] => [title, []]),
  ]);
  for (const flag of flags) {
    const title = FLAG_GROUPS.find(([, names]) => flag.names.some((name) => names.test(name)))?.[0] ?? "Program";
    groups.get(title)?.push(flag);
  }
  return [...groups].filter(([, members]) => members.length > 0);
}

function flagLines(flags: readonly FlagSpec[], width: number): string[] {
  const rows = flags.map((flag): [string, string] => {
    const [, value, text] = /^(?:<(.*?)> )?(.*)$/.exec(flag.description) ?? [];
    return [`${flag.names.join(", ")}${value === undefined ? "" : ` ${value}`}`, text ?? ""];
  });
  return wrappedTable(rows, width, 2).map((line) => `  ${line}`);
}
