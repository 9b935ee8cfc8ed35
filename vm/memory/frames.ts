/**
 * Frames of variables: a call with variables of its own puts the caller's away and begins with its inputs. Values are put away, never
 * copied. Frames that are away count for the size of the run's variables as before.
 */
import type { Json } from "../../compiler/json.ts";
import { charge } from "../tasks/work-meter.ts";
import { unsetSize } from "../values/json-size.ts";
import { bookValue } from "./accounting.ts";
import type { AwayFrame, FrameState } from "./frame-state.ts";

/** The callee begins with the variables in `inputs` set to `values`, and nothing else. */
export function openFrame(m: FrameState, inputs: readonly number[], values: readonly Json[]): void {
  const { V, SZ, OWN, variables } = m;
  const slots: number[] = [];
  const kept: Json[] = [];
  const sizes: number[] = [];
  const marks: number[] = [];
  for (let slot = 0; slot < variables; slot++) {
    const value = V[slot];
    if (value === undefined) continue;
    slots.push(slot);
    kept.push(value);
    sizes.push(SZ[slot] as number);
    marks.push(OWN[slot] as number);
    unset(m, slot);
  }
  const away: AwayFrame = { slots, values: kept, sizes, marks };
  m.frames.push(away);
  charge(m.meter, variables >> 4);
  for (const [at, slot] of inputs.entries()) bookValue(m, slot, values[at] as Json);
}

/** Back to the caller's variables. Those of the callee are forgotten. */
export function closeFrame(m: FrameState): void {
  const away = m.frames.pop();
  if (away === undefined) throw new Error("no frame was opened");
  const { V, SZ, OWN, variables } = m;
  for (let slot = 0; slot < variables; slot++) {
    if (V[slot] === undefined) continue;
    const size = unsetSize(m.names[slot] as string);
    m.frameBytes -= (SZ[slot] as number) - size;
    unset(m, slot);
  }
  for (const [at, slot] of away.slots.entries()) {
    V[slot] = away.values[at] as Json;
    SZ[slot] = away.sizes[at] as number;
    OWN[slot] = away.marks[at] as number;
  }
}

function unset(m: FrameState, slot: number): void {
  m.V[slot] = undefined;
  m.SZ[slot] = unsetSize(m.names[slot] as string);
  m.OWN[slot] = 0;
}
