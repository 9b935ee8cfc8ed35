/** All tools, in the order in which they are listed. */

import type { McpServices } from "../services.ts";
import { TOOL_NAMES, type ToolName } from "../tool/exposure.ts";
import type { Tool } from "../tool/tool.ts";
import { capabilitiesTool } from "./capabilities.ts";
import { compileTool } from "./compile.ts";
import { importAgentPresetTool } from "./import-agent-preset.ts";
import { importMarkdownTool } from "./import-markdown.ts";
import { importWorkflowPresetTool } from "./import-workflow-preset.ts";
import { listEcosystemTool } from "./list-ecosystem.ts";
import { runTool } from "./run.ts";
import { securityReportTool } from "./security-report.ts";
import { validateTool } from "./validate.ts";

const TOOLS: Readonly<Record<ToolName, (services: McpServices) => Tool>> = {
  wf_validate: validateTool,
  wf_compile: compileTool,
  wf_capabilities: capabilitiesTool,
  wf_security_report: securityReportTool,
  wf_run: runTool,
  wf_list_ecosystem: listEcosystemTool,
  wf_import_workflow_preset: importWorkflowPresetTool,
  wf_import_agent_preset: importAgentPresetTool,
  wf_import_markdown: importMarkdownTool,
};

/** The exposed tools of one server, by name. */
export function openTools(services: McpServices): ReadonlyMap<string, Tool> {
  const exposed = TOOL_NAMES.filter((name) => services.exposure.tools.has(name));
  return new Map(exposed.map((name) => [name, TOOLS[name](services)]));
}
