/**
 * All sides must agree before anything is timed: every input gives the same result on Weft and the native peer, input 0 the one of the
 * table, and every run takes the table's number of steps. Other peers are held against the same results as they are timed.
 */
import { compiledOn, openHost, runOnce, sourceOf } from "./peers/weft.ts";
import type { Workload } from "./workloads.ts";

/** What is wrong with a workload, one line each. */
export async function faultsOf(workload: Workload, root: string): Promise<string[]> {
  const host = openHost();
  const ir = compiledOn(host, workload.name, sourceOf(root, workload));
  const given = workload.prepare();
  const faults: string[] = [];
  for (let index = 0; index < given.count; index++) {
    const fault = (what: string): void => void faults.push(`${workload.name}, input ${index}: ${what}`);
    const native = JSON.stringify(given.native(index));
    const answer = await runOnce(host, ir, given, index);
    const weft = answer.ok ? JSON.stringify(answer.out) : `error ${answer.error.code}: ${answer.error.message}`;
    if (weft !== native) fault(`Weft gives ${weft}, the native peer ${native}`);
    if (index === 0 && weft !== JSON.stringify(workload.result)) {
      fault(`Weft gives ${weft}, expected was ${JSON.stringify(workload.result)}`);
    }
    if (answer.usage.steps !== workload.steps) fault(`${answer.usage.steps} steps, expected were ${workload.steps}`);
  }
  return faults;
}

/** A result as a text in which the members of an object stand in one order. */
export function inOrder(value: unknown): string {
  const plain = typeof value === "object" && value !== null && !Array.isArray(value);
  return JSON.stringify(plain ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value);
}
