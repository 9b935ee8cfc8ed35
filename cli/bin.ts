#!/usr/bin/env node
/** The process around the command line: real streams, clock, signals, exit code. The only file here that reads `process`. */
import { randomUUID } from "node:crypto";
import { systemClock } from "../adapters/engine/system-clock.ts";
import { keepCompiledCode } from "./session/compiled-code.ts";
import { shortageFault } from "./session/faults.ts";
import type { CliIo, TextSink } from "./session/io.ts";
import { versionLine } from "./session/version.ts";

function sinkOf(stream: NodeJS.WriteStream): TextSink {
  return {
    write: (text) => {
      stream.write(text);
    },
    terminal: stream.isTTY === true,
    // A terminal that does not know its width says 0.
    columns: stream.isTTY === true && stream.columns > 0 ? stream.columns : null,
  };
}

async function readStdin(limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of process.stdin) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk);
    chunks.push(bytes.subarray(0, limit + 1 - total));
    total += bytes.length;
    if (total > limit) break;
  }
  return Buffer.concat(chunks);
}

const io: CliIo = {
  stdin: {
    get terminal() {
      return process.stdin.isTTY === true;
    },
    read: readStdin,
  },
  streams: () => ({ input: process.stdin, output: process.stdout }),
  stdout: sinkOf(process.stdout),
  stderr: sinkOf(process.stderr),
  environment: process.env,
  // Asked when a path is resolved: what needs no folder works where it was deleted, too.
  get cwd() {
    return process.cwd();
  },
  enter: (folder) => process.chdir(folder),
  nodeVersion: process.versions.node,
  clock: systemClock,
  uuid: () => randomUUID(),
  onSignal: (handler) => {
    const interrupt = () => handler("SIGINT");
    const terminate = () => handler("SIGTERM");
    process.on("SIGINT", interrupt);
    process.on("SIGTERM", terminate);
    return () => {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", terminate);
    };
  },
  leave: (code) => process.exit(code),
};

/** `wf … | head` closes the pipe early; that is not an error. A full disk is: the output is incomplete. */
function leaveUnread(fault: Error): never {
  const code = "code" in fault ? fault.code : null;
  if (code === "EPIPE") process.exit(0);
  process.stderr.write(`error output_error  standard output cannot be written${code === null ? "" : ` (${code})`}\n`);
  process.exit(2);
}
process.stdout.on("error", leaveUnread);
process.stderr.on("error", () => undefined);

// Outside of any command only a defect can throw, and a system that opens no more files.
process.on("uncaughtException", (cause) => {
  const shortage = shortageFault(cause);
  if (shortage !== null) {
    process.stderr.write(`error ${shortage.error}  ${shortage.message}\n`);
    process.exit(shortage.exitCode);
  }
  process.stderr.write(`internal error ${randomUUID()}; please report\n`);
  if (process.env["WF_DEBUG"] === "1") process.stderr.write(`${cause.stack ?? cause.message}\n`);
  process.exit(70);
});

// NO_COLOR wins here. Node believes the other, and writes so to stderr when clipanion asks for the colours of the terminal.
if (process.env["NO_COLOR"]) delete process.env["FORCE_COLOR"];

// Scripts wait for the version, so it is printed before anything else is loaded (`main` can print it too).
const argv = process.argv.slice(2);
const code = argv.length === 1 && argv[0] === "--version" ? tellVersion() : await start(argv);

function tellVersion(): number {
  io.stdout.write(`${versionLine(io.nodeVersion)}\n`);
  return 0;
}

async function start(words: readonly string[]): Promise<number> {
  keepCompiledCode(io.environment, process.getuid?.());
  if (words.length === 1 && words[0] === "mcp" && hasWorkingFolder())
    return (await import("./mcp-server.ts")).serveAgents(io, io.environment);
  const { main } = await import("./main.ts");
  return main(words, io);
}

function hasWorkingFolder(): boolean {
  try {
    return io.cwd !== "";
  } catch {
    return false;
  }
}

// A pipe takes its time: leave only after everything is written, and do not wait for adapters that hang. What a file did not take is
// known here before the stream says so.
process.stdout.write("", () => {
  if (process.stdout.errored) leaveUnread(process.stdout.errored);
  process.stderr.write("", () => process.exit(code));
});
