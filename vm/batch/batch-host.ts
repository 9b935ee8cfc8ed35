/**
 * The part of a host that runs one compiled program with many frames, and no more: a thread of a batch compiles nothing, and the compiler
 * with its parser would take a third of the thread's memory.
 */
import type { Ir } from "../../compiler/ir/graph.ts";
import { createLimiter } from "../grant/limits.ts";
import { rowInputsOf } from "../inputs/check-inputs.ts";
import { givenAdapters, givenIr, givenLabel } from "../inputs/request-invalid.ts";
import { FRAME_CEILING, QUANTUM } from "../machine/machine.ts";
import { defaultTotal, FrameShare } from "../memory/shared-budget.ts";
import type { RunError } from "../run.ts";
import { Programs, resolveLabel } from "../runs/programs.ts";
import type { HostDeps, HostRunRequest } from "../runs/requests.ts";
import { type RunnerOptions, withSource } from "../runs/runner.ts";
import { type TierUse, tierPolicyOf } from "../tier/policy.ts";
import { keepShapes } from "../v8/warm-shapes.ts";
import { createFrameRunner, type FrameRunner } from "./frame-runner.ts";

/** A program that is run with one frame after the other. */
export type HostBatchRequest = Pick<
  HostRunRequest,
  "ir" | "label" | "inputs" | "limits" | "allowedAdapters" | "adapters" | "dryRun" | "allowEnv" | "observer" | "outText"
> & {
  /** Adds to the error of a failed run what the caller knows of it. */
  readonly explain?: (error: RunError) => RunError;
};

/** Besides batches it has what other runs of the same host share with them. */
export type BatchHost = Omit<RunnerOptions, "server"> & {
  readonly tier: TierUse;
  /** Settles everything but the frame. Throws FatalFailure of a load code, and RequestInvalid. */
  batch(request: HostBatchRequest): FrameRunner;
};

/** The id of the label that a run begins with; a reference that names none is given as it is, for the loader to refuse. */
export function entryOf(ir: Ir, label: string | undefined): string | null {
  return label === undefined ? ir.entry : (resolveLabel(ir, label).id ?? label);
}

/** A host for batches of programs that are compiled already. */
export function createBatchHost(given: HostDeps): BatchHost {
  const { frameCeilingBytes = FRAME_CEILING } = given;
  const frames = new FrameShare(given.framesTotalBytes ?? defaultTotal(frameCeilingBytes));
  const deps = { ...given, frames };
  const { quantum = QUANTUM, serverLimits: server = {} } = deps;
  const idle = { deps, traceId: "", limits: {}, allowed: null, trace: null, signal: undefined, quantum };
  keepShapes();
  const tier = tierPolicyOf(deps, { quantum, frameCeiling: frameCeilingBytes });
  const programs = new Programs(idle, tier);
  const limitsOf = createLimiter(server);
  const turn = deps.turn ?? ((then: () => void): void => void setImmediate(then));

  return {
    deps,
    frames,
    programs,
    tier: tier === null ? "none" : "generated",
    limitsOf,
    quantum,
    turn,
    batch(request) {
      const { dryRun = false, adapters, allowEnv, observer, outText = false, explain = (error) => error } = request;
      const ir = givenIr(request.ir);
      const label = givenLabel(request.label);
      const { limits, asked } = limitsOf(request.limits ?? {});
      const { machines, inputs, short } = programs.load(ir, entryOf(ir, label));
      const mode = request.inputs ?? "strict";
      const allowed = givenAdapters(request.allowedAdapters);
      return createFrameRunner({
        code: machines.code,
        machines,
        short: deps.isolate === undefined ? short : null,
        tier: tier === null ? null : "auto",
        rowInputs: rowInputsOf(ir, entryOf(ir, label)),
        inputs: inputs === null || mode === "checked" ? null : { check: inputs.check, strict: mode === "strict" },
        machine: { deps, limits, quantum, adapters, dryRun, allowEnv, observer, allowed, outText },
        turn,
        traceId: deps.traceId,
        explain: (error) => explain(withSource(error, server, asked)),
      });
    },
  };
}
