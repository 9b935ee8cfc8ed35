/**
 * Tools of local MCP servers: a server is started for the call, its tool compared with the pinned one, called and the
 * server ended. The SDK is loaded at the first such call.
 */
import { createHash } from "node:crypto";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { JsonSchemaValidator, jsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";
import { canonicalJson } from "../../../compiler/ir/canonical.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import type { RunDesk } from "../../../vm/durable/approvals.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { badArguments } from "../../definition/bind.ts";
import { beginningOf } from "../../engine/process/run.ts";
import type { ProcessService } from "../../engine/process/service.ts";
import { adapterError } from "../../errors.ts";
import type { McpDeclaration } from "./declarations.ts";
import { elicited } from "./mcp-elicit.ts";
import { ProcessTransport } from "./mcp-transport.ts";
import { answerChecker } from "./schemas.ts";
import type { ToolCall } from "./tool.ts";

const MAX_PAGES = 100;
/** The SDK's own clock must not end what the signal bounds. */
const NEVER_MS = 2 ** 31 - 1;

export async function runMcp(
  name: string,
  declared: McpDeclaration,
  processes: ProcessService,
  call: ToolCall,
): Promise<unknown> {
  const { args, signal, ctx } = call;
  const input = inputOf(args);
  const [{ Client }, framing] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/shared/stdio.js"),
  ]);
  const server = await processes.start(declared, signal);
  const stderr = beginningOf(server.stderr);
  const jsonSchemaValidator = await answerValidators();
  const desk = declared.elicit ? ctx.run.desk : undefined;
  const client = new Client(
    { name: "weft", version: "1.0.0" },
    { jsonSchemaValidator, ...(desk?.awaitDecision === undefined ? {} : { capabilities: { elicitation: {} } }) },
  );
  if (desk?.awaitDecision !== undefined) {
    const { ElicitRequestSchema } = await import("@modelcontextprotocol/sdk/types.js");
    const asking = desk as Required<RunDesk>;
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicited(name, asking, call, params));
  }
  const talk = new Promise((resolve, reject) => {
    const transport = new ProcessTransport(server, framing, declared.max_output_bytes, reject);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    conversation(client, transport, declared, input, signal).then(resolve, reject);
  });
  try {
    return await talk;
  } catch (thrown) {
    if (thrown instanceof AdapterError) throw thrown;
    const { retryable } = declared;
    throw adapterError("ADAPTER_TOOL_FAILED", "the MCP server did not answer as it should", {
      retryable,
      cause: thrown,
    });
  } finally {
    if (stderr() !== "") ctx.log("tool_stderr", { tool: name, text: stderr() });
    server.stop();
  }
}

async function answerValidators(): Promise<jsonSchemaValidator> {
  const fits = await answerChecker();
  return {
    getValidator:
      <T>(schema: object): JsonSchemaValidator<T> =>
      (answer) =>
        fits(schema as JsonObject, answer)
          ? { valid: true, data: answer as T, errorMessage: undefined }
          : { valid: false, data: undefined, errorMessage: "it does not fit" },
  };
}

async function conversation(
  client: Client,
  transport: ProcessTransport,
  declared: McpDeclaration,
  input: JsonObject,
  signal: AbortSignal,
): Promise<unknown> {
  const options = { signal, timeout: NEVER_MS };
  await client.connect(transport, options);
  await checkPinned(client, declared, options);
  const answer = await client.callTool({ name: declared.tool, arguments: input }, undefined, options);
  if (answer.isError === true) {
    throw adapterError("ADAPTER_TOOL_FAILED", "the tool of the MCP server failed", { retryable: declared.retryable });
  }
  return answer.structuredContent ?? plain(answer.content);
}

/** A tool that changed since the operator looked at it is refused. */
async function checkPinned(
  client: Client,
  { tool: name, schema_sha256: pinned }: McpDeclaration,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<void> {
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor }, options);
    const offered = tools.find((tool) => tool.name === name);
    if (offered !== undefined) {
      const schema_sha256 = schemaHash(offered.inputSchema as Json);
      if (schema_sha256 === pinned) return;
      const data = { reason: "schema_changed", schema_sha256 };
      throw adapterError("ADAPTER_TOOL_FAILED", "the tool of the MCP server is not the pinned one", { data });
    }
    if (nextCursor === undefined) break;
    cursor = nextCursor;
  }
  throw adapterError("ADAPTER_TOOL_FAILED", "the MCP server has no such tool", { data: { reason: "no_such_tool" } });
}

/** What `schema_sha256` of a declaration must be. */
export function schemaHash(inputSchema: Json): string {
  return createHash("sha256").update(canonicalJson(inputSchema)).digest("hex");
}

/** MCP tools take named arguments: one object, or nothing. */
function inputOf(args: readonly Json[]): JsonObject {
  const [input = {}, ...more] = args;
  if (more.length === 0 && typeof input === "object" && input !== null && !Array.isArray(input)) {
    return input as JsonObject;
  }
  throw badArguments([{ path: "/0", expected: "one object of named arguments", got: "something else" }]);
}

/** A single text as text, other content as the list that it is. */
function plain(content: unknown): unknown {
  const [first, ...more] = Array.isArray(content) ? (content as readonly unknown[]) : [];
  const isText = typeof first === "object" && first !== null && "text" in first && typeof first.text === "string";
  return isText && more.length === 0 ? first.text : content;
}
