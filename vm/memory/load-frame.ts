/** Puts the caller's frame into the variables of a machine, and notices on the way what is not what the program declares. */
import type { Program } from "../../compiler/bytecode/program.ts";
import { type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { type InputShape, SHAPE } from "../inputs/check-inputs.ts";
import { unsetSize } from "../values/json-size.ts";
import { bookedSize, exactSize } from "./accounting.ts";
import { adopt } from "./copy-in.ts";

/** What a machine has without such keys. It carries its size: nothing can be noted in it. */
export const NO_EXTRA = Object.freeze(adopt({})) as JsonObject;

/** The part of a machine that takes a frame. */
export type FrameLoad = {
  readonly program: Pick<Program, "slots">;
  /** Values, and their booked sizes, by slot. */
  readonly V: (Json | undefined)[];
  readonly SZ: Float64Array;
  /** The caller's keys that the program never names. */
  extra: JsonObject;
  frameBytes: number;
  /** The frame is perhaps not what the program declares (`InputShape`). */
  misfit: boolean;
};

/**
 * Sets `misfit` of the machine. `shape`: of the declared inputs; null: the frame is not looked at. `isAdopted`: it is a copy already, whose
 * containers carry their sizes.
 */
export function loadFrame(m: FrameLoad, frame: JsonObject, shape: InputShape | null, isAdopted = false): void {
  const { slots } = m.program;
  let required = shape === null ? 0 : shape.required;
  let misfit = false;
  for (const key of Object.keys(frame)) {
    const given = frame[key];
    // A member without value is as good as absent.
    if (given === undefined) continue;
    const value = isAdopted ? given : adopt(given);
    const slot = slots.get(key);
    if (slot === undefined) {
      if (m.extra === NO_EXTRA) m.extra = {};
      setMember(m.extra as { [key: string]: Json }, key, value);
      m.frameBytes += exactSize(value) - unsetSize(key);
      misfit = true;
      continue;
    }
    if (shape !== null) {
      const code = shape.codes[slot] as number;
      if (code >= SHAPE.required) required -= 1;
      if (!fits(code & TYPE_CODE, value)) misfit = true;
    }
    const size = bookedSize(value);
    m.frameBytes += size - (m.SZ[slot] as number);
    m.SZ[slot] = size;
    m.V[slot] = value;
  }
  m.misfit = shape !== null && (misfit || required > 0);
}

const TYPE_CODE = SHAPE.required - 1;

/** Whether a value is one of the type of an input's code. */
function fits(code: number, value: Json): boolean {
  if (code === SHAPE.number) return typeof value === "number";
  if (code === SHAPE.text) return typeof value === "string";
  if (code === SHAPE.boolean) return typeof value === "boolean";
  return code === SHAPE.any;
}
