/** Repeats a task whenever a file in the folders of the given files changes, until the user stops it. */
import { resolve } from "node:path";
import { folderOf } from "../input/path-kind.ts";
import { printFault } from "../output/fault.ts";
import { CliFault, CompileFault, EXIT } from "../session/faults.ts";
import { interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";
import { watchFolders } from "./watch-folders.ts";

/** Editors write a file in several steps. */
const SETTLE_MS = 100;

/** Whether a change of this file, by its path in the folder that is watched, is one. */
export type Matters = (path: string) => boolean;

/** Programs and what goes with them: what a run itself writes must not begin the next one. */
export const isSource: Matters = (path) => /\.(?:wf|py)$|(^|\/)wf\.config\.json$/.test(path);

/** `run` prints its own output; an error that stops it is shown, and watching continues. */
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
    let stop = (): void => undefined;
    let close = (): void => undefined;
    const finish = (): void => {
      close();
      stop();
      settled();
    };
    const changed = (name: string | null): void => {
      // Whatever is written whole arrives under a temporary name first, which begins with a dot.
      if (name?.split("/").some((part) => part.startsWith(".")) === true) return;
      if (name !== null && !matters(name)) return;
      stop();
      stop = io.clock.wait(SETTLE_MS, finish);
    };
    close = watchFolders(folders, changed);
    signal.addEventListener("abort", finish, { once: true });
  });
}
