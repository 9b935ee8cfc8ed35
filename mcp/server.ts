/**
 * The server below the protocol: finds the tool or resource of a request, bounds calls and answer sizes, and decides what
 * happens to defects. It does not depend on streams or the SDK.
 */
import { RUNTIME_VERSION } from "../vm/version.ts";
import { CallSlots, ServerBusy } from "./protocol/call-slots.ts";
import { ProtocolFault } from "./protocol/fault.ts";
import { openResources } from "./resources/resources.ts";
import type { McpServices } from "./services.ts";
import { instructionsFor } from "./tool/instructions.ts";
import { bounded, failed, type ToolResult } from "./tool/results.ts";
import type { CallContext, CallResult, McpHandlers } from "./tool/sdk.ts";
import type { Tool } from "./tool/tool.ts";
import { openTools } from "./tools/tools.ts";

const MAX_WAITING = 64;
/** Room for what stands around the result of a run. */
const ENVELOPE_BYTES = 64 * 1024;

export function createHandlers(services: McpServices): McpHandlers {
  const tools = openTools(services);
  const resources = openResources(services);
  const slots = new CallSlots({ most: services.config.maxConcurrency, waitingMost: MAX_WAITING }, services.clock);
  return {
    info: { name: "weft", version: RUNTIME_VERSION },
    instructions: instructionsFor(services.exposure.tools),
    listTools: () => [...tools.values()].map((tool) => tool.listing()),
    async callTool(name, args, context) {
      const tool = tools.get(name);
      // Hidden and never existing are the same to a client.
      if (tool === undefined) throw new ProtocolFault("invalidParams", `Unknown tool: ${name}`);
      const work = (): Promise<ToolResult> => called(tool, args, context, services);
      const result = await slots.run(context.signal, work).catch(busyOrGone);
      return callResult(bounded(result, services.config.maxResultBytes + ENVELOPE_BYTES));
    },
    listResources: () => resources.list(),
    async readResource(uri) {
      const found = resources.read(uri);
      if (found === undefined) throw new ProtocolFault("resourceNotFound", `Unknown resource: ${uri}`);
      return found;
    },
  };
}

/** Turns unexpected errors into results, so the session continues; only the operator sees the details. */
async function called(
  tool: Tool,
  args: { readonly [name: string]: unknown },
  context: CallContext,
  { freshId, log }: McpServices,
): Promise<ToolResult> {
  try {
    return await tool.call(args, context);
  } catch (cause) {
    context.signal.throwIfAborted();
    const traceId = freshId();
    const stack = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    log.write("error", "internal_error", { trace_id: traceId, stack });
    return failed("internal_error", { message: "a defect of the server; report the trace_id", trace_id: traceId });
  }
}

function busyOrGone(cause: unknown): ToolResult {
  if (cause instanceof ServerBusy) return failed("server_busy", { message: cause.message });
  throw cause;
}

function callResult({ payload, isError, traceId }: ToolResult): CallResult {
  return { payload, isError, ...(traceId === undefined ? {} : { meta: { trace_id: traceId } }) };
}
