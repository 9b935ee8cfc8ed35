/**
 * The one place that knows the SDK: the MCP conversation over a pair of streams, hidden by plain functions. Its protocol class, the
 * one below its servers, matches answers, cancellations and progress to requests; reading lines and every method are ours, so that
 * bounds, error codes and results are too. The server class would bring a JSON Schema validator along, which takes a sixth of the start.
 */

import type { Readable, Writable } from "node:stream";
import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ElicitResultSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  type Notification,
  type Request,
  type Result,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import { isObject } from "../../compiler/json.ts";
import { documentText, heldOutText, textWith } from "../../vm/inputs/exact-text.ts";
import type { LostDigits } from "../../vm/values/exact-numbers.ts";
import { lineSafe } from "../../vm/values/json-line.ts";
import { BATCH_VERSION, Batches } from "../protocol/batches.ts";
import { ProtocolFault } from "../protocol/fault.ts";
import { createLineSplitter, errorAnswer, isId, lostDigitsOf, readLine } from "../protocol/json-rpc.ts";
import { textPayload } from "./findings.ts";
import { structureIn } from "./text-arguments.ts";

type JsonMembers = { readonly [name: string]: unknown };

export type ToolListing = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonMembers;
  readonly outputSchema: JsonMembers;
  readonly annotations: JsonMembers;
};
export type ResourceListing = {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
};
export type Progress = { readonly progress: number; readonly total?: number; readonly message?: string };
/** What a user is asked by the client (elicitation in form mode). */
export type Elicited = {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: "object";
    readonly properties: JsonMembers;
    readonly required: readonly string[];
  };
};
/** Rejects when the client cannot ask after all, or the call is cancelled. `signal`: the question is taken back. */
export type Elicit = (
  asked: Elicited,
  signal: AbortSignal,
) => Promise<{ readonly action: "accept" | "decline" | "cancel"; readonly content?: unknown }>;

export type CallContext = {
  /** Aborted when the client cancels or goes away; nothing is answered then. */
  readonly signal: AbortSignal;
  /** null: the client asked for none. */
  readonly progress: ((progress: Progress) => void) | null;
  /** null: the client cannot ask its user. */
  readonly elicit: Elicit | null;
  /** Whole numbers of the arguments that lost digits when they were read; paths begin at the arguments. */
  readonly lostDigits?: readonly LostDigits[];
  /** The text of the argument `frame`, where it says more than the value. */
  readonly frameText?: string | undefined;
};
export type CallResult = {
  readonly payload: JsonMembers;
  readonly isError: boolean;
  readonly meta?: JsonMembers;
};

/** What a server offers. Handlers throw ProtocolFault for faults of the protocol. */
export type McpHandlers = {
  readonly info: { readonly name: string; readonly version: string };
  readonly instructions: string;
  listTools(): readonly ToolListing[];
  /** Calls `changed` when the list of tools is another one. Returns the way to stop. Absent: it never changes. */
  readonly watchTools?: (changed: () => void) => () => void;
  callTool(name: string, args: JsonMembers, context: CallContext): Promise<CallResult>;
  listResources(): readonly ResourceListing[];
  readResource(uri: string): Promise<{ readonly mimeType: string; readonly text: string }>;
};

export type StdioOptions = {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxLineBytes: number;
  /** Receives problems of the protocol layer: invalid notifications, responses that could not be sent. */
  readonly noticed: (message: string) => void;
};

export type StdioServer = {
  /** Resolves when the input has ended. */
  readonly ended: Promise<void>;
  /** Resolves when no request is under way. */
  idle(): Promise<void>;
  /** Cancels what is under way; nothing is answered any more. */
  close(): Promise<void>;
};

/** What the server offers never depends on what the client can do, so there is nothing to assert. */
class Conversation extends Protocol<Request, Notification, Result> {
  protected assertCapabilityForMethod(): void {}
  protected assertNotificationCapability(): void {}
  protected assertRequestHandlerCapability(): void {}
  protected assertTaskCapability(): void {}
  protected assertTaskHandlerCapability(): void {}
}

const RESOURCES = { listChanged: false, subscribe: false } as const;

