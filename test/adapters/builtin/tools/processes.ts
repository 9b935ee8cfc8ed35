/** What tests ask of processes: when a program has said where it is, and when it is gone. */
import { once } from "node:events";
import { watch } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as passed } from "node:timers/promises";

/** The number that a program writes into `file`, as soon as it has. */
export async function pidIn(file: string): Promise<number> {
  const watcher = watch(dirname(file));
  try {
    for (;;) {
      // Watched before it is read, so that no change is missed.
      const changed = once(watcher, "change");
      const pid = Number(await readFile(file, "utf8").catch(() => "0"));
      if (pid > 0) return pid;
      await changed;
    }
  } finally {
    watcher.close();
  }
}

/** Settles when the process is gone; a zombie counts as gone. */
export async function gone(pid: number): Promise<void> {
  while (await runs(pid)) await passed(5);
}

export async function runs(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") X");
  return !/\) [ZX]/.test(stat);
}
