/** Frames of requests against what their program declares, before anything runs or is queued (docs/http.md, inputs). */
import type { JsonObject } from "../../compiler/json.ts";
import { checkInputs, InputInvalid, inputCheckOf } from "../../vm/inputs/check-inputs.ts";
import { ServiceFault } from "../wire/errors.ts";
import type { RunPlan } from "./plan.ts";
import type { ProgramRequest } from "./read-request.ts";

/** The plan with the warnings about the frame. Throws ServiceFault input_invalid. `root`: pointer of the frame in the body. */
export function checkedFrame(
  plan: RunPlan,
  { strict }: Pick<ProgramRequest, "strict">,
  frame: JsonObject,
  root = "/frame",
): RunPlan {
  const warnings = frameWarnings(plan, { strict }, frame, root);
  return warnings.length === 0 ? plan : { ...plan, warnings: [...plan.warnings, ...warnings] };
}

/** The warnings about a frame. Throws ServiceFault input_invalid. */
export function frameWarnings(
  { prepared, entry }: Pick<RunPlan, "prepared" | "entry">,
  { strict }: Pick<ProgramRequest, "strict">,
  frame: JsonObject,
  root: string,
): readonly string[] {
  try {
    return checkInputs(prepared.ir, entry, frame, (strict ?? true) ? "strict" : "loose", root);
  } catch (cause) {
    if (!(cause instanceof InputInvalid)) throw cause;
    throw new ServiceFault("input_invalid", cause.message, { issues: cause.issues });
  }
}

/** Whether the program declares inputs at all. */
export function declaresInputs({ prepared, entry }: Pick<RunPlan, "prepared" | "entry">): boolean {
  return inputCheckOf(prepared.ir, entry) !== null;
}
