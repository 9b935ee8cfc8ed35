/**
 * Plans of jobs that are about to run: the jobs of one request, and of requests that ask the same of the same program, share one. Nothing
 * of a plan changes while the service runs, since its grant does not. Bounded; the oldest goes first.
 */
import { BoundedMap } from "../../../compiler/bounded-map.ts";
import { type PlanDeps, planRun, type RunPlan } from "../../run/plan.ts";
import type { JobWork } from "../job.ts";
import type { JobPrograms } from "./job-programs.ts";
import { type ReadJob, readJobWork } from "./job-request.ts";

export type JobPlan = { readonly read: ReadJob; readonly plan: RunPlan };
type Work = Omit<JobWork, "frame">;

const MAX_KEPT = 64;
/** Characters; longer requests are read anew each time. */
const MAX_KEPT_LENGTH = 16_384;

export class JobPlans {
  readonly #deps: PlanDeps;
  readonly #programs: JobPrograms;
  /** By request, and of that for one program: few programs are asked for in the same words. */
  readonly #known = new BoundedMap<{ readonly checksum: string; readonly plan: JobPlan }>({ max: MAX_KEPT });

  constructor(deps: PlanDeps, programs: JobPrograms) {
    this.#deps = deps;
    this.#programs = programs;
  }

  /** Rejects with ServiceFault. */
  async of(work: Work): Promise<JobPlan> {
    const known = this.#known.get(work.request);
    return known?.checksum === work.checksum ? known.plan : this.#made(work);
  }

  async #made(work: Work): Promise<JobPlan> {
    const read = readJobWork(work, this.#deps.gateway, this.#programs);
    const { kept, request, admission } = read;
    const made = await planRun(this.#deps, request, admission, null);
    const told = { ...made, sourceHash: kept.sourceHash, warnings: kept.warnings };
    if (work.request.length <= MAX_KEPT_LENGTH) {
      // It takes no time the next time.
      const plan = { read, plan: { ...told, compileMs: 0, cached: true } };
      this.#known.set(work.request, { checksum: work.checksum, plan });
    }
    return { read, plan: told };
  }
}