/** Serves one conversation. */
export async function createStdioServer(handlers: McpHandlers, options: StdioOptions): Promise<StdioServer> {
  const server = new Conversation();
  server.onerror = (fault) => options.noticed(fault.message);
  // The SDK forgets a request whose id is used again while it runs; it must end with the rest all the same.
  const closing = new AbortController();
  let pending = 0;
  let version: unknown = null;
  let canAsk = false;
  let whenIdle: (() => void)[] = [];
  server.fallbackRequestHandler = async ({ method, params = {} }, extra) => {
    const token = extra._meta?.progressToken;
    const notify = (progress: Progress): void => {
      const sent = extra.sendNotification({
        method: "notifications/progress",
        params: { progressToken: token ?? 0, ...progress },
      });
      sent.catch((fault: unknown) => options.noticed(String(fault)));
    };
    const elicit = (asked: Elicited, cancelled: AbortSignal) =>
      extra.sendRequest({ method: "elicitation/create", params: { ...asked } }, ElicitResultSchema, {
        signal: AbortSignal.any([cancelled, closing.signal]),
        // People take their time; the run has a limit of its own.
        timeout: LONGEST_MS,
      });
    pending += 1;
    try {
      const result = await answer(handlers, method, params, {
        signal: AbortSignal.any([extra.signal, closing.signal]),
        progress: token === undefined ? null : notify,
        elicit: canAsk ? (asked, signal) => elicit(asked, AbortSignal.any([extra.signal, signal])) : null,
      });
      if (method === "initialize") {
        version = result["protocolVersion"];
        canAsk = asksInForms(params["capabilities"]);
      }
      return result;
    } finally {
      pending -= 1;
      // The answer is sent in the turns that follow.
      if (pending === 0) setImmediate(() => settle());
    }
  };
  const settle = (): void => {
    if (pending > 0) return;
    for (const resolve of whenIdle) resolve();
    whenIdle = [];
  };
  const transport = createTransport(options, () => version === BATCH_VERSION);
  await server.connect(transport);
  const stopWatching = handlers.watchTools?.(() => {
    // Before the handshake a client expects nothing.
    if (version === null) return;
    const sent = server.notification({ method: "notifications/tools/list_changed" });
    sent.catch((fault: unknown) => options.noticed(String(fault)));
  });
  return {
    ended: transport.ended,
    idle: () =>
      new Promise((resolve) => {
        whenIdle.push(resolve);
        setImmediate(() => settle());
      }),
    close: async () => {
      stopWatching?.();
      await server.close();
      closing.abort();
    },
  };
}

const LONGEST_MS = 2 ** 31 - 1;

/** Form mode is the one that clients have which name no mode. */
function asksInForms(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities["elicitation"] : undefined;
  return isObject(elicitation) && (Object.keys(elicitation).length === 0 || isObject(elicitation["form"]));
}

async function answer(
  handlers: McpHandlers,
  method: string,
  params: JsonMembers,
  context: CallContext,
): Promise<JsonMembers> {
  switch (method) {
    case "initialize": {
      const { protocolVersion: asked } = params;
      if (typeof asked !== "string")
        throw new ProtocolFault("invalidParams", "Invalid params: protocolVersion must be a text");
      const protocolVersion = SUPPORTED_PROTOCOL_VERSIONS.includes(asked) ? asked : LATEST_PROTOCOL_VERSION;
      const { info: serverInfo, instructions, watchTools } = handlers;
      const capabilities = { tools: { listChanged: watchTools !== undefined }, resources: RESOURCES };
      return { protocolVersion, capabilities, serverInfo, instructions };
    }
    case "tools/list":
      return { tools: handlers.listTools() };
    case "tools/call": {
      const { name, arguments: given } = params;
      // Many clients send this for missing arguments.
      const args = (typeof given === "string" ? structureIn(given) : given) ?? {};
      if (typeof name !== "string") throw new ProtocolFault("invalidParams", "Invalid params: name must be a text");
      if (!isObject(args)) throw new ProtocolFault("invalidParams", "Invalid params: arguments must be an object");
      return toolResult(await handlers.callTool(name, args, { ...context, lostDigits: lostDigitsOf(args) }));
    }
    case "resources/list":
      return { resources: handlers.listResources().map((one) => ({ ...one, annotations: RESOURCE_ANNOTATIONS })) };
    case "resources/templates/list":
      return { resourceTemplates: [] };
    case "resources/read": {
      const { uri } = params;
      if (typeof uri !== "string") throw new ProtocolFault("invalidParams", "Invalid params: uri must be a text");
      return { contents: [{ uri, ...(await handlers.readResource(uri)) }] };
    }
    default:
      throw new ProtocolFault("methodNotFound", "Method not found");
  }
}

