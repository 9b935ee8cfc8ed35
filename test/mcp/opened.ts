/** A server in memory for tests: started from variables as in a process, without a process; its tools are called directly. */
import type { RuntimeOptions } from "../../adapters/runtime.ts";
import { createHandlers } from "../../mcp/server.ts";
import type { McpServices } from "../../mcp/services.ts";
import { start } from "../../mcp/start.ts";
import type { Progress } from "../../mcp/tool/sdk.ts";
import type { Clock } from "../../vm/run.ts";

export type OpenOptions = {
  readonly variables?: Readonly<Record<string, string>>;
  readonly runtime?: Partial<RuntimeOptions>;
  readonly services?: Partial<McpServices>;
  readonly clock?: Clock;
};

/** What a tool answered, as plain data. */
export type Called = {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly payload: any;
  readonly traceId: unknown;
};

export const realClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  wait: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

export type OpenedServer = Awaited<ReturnType<typeof openServer>>;

export async function openServer({ variables = {}, runtime = {}, services = {}, clock = realClock }: OpenOptions = {}) {
  const lines: string[] = [];
  let ids = 0;
  const uuid = (): string => {
    ids += 1;
    return `00000000-0000-4000-8000-${String(ids).padStart(12, "0")}`;
  };
  const started = await start({ variables, clock, uuid, complain: (line) => lines.push(line) }, runtime);
  const all: McpServices = { ...started.services, ...services };
  const handlers = createHandlers(all);
  return {
    handlers,
    services: all,
    warnings: started.warnings,
    close: () => started.runtime.close(),
    /** Lines of the log, parsed. */
    log: (): { readonly [name: string]: unknown }[] => lines.map((line) => JSON.parse(line)),
    names: (): string[] => handlers.listTools().map(({ name }) => name),
    async call(
      name: string,
      args: object = {},
      context: { readonly signal?: AbortSignal; readonly progress?: (progress: Progress) => void } = {},
    ): Promise<Called> {
      const { signal = new AbortController().signal, progress = null } = context;
      const { payload, isError, meta } = await handlers.callTool(name, args as Record<string, unknown>, {
        signal,
        elicit: null,
        progress,
      });
      return { payload: JSON.parse(JSON.stringify(payload)), isError, traceId: meta?.["trace_id"] };
    },
  };
}

export const HELLO = "L1:\n  R core.ADD 2 3 ->x\n  J x\n";
/** Never comes to an end by itself. */
export const ENDLESS = "L1:\n  While true ->L2 ->L3 limit=1000000000\nL2:\n  Set x 1\n  J null\nL3:\n  J x\n";
