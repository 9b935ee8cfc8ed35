/**
 * The life of the job that a run belongs to. A wait that outlasts it never comes to its end, so the call fails at once; one whose length is
 * written in the program was warned of when the job was queued, and ends with the job (docs/durable.md, waiting).
 */
import { MAX_SPAN_S, spanText } from "../../../compiler/catalog/time-span.ts";
import type { WaitSpec } from "../../calls/wait-spec.ts";
import { AdapterError } from "../../errors/failures.ts";
import type { JobLife, RunDesk } from "../approvals.ts";
import type { Open } from "../phase.ts";
import type { CallKey } from "../records.ts";

/** Throws AdapterError for a time after the end of the job, and for a timeout that is as long as its whole life. */
export function checkLife(life: JobLife | undefined, spec: WaitSpec, at: CallKey, now: number): void {
  if (life === undefined || spec.kind === "outcome") return;
  const { span, until } = spec;
  const tooLong =
    spec.kind === "timer"
      ? (span === undefined ? spec.until : now + span) >= life.endsMs
      : span !== undefined && span >= life.lengthMs;
  if (tooLong) refuse(life, at, span ?? (until ?? now) - now, now);
}

function refuse(life: JobLife, at: CallKey, span: number, now: number): void {
  if (life.isWritten(at)) return;
  const [waits, lives, left] = [span, life.lengthMs, Math.max(0, life.endsMs - now)].map(spanText);
  const message = `${at.adapter}.${at.verb.toLowerCase()} would take ${waits}, and the job lives for ${lives}, of which ${left} are left: queue it with a longer lifetime_s (at most ${MAX_SPAN_S}), or wait for less`;
  throw new AdapterError("ADAPTER_TOO_LARGE", message, { retryable: false });
}

/** The desk of a job whose calls may wait only as `checkWait` says, and whose questions end within its life. `open`: the call under way. */
export function deskWithin(desk: RunDesk, checkWait: () => void, open: () => Open | null, now: () => number): RunDesk {
  return {
    ...desk,
    checkMayWait: checkWait,
    async openApproval(id, asked, most) {
      const call = open();
      const span = asked.expiresMs === null ? null : asked.expiresMs - now();
      // A question of before stays as it was asked.
      const isNew = call !== null && call.wait === null;
      if (isNew && span !== null && desk.life !== undefined && span >= desk.life.lengthMs)
        refuse(desk.life, call.key, span, now());
      await desk.openApproval(id, asked, most);
    },
  };
}
