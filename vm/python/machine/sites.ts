/** Which step of the IR an instruction belongs to. */
import type { PyCode, PySite } from "../../../compiler/bytecode/python/code.ts";

export function siteAt({ siteAt: rows, sites }: PyCode, pc: number): PySite | null {
  let low = 0;
  let high = rows.length / 2 - 1;
  let found = -1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((rows[middle * 2] as number) <= pc) {
      found = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  return found < 0 ? null : (sites[rows[found * 2 + 1] as number] ?? null);
}
