/** A conversation with a server over streams in memory: what a client writes byte by byte, and every line it gets back. */
import { PassThrough } from "node:stream";
import { createStdioServer, type McpHandlers } from "../../mcp/tool/sdk.ts";

export type Message = {
  readonly id?: string | number | null;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly params?: any;
  readonly error?: { readonly code: number; readonly message: string };
};

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: "init",
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
} as const;

export async function converse(handlers: McpHandlers, maxLineBytes = 8 * 1024 * 1024) {
  const input = new PassThrough();
  const output = new PassThrough();
  const noticed: string[] = [];
  const server = await createStdioServer(handlers, {
    input,
    output,
    maxLineBytes,
    noticed: (message) => noticed.push(message),
  });
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  let raw = "";
  let all = "";
  output.on("data", (chunk: Buffer) => {
    all += chunk.toString("utf8");
    raw += chunk.toString("utf8");
    const lines = raw.split("\n");
    raw = lines.pop() ?? "";
    // Anything but a JSON object fails the test here.
    for (const line of lines) messages.push(JSON.parse(line));
    for (const wake of waiting) wake();
  });
  const until = async <T>(find: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
      });
    }
  };
  const write = (text: string | Buffer): void => {
    input.write(text);
  };
  let ids = 0;
  return {
    server,
    messages,
    /** Everything that was written, as it was. */
    text: () => all,
    noticed,
    output,
    write,
    end: () => input.end(),
    send: (message: object) => write(`${JSON.stringify(message)}\n`),
    /** Sends a request and waits for its answer. */
    async ask(method: string, params?: object): Promise<Message> {
      ids += 1;
      const id = ids;
      write(`${JSON.stringify({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) })}\n`);
      return until(() => messages.find((message) => message.id === id));
    },
    answerTo: (id: string | number | null) => until(() => messages.find((message) => message.id === id)),
    /** The first message that fits. */
    answered: (fits: (message: Message) => boolean) => until(() => messages.find(fits)),
    nth: (index: number) => until(() => messages[index]),
  };
}
