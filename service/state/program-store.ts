/** Deployments in either database: next to the jobs. */
import { ProgramSignals } from "../programs/signals.ts";
import type { ProgramStore } from "../programs/store.ts";
import type { Ask } from "./port.ts";
import type { programChanges } from "./rules/programs/changes.ts";
import type { channelChanges } from "./rules/programs/channels.ts";
import type { proposalChanges, proposalReads } from "./rules/programs/proposals.ts";
import type { programReads } from "./rules/programs/reads.ts";

type Asks = {
  readonly read: Ask<typeof programReads & typeof proposalReads>;
  readonly change: Ask<typeof programChanges & typeof proposalChanges & typeof channelChanges>;
};

/** `signals`: hear of the changes of other processes too. */
export function programStore({ read, change }: Asks, signals = new ProgramSignals()): ProgramStore {
  const told = async <T>(name: string, answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } finally {
      // After a failure too: the change may have been made without an answer.
      signals.changed(name);
    }
  };
  return {
    deploy: (request) => told(request.version.name, change("deployProgram", request)),
    rollback: (request) => told(request.name, change("rollbackProgram", request)),
    setNext: (request) => told(request.name, change("setNext", request)),
    promoteNext: (request) => told(request.name, change("promoteNext", request)),
    abortNext: (request) => told(request.name, change("abortNext", request)),
    async noteNext(outcome) {
      const aborted = await change("noteNext", outcome);
      if (aborted !== null) signals.changed(outcome.name);
      return aborted;
    },
    change: (request) => told(request.name, change("changeProgram", request)),
    remove: (request) => told(request.name, change("removeProgram", request)),
    async release(kept) {
      const released = await change("releasePrograms", kept);
      for (const name of released) signals.changed(name);
      return released;
    },
    find: (name) => read("findProgram", { name }),
    current: (name) => read("currentProgram", { name }),
    version: (name, version) => read("programVersion", { name, version }),
    versions: (listing) => read("programVersions", listing),
    list: (listing) => read("listPrograms", listing),
    activity: (names) => read("programActivity", names),
    propose: (proposal, most) => change("addProposal", { proposal, most }),
    async accept(acceptance) {
      const done = await change("acceptProposal", acceptance);
      if (done.state === "accepted") signals.changed(done.name);
      return done;
    },
    decline: (decision) => change("declineProposal", decision),
    proposal: (id) => read("findProposal", { id }),
    proposals: (listing) => read("listProposals", listing),
    openProposals: () => read("countProposals", null),
    onChanged: (listener) => signals.listen(listener),
  };
}
