/** Names of signals that come from the service alone (docs/durable.md, waiting). */

/** A result of an agent is in the mailbox; sent under the id of its task. */
export const AGENT_RESULT = "agent.result";

export function isReservedName(name: string): boolean {
  return name === AGENT_RESULT || name.startsWith("weft.");
}

export const RESERVED_NAMES = `${AGENT_RESULT}, and names that begin with weft., come from the service alone`;
