/** The instructions a model receives once about this server: at most 450 tokens. They name only the tools it can call. */
import { RULES_UNLIKE_PYTHON, TAUGHT_PROGRAM } from "../../compiler/guide/taught-program.ts";
import type { ToolName } from "./exposure.ts";

export function instructionsFor(tools: ReadonlySet<ToolName>): string {
  return [
    "Weft runs small deterministic workflow programs, written much like Python:",
    `\`\`\`\n${TAUGHT_PROGRAM}\n\`\`\``,
    RULES_UNLIKE_PYTHON,
    stepsFor(tools).join(" "),
  ].join("\n");
}

function stepsFor(tools: ReadonlySet<ToolName>): string[] {
  const steps = ["Write the whole program"];
  if (tools.has("wf_validate"))
    steps.push("call wf_validate with `code` and `frame`", "apply `diagnostics[primary_diagnostic].fix` until `ok`");
  if (tools.has("wf_run")) steps.push("call wf_run");
  return [
    `${steps.join("; ")}.`,
    ...(tools.has("wf_capabilities")
      ? ['wf_capabilities: {"topic":"language"} lists all functions, {"adapter":"http"} the arguments of its verbs.']
      : []),
    "Never delete adapter calls to make a program pass: give `suggested_adapters` as `adapters`.",
    ...(tools.has("wf_run") ? ["`policy` and `limits` can only tighten the server's grant."] : []),
  ];
}
