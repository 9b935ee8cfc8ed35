/** wf_list_ecosystem: the templates that imports know by slug, and the files of the folder of programs. No network. */
import * as z from "zod/mini";
import { listPresets, type Preset } from "../presets/presets.ts";
import { succeeded } from "../tool/results.ts";
import { output } from "../tool/schemas.ts";
import { defineTool, READS_ONLY } from "../tool/tool.ts";

export const listEcosystemTool = defineTool({
  name: "wf_list_ecosystem",
  title: "List presets",
  description: "List preset slugs of workflow and agent templates, and local templates.",
  hints: READS_ONLY,
  input: () => z.strictObject({}),
  output: output({ workflow_presets: "objects", agent_presets: "objects", local_templates: "objects" }),
  async call(_args, { workflowRoot }) {
    return succeeded({
      workflow_presets: listPresets("workflow").map(listed),
      agent_presets: listPresets("agent").map(listed),
      local_templates: (await workflowRoot?.list()) ?? [],
    });
  },
});

function listed(preset: Preset): object {
  const { slug, title, origin } = preset;
  return { slug, title, origin, ...(preset.origin === "public" ? { url: preset.url } : {}) };
}
