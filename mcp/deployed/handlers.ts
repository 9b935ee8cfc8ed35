/** The second server: every tool is a program that a service has, and one more looks at jobs again (docs/mcp.md, programs as tools). */
import type { JsonObject } from "../../compiler/json.ts";
import type { Clock } from "../../vm/run.ts";
import { RUNTIME_VERSION } from "../../vm/version.ts";
import { CallSlots, ServerBusy } from "../protocol/call-slots.ts";
import { ProtocolFault } from "../protocol/fault.ts";
import { type AskService, ServiceAway } from "../service/ask.ts";
import { bounded, failed, type ToolResult } from "../tool/results.ts";
import type { CallContext, CallResult, McpHandlers, ToolListing } from "../tool/sdk.ts";
import { ended, followed, refused } from "./jobs.ts";
import type { ProgramTool } from "./program-tool.ts";
import type { ToolList } from "./tool-list.ts";

export type ProgramServer = {
  readonly ask: AskService;
  readonly list: ToolList;
  readonly clock: Clock;
  readonly maxConcurrency: number;
  readonly maxResultBytes: number;
};

const LOOK = "job_result";
/** Looks of one call of that tool. */
const LOOKS = 1;
const MAX_WAITING = 64;
const JOB_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const LOOK_LISTING: ToolListing = {
  name: LOOK,
  title: "Look at a job again",
  description: "The result of a program that waited, by its job_id, or what it waits for now.",
  inputSchema: {
    type: "object",
    properties: { job_id: { type: "string" } },
    required: ["job_id"],
    additionalProperties: false,
  },
  outputSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
  annotations: { title: "Look at a job again", readOnlyHint: true, destructiveHint: false, openWorldHint: false },
};

const INSTRUCTIONS = `Each tool p_NAME is a program that people reviewed. It runs in a service under its own grant.
A result with "ok": true has the value in "out". With "state": "waiting" the program waits for a time, a signal or people: call ${LOOK} with its job_id later.`;

export function programHandlers(server: ProgramServer): McpHandlers {
  const { list, clock, maxConcurrency, maxResultBytes } = server;
  const slots = new CallSlots({ most: maxConcurrency, waitingMost: MAX_WAITING }, clock);
  return {
    info: { name: "weft-programs", version: RUNTIME_VERSION },
    instructions: INSTRUCTIONS,
    listTools: () => [...[...list.tools.values()].map(({ listing }) => listing), LOOK_LISTING],
    watchTools: (changed) => list.watch(changed),
    async callTool(name, args, context) {
      const tool = list.tools.get(name);
      if (tool === undefined && name !== LOOK) throw new ProtocolFault("invalidParams", `Unknown tool: ${name}`);
      const work = (): Promise<ToolResult> =>
        tool === undefined
          ? lookedAt(server, args as JsonObject, context)
          : called(server, tool, args as JsonObject, context);
      const result = await slots.run(context.signal, work).catch(faultOf);
      return answerOf(bounded(result, maxResultBytes));
    },
    listResources: () => [],
    async readResource(uri) {
      throw new ProtocolFault("resourceNotFound", `Unknown resource: ${uri}`);
    },
  };
}

/** A version, so that nothing runs that the host was not shown. */
async function called(
  { ask }: ProgramServer,
  { program, version, waits }: ProgramTool,
  frame: JsonObject,
  { signal, elicit }: CallContext,
): Promise<ToolResult> {
  const body = { program: `${program}@${version}`, frame };
  if (!waits) {
    const answer = await ask("POST", "/run", { body, signal });
    return answer.status === 200 ? ended(answer.body) : refused(answer);
  }
  const queued = await ask("POST", "/enqueue", { body, signal });
  const { job_id: id } = queued.body;
  if (queued.status !== 202 || typeof id !== "string" || !JOB_ID.test(id)) return refused(queued);
  try {
    return await followed(id, { ask, signal, elicit });
  } catch (cause) {
    // The call was taken back, and its job with it. Its own signal has fired, so this request has another one.
    if (signal.aborted) await ask("DELETE", `/result/${id}`, { signal: AbortSignal.timeout(1000) }).catch(() => {});
    throw cause;
  }
}

/** Of a job that one of these tools began, as far as the service says whose it is. */
async function lookedAt({ ask, list }: ProgramServer, args: JsonObject, context: CallContext): Promise<ToolResult> {
  const { job_id: id, ...others } = args;
  if (typeof id !== "string" || !JOB_ID.test(id) || Object.keys(others).length > 0) {
    const message = "give job_id alone, as an earlier answer has it";
    return failed("invalid_request", { message, issues: [{ path: "/job_id", code: "format", message }] });
  }
  const { signal, elicit } = context;
  const found = await ask("GET", `/result/${id}`, { signal });
  const { program } = found.body;
  // A job of another program and one that never was look the same.
  if (found.status !== 200 || typeof program !== "string" || !list.hasProgram(program))
    return failed("job_not_found", { message: "no tool of this server has a job with this id" });
  return followed(id, { ask, signal, elicit }, LOOKS);
}

function faultOf(cause: unknown): ToolResult {
  if (cause instanceof ServerBusy) return failed("server_busy", { message: cause.message });
  if (cause instanceof ServiceAway) return failed("server_unreachable", { message: "the service does not answer" });
  throw cause;
}

function answerOf({ payload, isError }: ToolResult): CallResult {
  return { payload, isError };
}
