/**
 * Who proposes, and who may accept. The service does not authenticate: a trusted proxy names people in a header, and who comes straight to a
 * service that has such a proxy is its operator. Without that header everybody may do everything, which the service says (docs/proposals.md).
 */
import type { IncomingHttpHeaders } from "node:http";
import type { ServiceConfig } from "../../config.ts";
import { personIn } from "../../http/person.ts";
import { isDirect } from "../../jobs/approvals/people.ts";
import { ServiceFault } from "../../wire/errors.ts";
import type { Actor } from "./proposal.ts";

type Rules = Pick<ServiceConfig, "approvals" | "programs">;

export function actorIn({ approvals }: Rules, headers: IncomingHttpHeaders): Actor {
  const { by, via } = personIn(approvals, headers);
  return { by, via: via === "proxy" && !isDirect(approvals, headers) ? "proxy" : "api" };
}

/** Throws ServiceFault proposal_not_yours. `proposer`: null for a proposal that is declined. */
export function checkDecider({ approvals, programs }: Rules, decider: Actor, proposer: Actor | null): void {
  if (programs.deploy !== "proposals" || approvals.userHeader === null) return;
  if (decider.via === "proxy" && decider.by === null) throw notYours("the proxy does not name who asks");
  if (proposer === null || proposer.via === "file" || approvals.own) return;
  // Two who come straight to the service look the same.
  if (decider.by === proposer.by) throw notYours("who proposed a version does not accept it");
}

/** What changes a deployment without a proposal needs a person. Throws ServiceFault proposals_only. */
export function checkPerson(rules: Rules, headers: IncomingHttpHeaders): void {
  const { approvals, programs } = rules;
  if (programs.deploy !== "proposals" || approvals.userHeader === null) return;
  const { by, via } = actorIn(rules, headers);
  if (via === "proxy" && by === null)
    throw new ServiceFault("proposals_only", "the proxy does not name who asks, and this change needs a person");
}

/** The service cannot tell who accepts; null: it can, or takes no proposals alone. */
export function anonymousWarning({ approvals, programs }: Rules): string | null {
  if (programs.deploy !== "proposals" || approvals.userHeader !== null) return null;
  return "proposals_anonymous: all who reach the service may accept what they propose, so acceptance is not a control; a proxy names people with WF_USER_HEADER";
}

function notYours(message: string): ServiceFault {
  return new ServiceFault("proposal_not_yours", message);
}
