/**
 * Sends the signal `agent.result` when the result of a task is in the mailbox, so that a job waits for an agent without polling. Only tasks
 * that some job waits for are looked at. Every replica looks; what it sends is the same signal.
 */
import { AGENT_RESULT } from "../../../vm/durable/waits/signal-names.ts";
import type { Clock } from "../../../vm/run.ts";
import { operatorCall } from "../../run/operator-call.ts";
import type { Services } from "../../services.ts";
import type { Job } from "../job.ts";
import type { DurableJobs } from "./durable-store.ts";

type Deps = {
  readonly services: Pick<Services, "gateway" | "config" | "events">;
  readonly durable: Pick<DurableJobs, "waitedKeys" | "send">;
  readonly clock: Pick<Clock, "wait">;
  /** Milliseconds since 1970, as the store has it. */
  readonly now: () => number;
  readonly woken: (job: Job) => void;
  /** Between two looks. */
  readonly everyMs: number;
};

/** Tasks that are looked at in one round; the next one continues after them. */
const A_ROUND = 500;

/** Looks until it is stopped. */
export function watchAgentResults(deps: Deps): () => void {
  const { services, clock, everyMs } = deps;
  const admission = services.gateway.admit({});
  if (!admission.ok || !admission.enabled.includes("agent")) return () => {};
  let isStopped = false;
  let after = "";
  let stopTimer = (): void => {};
  const again = (): void => {
    if (isStopped) return;
    stopTimer = clock.wait(everyMs, async () => {
      after = await look(deps, after).catch(() => "");
      again();
    });
  };
  again();
  return () => {
    isStopped = true;
    stopTimer();
  };
}

/** The task that the next round begins after; "": the first. */
async function look({ services, durable, now, woken }: Deps, after: string): Promise<string> {
  const { signalKeepS } = services.config.jobs;
  const waited = await durable.waitedKeys(AGENT_RESULT, after, A_ROUND);
  for (const { key, sinceMs } of waited) {
    const found = await operatorCall(services, "agent", "read_result", [key]);
    if (!found.ok) continue;
    const sent = await durable.send({
      // Who waits later is sent another one.
      id: `${sinceMs}`,
      name: AGENT_RESULT,
      target: { key },
      data: JSON.stringify({ task_id: key }),
      expiresMs: now() + signalKeepS * 1000,
    });
    if (sent.state !== "kept" || !sent.isNew) continue;
    services.events.note("info", "signal_received", { name: AGENT_RESULT, jobs: sent.woken.length });
    for (const one of sent.woken) woken(one);
  }
  return waited.length < A_ROUND ? "" : (waited.at(-1)?.key ?? "");
}
