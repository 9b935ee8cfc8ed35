/** Questions to people as callers see them. */
import type { Json } from "../../../compiler/json.ts";
import { exactResult } from "../../../vm/inputs/exact-text.ts";
import type { Approval } from "./approvals.ts";

/** `asker`: who queued the job. `withValues`: what the program and the people wrote is shown, too. */
export function shownApproval(approval: Approval, asker: string | null, withValues: boolean) {
  const { id, job, state, openedMs, endedMs, asked, answers } = approval;
  const { title, choices, to, need, form, expiresMs } = asked;
  const last = answers.at(-1);
  return {
    id,
    approval_id: id,
    job_id: job.id,
    state,
    ...(job.deployment === null ? {} : { program: job.deployment, version: job.version }),
    ...(job.about.name === null ? {} : { name: job.about.name }),
    ...(asker === null ? {} : { asked_by: asker }),
    ...(withValues ? { title, details: detailsOf(asked) } : { values_hidden: true as const }),
    choices,
    to,
    need,
    form,
    opened_at: time(openedMs),
    expires_at: expiresMs === null ? null : time(expiresMs),
    ended_at: endedMs === null ? null : time(endedMs),
    decision: state === "decided" && last !== undefined ? last.choice : null,
    answers: answers.map(({ choice, by, via, comment, data, data_text, atMs }) => ({
      choice,
      by,
      via,
      ...(withValues ? { comment, data: exactResult({ result: data, result_text: data_text }) } : {}),
      at: time(atMs),
    })),
  };
}

export function detailsOf({ details, details_text }: Approval["asked"]): Json {
  return exactResult({ result: details, result_text: details_text });
}

export function time(ms: number): string {
  return new Date(ms).toISOString();
}
