/** The questions of a run that asks somebody at once, on a terminal or through a client: they live as long as the run. */
import type { Json } from "../../compiler/json.ts";
import type { RunScope } from "../adapter.ts";
import type { WaitSpec } from "../calls/wait-spec.ts";
import { AdapterError } from "../errors/failures.ts";
import type { Clock } from "../run.ts";
import { type ApprovalAsked, noChoice, type RunDesk } from "./approvals.ts";

type Question = { readonly asked: ApprovalAsked; result: Json | null };

type Asker = {
  readonly clock: Pick<Clock, "wall">;
  /** Throws for a question that may not be asked. */
  readonly check?: (asked: ApprovalAsked) => void;
  /** The decision is known before it is asked for, so no wait for it is too short. */
  readonly knows?: boolean;
  /** Asks. undefined: it cannot ask. */
  readonly ask: (id: string, asked: ApprovalAsked) => Promise<Json> | undefined;
};

export type RunQuestions = {
  readonly desk: RunDesk;
  readonly decisionOf: (spec: Extract<WaitSpec, { kind: "approval" }>) => ReturnType<NonNullable<RunScope["wait"]>>;
};

export function runQuestions({ clock, check, knows = false, ask }: Asker): RunQuestions {
  const questions = new Map<string, Question>();
  return {
    decisionOf({ approval, until }) {
      const question = questions.get(approval);
      if (question === undefined) return undefined;
      if (question.result !== null) return Promise.resolve(question.result);
      if (!knows && until !== null && until <= clock.wall())
        return Promise.resolve(noChoice(approval, "expired", until));
      return ask(approval, question.asked)?.then((result) => {
        question.result = result;
        return result;
      });
    },
    desk: {
      async openApproval(id, asked) {
        check?.(asked);
        if (!questions.has(id)) questions.set(id, { asked, result: null });
      },
      hasApproval: async (id) => questions.has(id),
      async cancelApproval(id) {
        const question = questions.get(id);
        if (question === undefined || question.result !== null) return false;
        question.result = noChoice(id, "cancelled", clock.wall());
        return true;
      },
      sendSignal: () => Promise.reject(needsService("signals are sent")),
      signalLink: () => Promise.reject(needsService("links are made")),
    },
  };
}

/** People are asked one thing at a time, also by branches that run at the same time. */
export function oneByOne(): <T>(ask: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (ask) => {
    const next = last.then(ask);
    last = next.catch(() => {});
    return next;
  };
}

function needsService(what: string): AdapterError {
  const message = `${what} by a service: queue the program as a job (wf jobs submit)`;
  return new AdapterError("ADAPTER_NOT_CONFIGURED", message, { retryable: false });
}
