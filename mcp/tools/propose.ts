/**
 * wf_propose: puts a program before a person, who decides in the service whether it stays (docs/proposals.md). It cannot accept. It is there
 * only where the operator names the service.
 */
import * as z from "zod/mini";
import type { JsonObject } from "../../compiler/json.ts";
import { readSource } from "../programs/source.ts";
import { askingAt, ServiceAway } from "../service/ask.ts";
import type { McpServices } from "../services.ts";
import { failed, succeeded, type ToolResult } from "../tool/results.ts";
import { anyNames, described, optionalText, output, sourceMembers } from "../tool/schemas.ts";
import { defineTool } from "../tool/tool.ts";

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
/** Of a refusal: what says how to do it right. */
const REFUSED = ["issues", "diagnostics", "policy_errors", "retry_after_s"] as const;

export const proposeTool = defineTool({
  name: "wf_propose",
  title: "Propose a program",
  description:
    "Propose a program as the next version of a deployment. Nothing runs it until a person accepts. Answers what it newly reaches and how its tests went.",
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: (options) =>
    z.strictObject({
      name: described(z.string(), "of the deployment: a-z, 0-9 and -"),
      ...sourceMembers(options),
      comment: described(optionalText, "why, for the person who decides"),
      tests: z.optional(described(z.array(z.looseObject({})), "of frame, mocks by call, expect {result} or {error}")),
      settings: anyNames("adapters, limits, endpoints, schedules and other members of a deployment"),
    }),
  aliases: { source: "code" },
  output: output({
    id: "text",
    state: "text",
    newly_reaches: "any",
    settings_changes: "objects",
    tests: "object",
    report: "object",
    warnings: "texts",
  }),
  async call(args, services, { signal }) {
    const { name, files, comment, tests } = args;
    if (!NAME.test(name)) return wrong("/name", "must begin with a-z or 0-9 and have at most 63 of a-z, 0-9 and -");
    const settings = (args.settings ?? {}) as JsonObject;
    const own = Object.keys(settings).find((member) => ["code", "ir", "files", "main"].includes(member));
    if (own !== undefined) return wrong(`/settings/${own}`, "the program is given as code");
    const source = await readSource(args, services, signal);
    if (!source.ok) return source.refusal;
    const program = files === undefined ? { code: source.code } : filesOf(source.code, files as JsonObject);
    const body = { ...settings, ...program, ...given({ comment, tests }) };
    return proposed(name, body, services, signal);
  },
});

async function proposed(
  name: string,
  body: object,
  { config: { service } }: McpServices,
  signal: AbortSignal,
): Promise<ToolResult> {
  if (service === null) throw new Error("wf_propose is shown only where a service is named");
  try {
    const { status, body: said } = await askingAt(service)("PUT", `/programs/${name}?propose=1`, { body, signal });
    if (status !== 202) {
      const { error, message } = said;
      const further = Object.fromEntries(REFUSED.filter((key) => key in said).map((key) => [key, said[key]]));
      return failed(typeof error === "string" ? error : "bad_answer", {
        message: String(message ?? status),
        ...further,
      });
    }
    const { id, state, base, newly_reaches, settings_changes, tests, report, warnings } = said;
    return {
      ...succeeded({ id, name, state, base, newly_reaches, settings_changes, tests, report, warnings }),
      omittable: ["report", "settings_changes"],
    };
  } catch (cause) {
    if (!(cause instanceof ServiceAway)) throw cause;
    return failed("server_unreachable", { message: "the service that takes proposals does not answer" });
  }
}

/** A name for the program among its files that none of them has. */
function filesOf(code: string, files: JsonObject): JsonObject {
  let main = "main.py";
  while (Object.hasOwn(files, main)) main = `_${main}`;
  return { files: { ...files, [main]: code }, main };
}

function given(members: JsonObject | { readonly [name: string]: unknown }): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function wrong(path: string, message: string): ToolResult {
  return failed("invalid_request", {
    message: `${path.slice(1)} ${message}`,
    issues: [{ path, code: "format", message }],
  });
}
