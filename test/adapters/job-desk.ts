/** What a durable job of a service gives to its run, in memory: its family, whose jobs are over at once, and its events. */
import type { RunDesk } from "../../vm/durable/approvals.ts";
import { AdapterError } from "../../vm/errors/failures.ts";

const none = async (): Promise<never> => {
  throw new AdapterError("ADAPTER_NOT_CONFIGURED", "the run has none");
};

/** `did`: what an outsider sees, by the key of the call. */
export function jobDesk(): { readonly desk: RunDesk; readonly did: ReadonlyMap<string, string> } {
  const did = new Map<string, string>();
  const once = (key: string, what: string): string => {
    if (!did.has(key)) did.set(key, what);
    return `01980c1e-7a50-7c3e-9d7e-${String([...did.keys()].indexOf(key) + 1).padStart(12, "0")}`;
  };
  const desk: RunDesk = {
    ...{ openApproval: none, hasApproval: none, cancelApproval: none, sendSignal: none, signalLink: none },
    family: {
      start: async ({ key, program }) => once(key, program),
      firstOver: async ([first = null]) => first,
      endOf: async () => ({ status: "succeeded", result: 1, failure: null }),
      paidFor: async () => ({ steps: 0, adapter_calls: 0 }),
      status: async (id) => ({
        ...{ id, program: "report", version: 1, status: "succeeded", over: true, error: null },
        ...{ queued_at: "2030-01-01T00:00:00Z", finished_at: null },
      }),
      cancel: async () => false,
      again: none,
    },
    events: { emit: async ({ place, name }) => once(place, name), accepts: () => true },
  };
  return { desk, did };
}
