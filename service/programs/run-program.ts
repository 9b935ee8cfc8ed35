/** Requests that name a deployment in place of a program: the IR, the defaults and the bounds of its version are filled in before the request is read. */
import type { JsonObject } from "../../compiler/json.ts";
import { keepMerged } from "../../vm/inputs/exact-text.ts";
import { copyNumbers } from "../run/exact-body.ts";
import type { RunPlan } from "../run/plan.ts";
import { isGiven, type ProgramRequest, type ValidatedBody } from "../run/read-request.ts";
import type { Services } from "../services.ts";
import type { EventContext } from "../telemetry/events.ts";
import { ServiceFault } from "../wire/errors.ts";
import type { LoadedProgram } from "./loaded-programs.ts";

/** A request with the program it runs; null: it brought its own. */
export type Resolved<Body> = { readonly asked: ValidatedBody<Body>; readonly program: LoadedProgram | null };

/** Rejects with ServiceFault program_not_found, or code_not_taken for a program that the request brought along. */
export async function resolved<Body extends ProgramRequest>(
  { programs, config }: Pick<Services, "programs" | "config">,
  asked: ValidatedBody<Body>,
): Promise<Resolved<Body>> {
  const { body, fault } = asked;
  const { program: name } = body;
  if (fault === undefined && (isGiven(body.code) || isGiven(body.ir))) checkCodeTaken(config);
  // What is not valid is refused with everything else that is wrong.
  if (typeof name !== "string" || programs === null || fault !== undefined) return { asked, program: null };
  if (isGiven(body.code) || isGiven(body.ir)) return { asked, program: null };
  const program = await programs.named(name);
  return { asked: { body: withProgram(body, program), fault }, program };
}

/** Throws ServiceFault code_not_taken. */
export function checkCodeTaken({ programs: { takesCode } }: Services["config"]): void {
  if (takesCode) return;
  const message = "this service runs deployed programs only (WF_CODE=deployed): name one as program";
  throw new ServiceFault("code_not_taken", message);
}

/** The body as if it had brought the program along. */
function withProgram<Body extends ProgramRequest>(body: Body, { ir, settings }: LoadedProgram): Body {
  const { frame: defaults, label, strict } = settings;
  const filled: Body & { frame?: unknown; frames?: unknown } = {
    ...body,
    program: undefined,
    ir: ir as unknown as JsonObject,
    label: body.label ?? label,
    strict: body.strict ?? (strict === false ? false : undefined),
  };
  if (defaults !== undefined) {
    if (Array.isArray(filled.frames)) filled.frames = filled.frames.map((frame) => withDefaults(defaults, frame));
    else if (!("frames" in filled)) filled.frame = withDefaults(defaults, filled.frame);
  }
  copyNumbers(body, filled);
  return filled;
}

/** A frame with the values of the deployment for what it does not have. */
export function withDefaults(defaults: JsonObject, frame: unknown): JsonObject {
  const given = (frame ?? {}) as JsonObject;
  const filled = { ...defaults, ...given };
  copyNumbers(given, filled);
  keepMerged(filled, defaults, given);
  return filled;
}

/** The plan of a deployed program: it was compiled when it was deployed. */
export function deployedPlan(plan: RunPlan, program: LoadedProgram | null): RunPlan {
  return program === null ? plan : { ...plan, sourceHash: program.sourceHash, cached: true };
}

/** Log events of runs of a deployment name it. */
export function programContext(context: EventContext, program: LoadedProgram | null): EventContext {
  return program === null ? context : { ...context, program: program.name, version: program.version };
}
