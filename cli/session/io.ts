/**
 * What the command line knows of the process it runs in: streams, environment, folder, signals. `cli/bin.ts` fills it from the
 * real process, tests from memory. Nothing below this folder knows any of it.
 */

import type { Readable, Writable } from "node:stream";
import type { Host } from "../../vm/host.ts";
import type { Clock } from "../../vm/run.ts";

export type TextSink = {
  write(text: string): void;
  readonly terminal: boolean;
  /** Width of the terminal, null without one. */
  readonly columns: number | null;
};

export type ProcessSignal = "SIGINT" | "SIGTERM";

export type CliIo = {
  readonly stdin: {
    readonly terminal: boolean;
    /** Everything up to the end, or one byte more than `limit` when there is more. */
    read(limit: number): Promise<Uint8Array>;
  };
  /** The raw streams, for a server that speaks over them. */
  streams(): { readonly input: Readable; readonly output: Writable };
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Makes a folder the working one of the process, for what resolves paths there by itself. */
  enter(folder: string): void;
  readonly nodeVersion: string;
  readonly clock: Clock;
  readonly uuid: () => string;
  /** Calls `handler` for every SIGINT and SIGTERM until the returned function is called. */
  onSignal(handler: (signal: ProcessSignal) => void): () => void;
  /** Ends the process at once; only the second signal does this. */
  leave(code: number): void;
  /** Tests give a host of their own. */
  readonly host?: Host;
};
