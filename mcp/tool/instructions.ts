/** The instructions a model receives once about this server: at most 200 tokens. They name only the tools it can call. */
import type { ExposedTool } from "./exposure.ts";

const PROGRAMS = `Programs are Python: \`main\` or the first function runs, its parameters are the inputs, its return is the result.
Effects are adapter calls, without import: \`http.Get(url, timeout=5).body["id"]\`; a failure raises AdapterError.
Refused: classes, eval, open, other packages.
Waiting: timer.sleep("2d"), signal.wait(name, key=k), approval.ask(title).approved.
Above functions: @api("/x", method="POST"), @cron("0 7 * * 1-5", tz="UTC").`;

export function instructionsFor(tools: ReadonlySet<ExposedTool>): string {
  return `${PROGRAMS}\n${stepsFor(tools).join(" ")}`;
}

function stepsFor(tools: ReadonlySet<ExposedTool>): string[] {
  const steps = [
    ...(tools.has("wf_validate")
      ? ["wf_validate with `code` and `frame`", "take its `fixed_code`, or fix what `findings` say"]
      : []),
    ...(tools.has("wf_run") ? ["wf_run"] : []),
  ];
  return [
    ...(steps.length === 0 ? [] : [`Order: ${steps.join(", ")}.`]),
    ...(tools.has("wf_capabilities") ? ['wf_capabilities {"adapter":"http"} shows how verbs are called.'] : []),
    ...(tools.has("wf_propose") ? ["wf_propose puts a program that should stay before a person."] : []),
    "Never delete adapter calls to make a program pass.",
  ];
}
