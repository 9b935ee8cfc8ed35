/**
 * A command line in memory for tests: captured streams, a clock that stands still unless told otherwise, signals on demand.
 * Nothing here starts a process.
 */
import { tmpdir } from "node:os";
import { Readable, Writable } from "node:stream";
import { main } from "../../cli/main.ts";
import type { CliIo, ProcessSignal } from "../../cli/session/io.ts";
import type { Clock } from "../../vm/run.ts";

export type ConsoleOptions = {
  readonly stdin?: string | Uint8Array;
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly terminal?: boolean;
  readonly columns?: number;
  readonly clock?: Clock;
  /** Default: counted ones, the same in each command. */
  readonly uuid?: () => string;
  readonly host?: NonNullable<CliIo["host"]>;
  /** The raw streams of a server that speaks over them. */
  readonly streams?: { readonly input: Readable; readonly output: Writable };
  /** Called with every string written to stdout. */
  readonly onWrite?: (text: string) => void;
  /** Called with every string written to stderr. */
  readonly onComplaint?: (text: string) => void;
  /** Called when the command starts to listen, with the way to send it a signal. */
  readonly onListen?: (send: (signal: ProcessSignal) => void) => void;
};

export type ConsoleResult = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Codes the command asked to leave with at once. */
  readonly left: readonly number[];
};

/** Time stands still; waits end at once, in the next turn of the event loop. */
export const stillClock: Clock = {
  now: () => 0,
  wall: () => Date.UTC(2030, 0, 1),
  wait: (_ms, then) => {
    const turn = setImmediate(then);
    return () => clearImmediate(turn);
  },
};

/** Every reading of the clock is `step` ms later than the one before. */
export function tickingClock(step: number): Clock {
  let time = 0;
  return {
    ...stillClock,
    now: () => {
      time += step;
      return time;
    },
  };
}

export async function wf(argv: readonly string[], options: ConsoleOptions = {}): Promise<ConsoleResult> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const left: number[] = [];
  let uuids = 0;
  const sink = (parts: string[]) => ({
    write: (text: string) => {
      parts.push(text);
      (parts === stdout ? options.onWrite : options.onComplaint)?.(text);
    },
    terminal: options.terminal ?? false,
    columns: options.columns ?? null,
  });
  const io: CliIo = {
    stdin: {
      terminal: options.stdin === undefined,
      read: async (limit) => {
        const given = options.stdin ?? "";
        return (typeof given === "string" ? new TextEncoder().encode(given) : given).subarray(0, limit + 1);
      },
    },
    streams: () =>
      options.streams ?? {
        input: Readable.from([options.stdin ?? ""].map((given) => Buffer.from(given))),
        output: new Writable({
          write: (chunk, _encoding, done) => {
            stdout.push(String(chunk));
            done();
          },
        }),
      },
    stdout: sink(stdout),
    stderr: sink(stderr),
    environment: options.environment ?? {},
    cwd: options.cwd ?? tmpdir(),
    enter: () => {
      throw new Error("a test has one process, and stays where it is");
    },
    nodeVersion: "20.19.0",
    clock: options.clock ?? stillClock,
    uuid:
      options.uuid ??
      (() => {
        uuids += 1;
        return `00000000-0000-4000-8000-${String(uuids).padStart(12, "0")}`;
      }),
    onSignal: (handler) => {
      let listening = true;
      options.onListen?.((signal) => {
        if (listening) handler(signal);
      });
      return () => {
        listening = false;
      };
    },
    leave: (code) => {
      left.push(code);
    },
    ...(options.host === undefined ? {} : { host: options.host }),
  };
  const code = await main(argv, io);
  return { code, stdout: stdout.join(""), stderr: stderr.join(""), left };
}

/** The one document of stdout; fails when there is anything else on it. */
export function documentOf(result: ConsoleResult): Record<string, unknown> {
  const value: unknown = JSON.parse(result.stdout);
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new Error("stdout is not a JSON object");
  return Object.fromEntries(Object.entries(value));
}
