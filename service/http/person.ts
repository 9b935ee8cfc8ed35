/** Who asks. The service does not authenticate: a trusted proxy names people in a header (docs/approvals.md). */
import type { IncomingHttpHeaders } from "node:http";
import { type DecidedVia, PERSON } from "../../vm/durable/approvals.ts";
import type { ServiceConfig } from "../config.ts";

/** `by`: the name without `user:`; null: not named. */
export type Person = {
  readonly by: string | null;
  readonly groups: readonly string[];
  readonly via: DecidedVia;
};

type Rules = ServiceConfig["approvals"];

/** Who a trusted proxy says it is. A name with a comma may be two headers, one of them the caller's own: it is not taken. */
export function personIn({ userHeader, groupsHeader }: Rules, headers: IncomingHttpHeaders): Person {
  if (userHeader === null) return { by: null, groups: [], via: "api" };
  const by = nameIn(headers[userHeader]);
  if (by === null) return { by: null, groups: [], via: "proxy" };
  const given = groupsHeader === null ? "" : [headers[groupsHeader] ?? []].flat().join(",");
  const groups = given.split(",").map((name) => name.trim());
  return { by, groups: groups.filter((name) => PERSON.test(`group:${name}`)), via: "proxy" };
}

function nameIn(given: string | readonly string[] | undefined): string | null {
  const name = typeof given === "string" ? given.trim() : "";
  return PERSON.test(`user:${name}`) && !name.includes(",") ? name : null;
}
