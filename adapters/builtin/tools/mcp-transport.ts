/**
 * The connection of an MCP client to a server that runs as a child process of the host: one JSON message per line.
 * Takes the place of the SDK's own transport, which starts processes without a group and with more of the environment.
 */
import type { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { tooMuch } from "../../engine/process/run.ts";
import type { RunningProcess } from "../../engine/process/service.ts";
import { adapterError } from "../../errors.ts";

/** The SDK's framing, which is loaded with the SDK. */
export type Framing = {
  readonly ReadBuffer: new (options: { readonly maxBufferSize: number }) => ReadBuffer;
  readonly serializeMessage: typeof serializeMessage;
};

export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #server: RunningProcess;
  readonly #framing: Framing;
  readonly #buffer: ReadBuffer;
  readonly #fail: (error: Error) => void;
  readonly #maxBytes: number;
  #left: number;

  /** `fail` is called when the server breaks the protocol; the server may write at most `maxBytes`. */
  constructor(server: RunningProcess, framing: Framing, maxBytes: number, fail: (error: Error) => void) {
    this.#server = server;
    this.#framing = framing;
    this.#buffer = new framing.ReadBuffer({ maxBufferSize: maxBytes });
    this.#fail = fail;
    this.#left = maxBytes;
    this.#maxBytes = maxBytes;
  }

  async start(): Promise<void> {
    this.#server.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    void this.#server.ended.then(() => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#server.stdin.write(this.#framing.serializeMessage(message));
  }

  async close(): Promise<void> {
    this.#server.stdin.end();
    this.#server.stop();
  }

  #read(chunk: Buffer): void {
    this.#left -= chunk.length;
    if (this.#left < 0) {
      this.#fail(tooMuch(this.#maxBytes));
      this.#server.kill();
      return;
    }
    try {
      this.#buffer.append(chunk);
      for (let message = this.#buffer.readMessage(); message !== null; message = this.#buffer.readMessage()) {
        this.onmessage?.(message);
      }
    } catch (cause) {
      this.#fail(adapterError("ADAPTER_BAD_DATA", "the MCP server wrote something that is not a message", { cause }));
    }
  }
}
