/** Does something again whenever a file beside what was named changes, until the user ends it. */
import { type FSWatcher, watch } from "node:fs";
import { resolve } from "node:path";
import type { Session } from "./commands/base.ts";
import { CliFault, CompileFault, EXIT } from "./faults.ts";
import { interruptible } from "./interrupt.ts";
import { printFault } from "./output/fault.ts";
import { folderOf } from "./path-kind.ts";

/** Editors write a file in several steps. */
const SETTLE_MS = 100;

/** Whether a change of this file, by its path in the folder that is watched, is one. */
export type Matters = (path: string) => boolean;

/** Programs and what goes with them: what a run itself writes must not begin the next one. */
export const isSource: Matters = (path) => /\.wf$|(^|\/)wf\.config\.json$/.test(path);

/** `run` prints by itself; what stops it is shown, and the watch goes on. */
export async function watchFiles(
  session: Session,
  operands: readonly string[],
  run: () => Promise<number>,
  matters: Matters = () => true,
): Promise<number> {
  const { io, screen, cwd, environment } = session;
  const folders = [
    ...new Set((operands.length === 0 ? ["."] : operands).map((operand) => folderOf(resolve(cwd, operand)))),
  ];
  await interruptible(io, async (signal) => {
    while (!signal.aborted) {
      // Watching begins before the run, so that a change during it is not lost.
      const changed = nextChange(session, folders, matters, signal);
      await run().catch((cause: unknown) => {
        if (!(cause instanceof CliFault || cause instanceof CompileFault)) throw cause;
        printFault(cause, io, environment, screen);
      });
      screen.note("waiting for a change; Ctrl-C ends");
      await changed;
    }
  });
  return EXIT.success;
}

function nextChange({ io }: Session, folders: readonly string[], matters: Matters, signal: AbortSignal): Promise<void> {
  return new Promise((settled) => {
    const watchers: FSWatcher[] = [];
    let stop = (): void => undefined;
    const finish = (): void => {
      for (const watcher of watchers) watcher.close();
      stop();
      settled();
    };
    const changed = (_kind: string, name: string | null): void => {
      // Whatever is written whole arrives under a temporary name first, which begins with a dot.
      if (name?.split("/").some((part) => part.startsWith(".")) === true) return;
      if (name !== null && !matters(name)) return;
      stop();
      stop = io.clock.wait(SETTLE_MS, finish);
    };
    for (const folder of folders) watchers.push(watch(folder, { recursive: true }, changed));
    signal.addEventListener("abort", finish, { once: true });
  });
}
