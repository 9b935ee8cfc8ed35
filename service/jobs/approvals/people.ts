/** Who may decide (docs/approvals.md). */
import type { IncomingHttpHeaders } from "node:http";
import type { ServiceConfig } from "../../config.ts";
import type { Person } from "../../http/person.ts";
import { ServiceFault } from "../../wire/errors.ts";
import type { Approval } from "./approvals.ts";

type Rules = ServiceConfig["approvals"];

/** The names that `to` may have for a person. */
export function namesOf({ by, groups }: Person): readonly string[] {
  return by === null ? [] : [`user:${by}`, ...groups.map((name) => `group:${name}`)];
}

/** `to` names the person, or no people at all. */
export function isAddressed({ to }: { readonly to: readonly string[] }, person: Person): boolean {
  return to.length === 0 || namesOf(person).some((name) => to.includes(name));
}

/** Throws ServiceFault approval_not_yours. `asker`: who queued the job; null: not known. */
export function checkDecider(rules: Rules, { asked }: Approval, person: Person, asker: string | null): void {
  const { by, via } = person;
  if (via === "proxy" && by === null) throw notYours("the proxy does not name who asks");
  if (via === "proxy" && !isAddressed(asked, person)) throw notYours("the question is for other people");
  if (by === null && asked.need > 1)
    throw notYours(`${asked.need} people must agree, and this service does not know who asks (WF_USER_HEADER)`);
  if (!rules.own && by !== null && by === asker) throw notYours("who queued the job does not decide what it asks");
}

export function notYours(message: string): ServiceFault {
  return new ServiceFault("approval_not_yours", message);
}

/** A request that came straight to the service, and not through a proxy in front: only the operator does so where one is set up. */
export function isDirect({ userHeader }: Rules, headers: IncomingHttpHeaders): boolean {
  if (userHeader === null) return true;
  return [userHeader, "forwarded", "x-forwarded-for", "via"].every((name) => headers[name] === undefined);
}
