/** Runs tests again whenever a file beside them changes, until the user ends it. */
import { type FSWatcher, statSync, watch } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Session } from "../commands/base.ts";
import { CliFault, EXIT } from "../faults.ts";
import { interruptible } from "../interrupt.ts";
import { visible } from "../output/columns.ts";

/** Editors write a file in several steps. */
const SETTLE_MS = 100;

/** `run` prints by itself; what stops it is shown, and the watch goes on. */
export async function watchTests(
  session: Session,
  operands: readonly string[],
  run: () => Promise<number>,
): Promise<number> {
  const { io, screen, cwd } = session;
  const folders = [
    ...new Set((operands.length === 0 ? ["."] : operands).map((operand) => folderOf(resolve(cwd, operand)))),
  ];
  await interruptible(io, async (signal) => {
    while (!signal.aborted) {
      // Watching begins before the run, so that a change during it is not lost.
      const changed = nextChange(session, folders, signal);
      await run().catch((cause: unknown) => {
        if (!(cause instanceof CliFault)) throw cause;
        screen.err(`${screen.errorPaint.error("error")} ${visible(cause.message)}\n`);
      });
      screen.note("waiting for a change; Ctrl-C ends");
      await changed;
    }
  });
  return EXIT.success;
}

function folderOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : dirname(path);
}

function nextChange({ io }: Session, folders: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((settled) => {
    const watchers: FSWatcher[] = [];
    let stop = (): void => undefined;
    const finish = (): void => {
      for (const watcher of watchers) watcher.close();
      stop();
      settled();
    };
    const changed = (_kind: string, name: string | null): void => {
      // Records and rewritten tests arrive under a temporary name first, which begins with a dot.
      if (name?.split("/").some((part) => part.startsWith(".")) === true) return;
      stop();
      stop = io.clock.wait(SETTLE_MS, finish);
    };
    for (const folder of folders) watchers.push(watch(folder, { recursive: true }, changed));
    signal.addEventListener("abort", finish, { once: true });
  });
}
