/** Ids as people type them: whole, or the characters at either end, as tables show them. A part counts where it surely means one of all. */
import { visible } from "../output/terminal/columns.ts";
import { usageFault } from "../session/faults.ts";
import type { ApprovalService } from "./approvals.ts";
import type { JobService } from "./client.ts";

/** Fewer characters would soon fit others, too. */
const PART = /^[0-9a-f-]{4,35}$/i;
const WHOLE_APPROVAL = /^[0-9a-f]{32}$/;
/** The largest page of a listing. */
const LIMIT = "200";
const SHOWN = 5;

/** What is not a part of one id is left to the service, which says that it is unknown. Throws CliFault where several fit. */
export async function jobIdOf(service: Pick<JobService, "list">, given: string): Promise<string> {
  if (!PART.test(given)) return given;
  // The service finds parts of names by the same word.
  const { jobs, next_cursor } = await service.list({ q: given.toLowerCase(), limit: LIMIT });
  const ids = jobs.map(({ job_id }) => job_id);
  return oneOf(ids, given, { what: "jobs", isWhole: next_cursor === null });
}

/** `state`: of the questions that are meant. Throws CliFault where several fit. */
export async function approvalIdOf(
  service: Pick<ApprovalService, "list">,
  given: string,
  state: "open" | "all",
): Promise<string> {
  if (!PART.test(given) || WHOLE_APPROVAL.test(given)) return given;
  const { approvals, next_cursor } = await service.list({ state, limit: LIMIT });
  const ids = approvals.map(({ approval_id }) => approval_id);
  return oneOf(ids, given, { what: "questions", isWhole: next_cursor === null });
}

/** As `approvalIdOf`, of proposals. */
export async function proposalIdOf(
  service: {
    list(filter: {
      state: string;
      limit: string;
    }): Promise<{ proposals: readonly { id: string }[]; next_cursor: string | null }>;
  },
  given: string,
  state: "open" | "all",
): Promise<string> {
  if (!PART.test(given) || WHOLE_APPROVAL.test(given)) return given;
  const { proposals, next_cursor } = await service.list({ state, limit: LIMIT });
  return oneOf(
    proposals.map(({ id }) => id),
    given,
    { what: "proposals", isWhole: next_cursor === null },
  );
}

/** `isWhole`: the ids are all that there are. */
function oneOf(
  ids: readonly string[],
  given: string,
  { what, isWhole }: { readonly what: string; readonly isWhole: boolean },
): string {
  const part = given.toLowerCase();
  const fitting = ids.filter((id) => id.startsWith(part) || id.endsWith(part));
  const [only] = fitting;
  if (only === undefined && isWhole) return given;
  if (only !== undefined && fitting.length === 1 && isWhole) return only;
  const shown = fitting.slice(0, SHOWN).map((id) => visible(id));
  const rest = isWhole && fitting.length <= SHOWN ? "" : ", …";
  throw usageFault(
    fitting.length < 2
      ? `there are too many ${what} to look for '${given}'; give the whole id`
      : `'${given}' begins or ends the ids of several ${what}: ${shown.join(", ")}${rest}`,
  );
}
