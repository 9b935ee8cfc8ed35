/** All tools, in the order in which they are listed. */

import type { McpServices } from "../services.ts";
import { type ExposedTool, PROPOSE_TOOL, TOOL_NAMES } from "../tool/exposure.ts";
import type { Tool } from "../tool/tool.ts";
import { capabilitiesTool } from "./capabilities.ts";
import { compileTool } from "./compile.ts";
import { importAgentPresetTool } from "./import-agent-preset.ts";
import { importMarkdownTool } from "./import-markdown.ts";
import { importWorkflowPresetTool } from "./import-workflow-preset.ts";
import { listEcosystemTool } from "./list-ecosystem.ts";
import { proposeTool } from "./propose.ts";
import { runTool } from "./run.ts";
import { securityReportTool } from "./security-report.ts";
import { validateTool } from "./validate.ts";

const TOOLS: Readonly<Record<ExposedTool, (services: McpServices) => Tool>> = {
  wf_validate: validateTool,
  wf_compile: compileTool,
  wf_capabilities: capabilitiesTool,
  wf_security_report: securityReportTool,
  wf_run: runTool,
  wf_list_ecosystem: listEcosystemTool,
  wf_import_workflow_preset: importWorkflowPresetTool,
  wf_import_agent_preset: importAgentPresetTool,
  wf_import_markdown: importMarkdownTool,
  wf_propose: proposeTool,
};

/** The exposed tools of one server, by name. */
export function openTools(services: McpServices): ReadonlyMap<string, Tool> {
  const exposed = ([...TOOL_NAMES, PROPOSE_TOOL] as const).filter((name) => services.exposure.tools.has(name));
  return new Map(exposed.map((name) => [name, TOOLS[name](services)]));
}
