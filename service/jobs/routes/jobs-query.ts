/** Filters of GET /jobs and of bulk actions, as a caller names them. */
import type * as z from "zod";
import { type JobFilters, NO_DEPLOYMENT } from "../../schemas/jobs.ts";
import type { Services } from "../../services.ts";
import { ServiceFault } from "../../wire/errors.ts";
import type { JobFilter } from "../filter.ts";
import type { JobStatus } from "../job.ts";

/** `statuses`: when the caller names none. */
export function filterOf(
  asked: Partial<z.output<z.ZodObject<typeof JobFilters>>>,
  statuses: readonly JobStatus[],
): JobFilter {
  const [deployment, version] = asked.program?.split("@") ?? [];
  const tag = /^([^:]*):(.*)$/s.exec(asked.tag ?? "");
  const searched = /^([^:]*):(.*)$/s.exec(asked.search ?? "");
  return {
    statuses: asked.status ?? statuses,
    deployment: deployment === NO_DEPLOYMENT ? null : deployment,
    version: version === undefined ? undefined : Number(version),
    name: asked.name,
    tag: tag === null ? undefined : { key: tag[1] ?? "", value: tag[2] ?? "" },
    label: asked.label,
    checksum: asked.checksum,
    schedule: asked.schedule,
    parent: asked.parent,
    waits: asked.waits,
    queuedAfter: asked.queued_after,
    queuedBefore: asked.queued_before,
    endedAfter: asked.ended_after,
    endedBefore: asked.ended_before,
    search: searched === null ? undefined : { member: searched[1] ?? "", value: searched[2] ?? "" },
    error: asked.error,
    isDead: asked.dead === "1",
    message: asked.message,
    q: asked.q,
  };
}

/** Messages are values of a run. Throws ServiceFault values_hidden where those are not shown. */
export function checkSearched({ message }: { readonly message?: unknown }, { config }: Pick<Services, "config">): void {
  if (message !== undefined && !config.console.values)
    throw new ServiceFault("values_hidden", "messages of failures are not searched here (WF_UI_VALUES)");
}
