/** wf_import_markdown: any workflow or agent document, by address or as text, as a program. */
import * as z from "zod/mini";
import { fetched } from "../documents/import-document.ts";
import { FETCHES, importOutput, importResult, sourcesOf, target, tone } from "../documents/import-result.ts";
import { failed } from "../tool/results.ts";
import { described, optionalText } from "../tool/schemas.ts";
import { defineTool } from "../tool/tool.ts";

export const importMarkdownTool = defineTool({
  name: "wf_import_markdown",
  title: "Import Markdown",
  description: "Convert any workflow or agent Markdown (https URL or inline text) to a Weft program. Writes nothing.",
  hints: FETCHES,
  input: () =>
    z.strictObject({
      url: z.optional(z.string().check(z.maxLength(4096))),
      markdown: described(optionalText, "or the text"),
      type: z.enum(["workflow", "agent"]),
      tone,
      target,
    }),
  aliases: { personality: "tone", url_or_name: "url" },
  output: importOutput,
  async call({ url, markdown, ...choices }, services, context) {
    if (markdown !== undefined && url === undefined)
      return importResult({ ok: true, markdown, provenance: "inline" }, choices, services);
    if (url !== undefined && markdown === undefined)
      return importResult(await fetched(url, sourcesOf(services, context)), choices, services);
    const message = "give exactly one of url and markdown";
    return failed("invalid_request", { message, issues: [{ path: "/url", code: "exclusive", message }] });
  },
});