/** Maximum size of responses buffered for a client that does not read. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

const UNREADABLE = "Invalid params: _meta or a member of the request has another shape than MCP knows";

const RESOURCE_ANNOTATIONS = { audience: ["assistant"], priority: 0.5 } as const;

/** The payload twice: structured, and as text for models and for clients that know nothing else. Findings are shorter there. */
function toolResult({ payload, isError, meta }: CallResult): JsonMembers {
  return {
    content: [{ type: "text", text: documentText(textPayload(payload)) }],
    structuredContent: payload,
    isError,
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

/** What `JSON.stringify` gives, with the exact text of the value that a tool returns. */
function messageText(message: object): string {
  const { result } = message as { readonly result?: { readonly structuredContent?: unknown } };
  const payload = result?.structuredContent;
  if (result === undefined || !isObject(payload) || heldOutText(payload) === undefined) return JSON.stringify(message);
  const text = textWith(result, new Map([["structuredContent", documentText(payload)]]));
  return textWith(message, new Map([["result", text]]));
}

/** `hasBatches`: the protocol version that was agreed on has them. */
function createTransport(
  options: StdioOptions,
  hasBatches: () => boolean,
): Transport & { readonly ended: Promise<void> } {
  const { input, output, maxLineBytes, noticed } = options;
  let open = true;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
    for (const event of ["end", "close", "error"]) input.once(event, () => resolve());
  });
  // The input is read on whatever happens to the output: only so is its end noticed.
  const write = (message: object): void => {
    if (!open) return;
    output.write(`${lineSafe(messageText(message))}\n`);
    if (output.writableLength <= MAX_UNREAD_BYTES) return;
    noticed("the client does not read its answers");
    open = false;
    end();
  };
  // A request that the SDK cannot read it only notices; who sent it would wait for ever.
  const refusal = (message: JsonMembers): object | null => {
    const { id } = message;
    return isId(id) && !isJSONRPCRequest(message) ? errorAnswer("invalidParams", UNREADABLE, id) : null;
  };
  const batches = new Batches(write);
  const deliver = (message: JsonMembers): void => {
    transport.onmessage?.(message as unknown as JSONRPCMessage);
    batches.noticed(message);
  };
  const take = (message: JsonMembers): void => {
    const refused = refusal(message);
    if (refused === null) deliver(message);
    else write(refused);
  };
  /** Requests of the server that have no answer yet. */
  const asked = new Set<unknown>();
  const split = createLineSplitter(maxLineBytes, {
    line: (bytes) => {
      const read = readLine(bytes, hasBatches());
      if (read.kind === "refused") write(read.answer);
      else if (read.kind === "message") take(read.message);
      else if (read.kind === "response" && asked.delete(read.message["id"])) deliver(read.message);
      else if (read.kind === "batch") batches.take(read.messages, deliver, refusal);
    },
    tooLong: () => write(errorAnswer("invalidRequest", `Invalid Request: a line is longer than ${maxLineBytes} bytes`)),
  });
  const transport: Transport & { readonly ended: Promise<void> } = {
    ended,
    start: async () => {
      input.on("data", split);
    },
    send: async (message) => {
      if ("method" in message && "id" in message) asked.add(message.id);
      if (!batches.answered(message as unknown as JsonMembers)) write(message);
    },
    close: async () => {
      open = false;
      input.off("data", split);
      input.pause();
      transport.onclose?.();
    },
  };
  return transport;
}
