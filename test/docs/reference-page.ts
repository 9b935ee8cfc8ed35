/**
 * Writes docs/reference.md from the tables of the code: ops, endpoints, environment variables, words. Each row links to the page
 * with the details; a variable that no page describes has an empty cell, which a test reports.
 */
import { readFileSync } from "node:fs";
import { HOST_VARIABLES } from "../../adapters/operator/host-config.ts";
import { CLI_VARIABLES } from "../../cli/session/environment.ts";
import { OP_EXAMPLES } from "../../grammar/op-examples.ts";
import { OPS, type Op, type Slot } from "../../grammar/ops.ts";
import { MCP_VARIABLES } from "../../mcp/config.ts";
import { SERVICE_VARIABLES } from "../../service/config.ts";
import { ERROR_WORDS, type Word } from "../../vm/words/errors.ts";
import { ISSUE_WORDS } from "../../vm/words/issues.ts";
import { INTERRUPTION_REASONS } from "../../vm/words/reasons.ts";
import { WARNING_WORDS } from "../../vm/words/warnings.ts";
import { PAGES } from "./pages.ts";
import { tableOf } from "./table.ts";

/** The part of an OpenAPI document that this page reads. */
export type Endpoints = Readonly<
  Record<string, Readonly<Record<string, { readonly summary?: string; readonly responses?: object }>>>
>;

const HEAD = `# Reference

The tests of this repository generate this page from tables in the code; change those tables instead (CONTRIBUTING.md). Commands are in [cli.md](cli.md#commands), functions in [functions.md](functions.md), adapters in [adapters/](adapters/README.md), diagnostics in
[diagnostics.md](diagnostics.md), errors of runs in [errors.md](errors.md), words of other answers and of warnings [below](#words-of-answers-and-warnings).
`;

export function referencePage(endpoints: Endpoints): string {
  return [HEAD, statementsPart(), endpointsPart(endpoints), environmentPart(), wordsPart()].join("\n");
}

function statementsPart(): string {
  const rowOf = (op: Op): string[] => [
    `\`${op.name}\``,
    op.aliases.map((alias) => `\`${alias}\``).join(", "),
    op.slots.map(slotText).join(" "),
    op.doc,
    OP_EXAMPLES[op.name] === undefined ? "" : `\`${OP_EXAMPLES[op.name]}\``,
  ];
  const head = ["Statement", "Also", "Slots", "Does", "Example"];
  const steps = OPS.filter(({ kind }) => kind === "step").map(rowOf);
  const others = OPS.filter(({ kind }) => kind !== "step").map(rowOf);
  return `## Statements

In the *Slots* column, \`?\` marks an optional slot, \`…\` a repeatable one, and \`=x\` gives the default. [language.md](language.md) explains them.

Steps:

${tableOf(head, steps)}
Everything else:

${tableOf(head, others)}`;
}

const LABELS = new Set(["ref", "eref"]);

function slotText(slot: Slot): string {
  const arrow = LABELS.has(slot.class) ? "->L_" : slot.class === "out" ? "->" : "";
  const name = slot.values === null ? slot.name : slot.values.join("|");
  const mark = slot.repeat ? "…" : slot.default !== null ? `=${slot.default}` : slot.optional ? "?" : "";
  return `\`${arrow}${name}${mark}\``;
}

function endpointsPart(endpoints: Endpoints): string {
  const rows = Object.entries(endpoints).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary = "", responses = {} }]) => [
      `\`${method.toUpperCase()} ${path}\``,
      summary,
      Object.keys(responses).sort().join(", "),
    ]),
  );
  return `## Endpoints\n\nBodies, headers and errors: [http.md](http.md), [jobs.md](jobs.md), \`GET /openapi.json\`.\n\n${tableOf(
    ["Method, path", "Does", "Statuses"],
    rows.sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
  )}`;
}

const SURFACES = [
  ["command line", new Set([...CLI_VARIABLES, ...HOST_VARIABLES])],
  ["service", new Set([...SERVICE_VARIABLES, ...HOST_VARIABLES])],
  ["MCP server", new Set([...MCP_VARIABLES, ...HOST_VARIABLES])],
] as const;

function environmentPart(): string {
  const names = [...new Set(SURFACES.flatMap(([, known]) => [...known]))].sort();
  const pages = pagesWithVariables();
  const rows = names.map((name) => [
    `\`${name}\``,
    SURFACES.filter(([, known]) => known.has(name))
      .map(([surface]) => surface)
      .join(", "),
    (pages.get(name) ?? []).map((page) => `[${page}](${page})`).join(", "),
  ]);
  return `## Environment variables

An empty variable counts as unset. Besides these, \`WF_SECRET_<NAME>\` gives a secret ([deploy.md](deploy.md#secrets)), and the variables \`EMAIL_…\` an account to the adapter [email](adapters/email.md#accounts).

${tableOf(["Variable", "Read by", "Described in"], rows)}`;
}

function wordsPart(): string {
  const rowsOf = (words: Readonly<Record<string, Word>>): string[][] =>
    Object.entries(words)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { title, cause, fix }]) => [`\`${name}\``, title, cause, fix]);
  const issues = Object.entries(ISSUE_WORDS).sort(([a], [b]) => (a < b ? -1 : 1));
  return `## Words of answers and warnings

\`wf explain WORD\` prints the same. The answer to a request that started no run has one of these words in \`error\` or \`error_kind\`; the
words of failed runs are in [errors.md](errors.md), with their codes.

${tableOf(["Word", "Meaning", "Cause", "What to do"], rowsOf(ERROR_WORDS))}
Warnings begin with their word, and never change a result:

${tableOf(["Word", "Meaning", "Cause", "What to do"], rowsOf(WARNING_WORDS))}
A durable job that is [\`interrupted\`](durable.md#states) has one of these in \`reason\`:

${tableOf(["Word", "Meaning", "Cause", "What to do"], rowsOf(INTERRUPTION_REASONS))}
Codes of \`issues\`:

${tableOf(
  ["Code", "Meaning", "What to do"],
  issues.map(([name, { title, fix }]) => [`\`${name}\``, title, fix]),
)}`;
}

const NO_HOME = new Set(["reference.md", "migration.md"]);

/** Pages whose tables have a row for a variable, by its name. */
function pagesWithVariables(): ReadonlyMap<string, readonly string[]> {
  const folder = new URL("../../docs/", import.meta.url);
  const found = new Map<string, string[]>();
  for (const page of PAGES.filter((name) => !NO_HOME.has(name)).sort()) {
    const text = readFileSync(new URL(page, folder), "utf8");
    for (const [, cell = ""] of text.matchAll(/^\| ([^|]*)\|/gm))
      for (const [, name = ""] of cell.matchAll(/`([A-Z][A-Z_]+)(?:=[^`]*)?`/g)) {
        const pages = found.get(name) ?? [];
        if (!pages.includes(page)) found.set(name, [...pages, page]);
      }
  }
  return found;
}
