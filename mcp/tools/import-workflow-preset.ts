/** wf_import_workflow_preset: a workflow document, by slug or address, as a program. */
import * as z from "zod/mini";
import { findDocument } from "../documents/import-document.ts";
import {
  FETCHES,
  IMPORT_ALIASES,
  importOutput,
  importResult,
  sourcesOf,
  target,
  urlOrName,
} from "../documents/import-result.ts";
import { defineTool } from "../tool/tool.ts";

export const importWorkflowPresetTool = defineTool({
  name: "wf_import_workflow_preset",
  title: "Import a workflow",
  description: "Convert a workflow Markdown document (preset slug or https URL) to a Weft program. Writes nothing.",
  hints: FETCHES,
  input: () => z.strictObject({ url_or_name: urlOrName, target }),
  aliases: IMPORT_ALIASES,
  output: importOutput,
  async call(args, services, context) {
    const document = await findDocument(args.url_or_name, "workflow", sourcesOf(services, context));
    return importResult(document, { type: "workflow", target: args.target }, services);
  },
});
