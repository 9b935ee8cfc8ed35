/** One process from its start to its end: text in, bounded output out. */
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { adapterError } from "../../errors.ts";
import type { Command, ProcessEnd, ProcessService, RunningProcess } from "./service.ts";

export type RunOptions = {
  readonly input: string;
  readonly maxOutputBytes: number;
  /** Its reason is what the call fails with. */
  readonly signal: AbortSignal;
};

export type FinishedProcess = ProcessEnd & {
  readonly stdout: Buffer;
  /** The beginning of it, for the operator's log. */
  readonly stderr: string;
};

/** More than is logged, so that a secret at the edge is whole when it is looked for. */
const MAX_STDERR_BYTES = 16_384;

/**
 * Rejects at once when the signal fires, while the process is still being ended; with ADAPTER_TOO_LARGE beyond the bound.
 */
export async function runProcess(
  service: ProcessService,
  command: Command,
  options: RunOptions,
): Promise<FinishedProcess> {
  const { input, maxOutputBytes, signal } = options;
  const process = await service.start(command, signal);
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      process.stop();
      reject(signal.reason);
    };
    const settled = () => signal.removeEventListener("abort", onAbort);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    const stdout = collected(process.stdout, maxOutputBytes, () => {
      settled();
      process.kill();
      reject(tooMuch(maxOutputBytes));
    });
    const stderr = beginningOf(process.stderr);
    process.stdin.end(input);
    void process.ended.then((end) => {
      settled();
      resolve({ ...end, stdout: Buffer.concat(stdout), stderr: stderr() });
    });
  });
}

function collected(stream: RunningProcess["stdout"], most: number, beyond: () => void): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    if (bytes > most) return;
    bytes += chunk.length;
    if (bytes <= most) chunks.push(chunk);
    else beyond();
  });
  return chunks;
}

/**
 * The text with which a stream begins, as far as it has come. The stream is read to its end, so that a program does not
 * stop at a full pipe.
 */
export function beginningOf(stream: RunningProcess["stderr"]): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    if (bytes < MAX_STDERR_BYTES) chunks.push(chunk.subarray(0, MAX_STDERR_BYTES - bytes));
    bytes += chunk.length;
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

export function tooMuch(maxBytes: number): AdapterError {
  return adapterError(
    "ADAPTER_TOO_LARGE",
    `the program wrote more than ${maxBytes} bytes (max_output_bytes of the tool)`,
  );
}
