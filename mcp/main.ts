/**
 * The MCP server as a process: environment, streams, signals, exit code. This is the entry that the command line loads on demand; what it
 * offers besides serving needs no protocol and does not load it.
 */

import type { Readable, Writable } from "node:stream";
import { format } from "node:util";
import * as z from "zod/mini";
import { StartFault } from "../adapters/operator/start-fault.ts";
import { startFacts } from "../adapters/plugins/open.ts";
import type { RuntimeOptions } from "../adapters/runtime.ts";
import { RUNTIME_VERSION } from "../vm/version.ts";
import { type ProgramsAsked, programsServer } from "./deployed/open.ts";
import type { McpServices } from "./services.ts";
import { describeServer, type Started, type StartIo, start } from "./start.ts";
import type { McpHandlers, StdioServer } from "./tool/sdk.ts";

export { importHosts } from "./config.ts";
export { createDocumentFetcher } from "./documents/fetch.ts";
export { convert, findDocument, isAddress, nameOf, typeOfPreset } from "./documents/import-document.ts";
export { hostEntry, mergedHostConfig } from "./host-entry.ts";
export { EXPOSURE_PROFILES } from "./tool/exposure.ts";

/** What the server needs of the process it runs in. */
export type McpIo = StartIo & {
  readonly input: Readable;
  readonly output: Writable;
  onSignal(handler: (signal: string) => void): () => void;
  /** Ends the process at once. */
  leave(code: number): void;
};

const EXIT_FAULT = 2;
/** After the input ended: time for answers under way, and for adapters to let go. */
const LAST_ANSWERS_MS = 300;
const CLOSE_MS = 300;
const LEAVE_MS = 900;

/** Serves until the input ends or a signal comes; resolves with the exit code. */
export async function serveMcp(io: McpIo, overrides: Partial<RuntimeOptions> = {}): Promise<number> {
  // Before anything is loaded: a plugin may print while it is imported.
  const restoreConsole = consoleTo(io.complain);
  try {
    const started = await start(io, overrides);
    await started.runtime.prepareStores();
    return await serve(io, started);
  } catch (cause) {
    if (!(cause instanceof StartFault)) throw cause;
    io.complain(`wf mcp: ${cause.message}\n`);
    return EXIT_FAULT;
  } finally {
    restoreConsole();
  }
}

/** Exposure and grant of a server with this environment, without serving. */
export async function describeMcp(io: StartIo) {
  try {
    const { services, runtime, warnings } = await start(io);
    await runtime.close();
    return { ok: true as const, server: { ...describeServer(services), warnings } };
  } catch (cause) {
    if (cause instanceof StartFault) return { ok: false as const, message: cause.message };
    throw cause;
  }
}

async function serve(io: McpIo, { services, runtime, warnings }: Started): Promise<number> {
  // Compiling the protocol's schemas to code takes longer than a conversation can win back.
  z.config({ jitless: true });
  const { log } = services;
  const { createHandlers } = await import("./server.ts");
  const server = await stdioServer(io, createHandlers(services), services);
  for (const message of warnings) log.write("warn", "start_warning", { message });
  log.write("info", "server_start", { version: RUNTIME_VERSION, ...describeServer(services) });
  for (const plugin of runtime.plugins) log.write("info", "plugin_loaded", startFacts(plugin));
  await untilEnd(io, server, services, () => runtime.close());
  return 0;
}

async function stdioServer(
  { input, output }: McpIo,
  handlers: McpHandlers,
  { log, config }: Pick<McpServices, "log"> & { readonly config: { readonly maxLineBytes: number } },
): Promise<StdioServer> {
  const { createStdioServer } = await import("./tool/sdk.ts");
  return createStdioServer(handlers, {
    ...{ input, output },
    maxLineBytes: config.maxLineBytes,
    noticed: (message) => log.write("debug", "protocol_notice", { message }),
  });
}

async function untilEnd(
  io: McpIo,
  server: StdioServer,
  { clock, log }: Pick<McpServices, "clock" | "log">,
  close: () => Promise<void>,
): Promise<void> {
  const reason = await firstEnd(io, server);
  // Whatever hangs from here on, the process ends in time.
  clock.wait(LEAVE_MS, () => io.leave(0));
  const within = (work: Promise<void>, ms: number): Promise<void> =>
    Promise.race([work, new Promise<void>((resolve) => clock.wait(ms, resolve))]);
  if (reason === "input_ended") await within(server.idle(), LAST_ANSWERS_MS);
  await server.close();
  await within(close(), CLOSE_MS);
  log.write("info", "server_stop", { reason });
}

/** The second server: the programs of a service as tools. Resolves with the exit code. */
export async function serveProgramTools(io: McpIo, asked: ProgramsAsked): Promise<number> {
  const restoreConsole = consoleTo(io.complain);
  try {
    z.config({ jitless: true });
    const opened = await programsServer(io, asked);
    const server = await stdioServer(io, opened.handlers, opened);
    opened.log.write("info", "server_start", { version: RUNTIME_VERSION, tools: opened.tools() });
    await untilEnd(io, server, opened, async () => {});
    return 0;
  } catch (cause) {
    if (!(cause instanceof StartFault)) throw cause;
    io.complain(`wf mcp: ${cause.message}\n`);
    return EXIT_FAULT;
  } finally {
    restoreConsole();
  }
}

/** The client went away, or somebody wants the process to end. */
async function firstEnd(io: McpIo, server: StdioServer): Promise<string> {
  let forget = (): void => {};
  const signalled = new Promise<string>((resolve) => {
    forget = io.onSignal(resolve);
  });
  const ended = server.ended.then(() => "input_ended");
  return Promise.race([ended, signalled]).finally(() => forget());
}

/** The output belongs to the protocol: what libraries print goes to the log. */
function consoleTo(complain: (text: string) => void): () => void {
  const { log, info, debug } = console;
  const print = (...args: readonly unknown[]): void => complain(`${format(...args)}\n`);
  Object.assign(console, { log: print, info: print, debug: print });
  return () => Object.assign(console, { log, info, debug });
}
