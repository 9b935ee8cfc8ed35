/** wf_import_agent_preset: an agent document, by slug or address, as a program. */
import * as z from "zod/mini";
import { findDocument } from "../documents/import-document.ts";
import {
  FETCHES,
  IMPORT_ALIASES,
  importOutput,
  importResult,
  sourcesOf,
  target,
  tone,
  urlOrName,
} from "../documents/import-result.ts";
import { defineTool } from "../tool/tool.ts";

export const importAgentPresetTool = defineTool({
  name: "wf_import_agent_preset",
  title: "Import an agent",
  description: "Convert an agent Markdown document (preset slug or https URL) to a Weft program. Writes nothing.",
  hints: FETCHES,
  input: () => z.strictObject({ url_or_name: urlOrName, tone, target }),
  aliases: IMPORT_ALIASES,
  output: importOutput,
  async call(args, services, context) {
    const document = await findDocument(args.url_or_name, "agent", sourcesOf(services, context));
    return importResult(document, { type: "agent", target: args.target, tone: args.tone }, services);
  },
});
