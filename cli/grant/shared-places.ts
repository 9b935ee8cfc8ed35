/**
 * Where nothing says where memory and agent keep their state, it is in fixed places below /tmp, as the contract has it: every project and
 * every user of the machine shares them. A run that uses such a place says so.
 */
import { CONTRACT_PLACES } from "../../adapters/operator/host-config.ts";
import type { Admission } from "../../vm/admission/admit.ts";
import { constraintsOf } from "../../vm/grant/normalize-grant.ts";
import type { Session } from "../session/session.ts";

const PLACES = [
  {
    adapter: "memory",
    setting: "db_path",
    variable: "WF_MEMORY_DB",
    place: "memoryDb",
    what: "memory keeps its records in",
    instead: "--memory-db FILE or WF_MEMORY_DB",
  },
  {
    adapter: "agent",
    setting: "root",
    variable: "WF_AGENT_ROOT",
    place: "agentRoot",
    what: "agent keeps its mailboxes in",
    instead: "--agent-root DIR or WF_AGENT_ROOT",
  },
] as const;

/** One note for each shared place that a run, or a command for one adapter, can reach. `adapters`: those it calls. */
export function sharedPlaceNotes(
  { environment }: Pick<Session, "environment">,
  {
    admission,
    adapters,
  }: { readonly admission: Pick<Admission, "grant">; readonly adapters: Pick<Set<string>, "has"> },
): string[] {
  const { places, databaseUrl, variables } = environment.host;
  if (databaseUrl !== null) return [];
  return PLACES.filter(
    ({ adapter, setting, variable, place }) =>
      adapters.has(adapter) &&
      (variables[variable] ?? "") === "" &&
      places[place] === CONTRACT_PLACES[place] &&
      constraintsOf(admission.grant, adapter)[setting] === undefined,
  ).map(
    ({ what, place, instead }) =>
      `${what} ${CONTRACT_PLACES[place]}, which every project and user of this machine shares; ${instead} chooses another place`,
  );
}
