/**
 * Ctrl-C: the first signal cancels the work and gives it two seconds to end, and as long as its cleanup may take; the second leaves at once.
 */
import { EXIT } from "./faults.ts";
import type { CliIo, ProcessSignal } from "./io.ts";

const GRACE_MS = 2000;

export type Interruptible<T> = {
  /** null: it did not end within the grace. */
  readonly result: T | null;
  readonly by: ProcessSignal | null;
};

export function exitOf(signal: ProcessSignal): number {
  return signal === "SIGINT" ? EXIT.interrupted : EXIT.terminated;
}

export async function interruptible<T>(
  io: CliIo,
  work: (signal: AbortSignal, cleans: (ms: number) => void) => Promise<T>,
): Promise<Interruptible<T>> {
  const controller = new AbortController();
  const gate: { by: ProcessSignal | null; stop: () => void } = { by: null, stop: () => undefined };
  let giveUp: (value: null) => void = () => undefined;
  const graceOver = new Promise<null>((resolve) => {
    giveUp = resolve;
  });
  const release = io.onSignal((signal) => {
    if (gate.by !== null) return io.leave(exitOf(signal));
    gate.by = signal;
    gate.stop = io.clock.wait(GRACE_MS, () => giveUp(null));
    controller.abort();
  });
  const cleans = (ms: number): void => {
    gate.stop();
    gate.stop = io.clock.wait(GRACE_MS + ms, () => giveUp(null));
  };
  try {
    const result = await Promise.race([work(controller.signal, cleans), graceOver]);
    return { result, by: gate.by };
  } finally {
    gate.stop();
    release();
  }
}
