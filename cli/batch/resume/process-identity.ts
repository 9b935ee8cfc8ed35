/** Which process a number stands for: numbers are given again, and in containers the first one always has the same. */
import { readFileSync } from "node:fs";
import * as z from "zod/mini";

/** `started`: in ticks since the machine was started. */
export const ProcessIdentity = z.object({ pid: z.number(), started: z.string() });
export type ProcessIdentity = z.output<typeof ProcessIdentity>;

/** What follows the name of the program, which may hold anything: the state comes first, the time of the start is the twentieth. */
const START_FIELD = 19;

/** Undefined for a process that has ended, and where the system does not tell: Linux alone does. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  try {
    const facts = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = facts.slice(facts.lastIndexOf(")") + 2).split(" ");
    const started = fields[START_FIELD];
    return started === undefined || /^[ZX]$/.test(fields[0] ?? "") ? undefined : { pid, started };
  } catch {
    return undefined;
  }
}
