/** What a model is told once about this server. Only tools that it can call are named. */
import type { ToolName } from "./exposure.ts";

const LANGUAGE =
  "Weft runs small deterministic workflow programs. One statement per line: `L1:` opens a label; `R adapter.VERB args ->name` " +
  "calls; `Set name value`; `X name (fn a b)`; `If cond ->L2 ->L3`; `Loop list item ->L2 ->L3`; `Call L2 ->name`; `J name` " +
  "returns. Quote text. Example: `S app api /api`, `L1:`, `R core.ADD 2 3 ->x`, `J x`.";

export function instructionsFor(tools: ReadonlySet<ToolName>): string {
  const sentences = [LANGUAGE];
  const steps = [
    ...(tools.has("wf_validate") ? ["call wf_validate", "repair from `diagnostics[].fix`"] : []),
    ...(tools.has("wf_run") ? ["then wf_run"] : []),
  ];
  if (steps.length > 0) sentences.push(`Write, ${steps.join(", ")}.`);
  sentences.push("Do not delete adapter lines to make a program pass: see `suggested_adapters`.");
  if (tools.has("wf_run"))
    sentences.push("Runs are limited by the server's grant; `policy` and `limits` can only tighten it.");
  return sentences.join(" ");
}
