/** `job.run` with `share="budget"`: what the job uses is charged to the run that waits for it (docs/adapters/job.md, a shared budget). */
import { isObject } from "../../../compiler/json.ts";
import type { FamilyDesk, MemberEnd, Sharing } from "../../../vm/durable/families.ts";
import type { VerbContext } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { tooLate, waited } from "./waiting.ts";

type Begun = (share: Sharing) => Promise<string>;

/** The job, and how it ended. `span`: milliseconds; null: as long as it takes. */
export async function runSharing(
  begin: Begun,
  detach: boolean,
  span: number | null,
  family: FamilyDesk,
  ctx: VerbContext,
): Promise<readonly [job: string, end: MemberEnd]> {
  if (detach)
    throw adapterError(
      "ADAPTER_BAD_ARGS",
      'share="budget" and detach=True exclude each other: a job that is detached may outlive the run that would pay for it',
    );
  if (ctx.budget === undefined)
    throw adapterError(
      "ADAPTER_CONFLICT",
      'job.run with share="budget" is not possible inside a branch, where others use the same budget: run such jobs one after the other, or leave share out',
    );
  const job = await begin({ left: ctx.budget.left(), llm: ctx.run.usage.llm, givenUp: ctx.signal });
  try {
    const isLate = !(await isOver(job, span, ctx));
    if (isLate) {
      await family.cancel(job);
      // It says what it used when it has ended.
      await isOver(job, null, ctx);
    }
    const end = await family.endOf(job);
    if (isLate) throw tooLate(`the job ${job} took longer than its timeout, and is cancelled`, job);
    return [job, end];
  } catch (thrown) {
    await family.cancel(job);
    throw thrown;
  } finally {
    ctx.charge?.({ job, ...(await family.paidFor(job, ctx.signal)) });
  }
}

/** What came of the wait is in the journal, so a run that continues hears the same of it. */
async function isOver(job: string, span: number | null, ctx: VerbContext): Promise<boolean> {
  const came = await waited([job], span, ctx);
  return isObject(came) && came["id"] === job;
}
