/** What has to hold before generated code is entered, and what the loop does in between. */
import { Rec } from "../../machine/control-stack.ts";
import { run } from "../../machine/loop.ts";
import type { Machine } from "../../machine/machine.ts";
import { Stop } from "../../machine/slices/stop.ts";
import { Booked } from "../../memory/accounting.ts";
import type { LoopModule } from "./module.ts";
import { Held } from "./translate/states.ts";
import type { Entry } from "./translate/translate.ts";

/** Passes of a loop that generated code can count on from. */
const MAX_COUNT = 2 ** 30;

/** Whether the machine is in front of a block as in an ordinary run: sizes are booked, nothing is repeated or half done. */
export function isPlain(m: Machine): boolean {
  return m.kind === "fast" && m.owed > 0 && !m.exact && m.plans.length === 0 && m.revisited < 0 && !m.spent;
}

/** How generated code is entered at `m.pc`, with its numbers loaded; null: it cannot be. */
export function entryAt(m: Machine, { entries, numbers }: LoopModule): Entry | null {
  const entry = entries.get(m.pc);
  if (entry === undefined || !isPlain(m)) return null;
  const { slots, held, registers } = entry;
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at] as number;
    const value = m.V[slot];
    if (held[at] === Held.Number) {
      if (typeof value !== "number" || !widens(m, slot, Booked.Number)) return null;
      numbers[slot] = value;
    } else if (typeof value !== "boolean" || !widens(m, slot, Booked.Boolean)) return null;
  }
  const first = m.CS[m.sp + Rec.LoopBase] as number;
  for (const register of registers) if ((m.positions[first + register] as number) >= MAX_COUNT) return null;
  return entry;
}

/** Books `size` again where sizes were made exact meanwhile: no verdict depends on it. */
function widens(m: Machine, slot: number, size: number): boolean {
  const more = size - (m.SZ[slot] as number);
  if (more === 0) return true;
  if (m.frameBytes + more > m.frameLimit) return false;
  m.frameBytes += more;
  m.SZ[slot] = size;
  return true;
}

/**
 * The loop does the rest of a block, or the block that is owed, and `steps` more. Null: it is in front of the next block. What fuel
 * is left belongs to the budget meanwhile, so that the meters are right whatever happens.
 */
export function lend(m: Machine, steps: number): Stop | null {
  const kept = Math.max(0, m.fuel - m.owed - steps);
  m.fuel -= kept;
  m.granted -= kept;
  m.rest += kept;
  m.isLent = true;
  const stop = run(m, true);
  if (stop !== Stop.Yielded || m.isLent) {
    m.isLent = false;
    return stop;
  }
  const back = Math.min(kept, m.rest);
  m.fuel += back;
  m.granted += back;
  m.rest -= back;
  return null;
}
