/** Who receives notices of new questions, and how: `approvals.notify` of the operator file. The first rule that fits is taken. */
import * as z from "zod";
import { StartFault } from "../../../adapters/operator/start-fault.ts";
import type { Approval } from "./approvals.ts";

const person = z.string().regex(/^(user|group):[^\s,]{1,128}$/, "must be as user:ann or group:leads");
const matching = {
  /** One of those who are asked; absent: any of them. */
  to: person.optional(),
  /** Name of the deployment or of the job; absent: any. */
  name: z.string().min(1).max(128).optional(),
};
const rule = z.union([
  z.strictObject({ ...matching, email: z.strictObject({ account: z.string(), to: z.string().min(3) }) }),
  z.strictObject({
    ...matching,
    http: z.strictObject({ url: z.url({ protocol: /^https?$/ }), auth_secret: z.string().optional() }),
  }),
  z.strictObject({ ...matching, queue: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/) }),
]);
const document = z.strictObject({ notify: z.array(rule).max(100).default([]) });

export type NotifyRule = z.output<typeof rule>;

/** Throws StartFault. */
export function readNotifyRules(given: unknown): readonly NotifyRule[] {
  if (given === undefined) return [];
  const read = document.safeParse(given);
  if (read.success) return read.data.notify;
  const [issue] = read.error.issues;
  const path = `/approvals/${(issue?.path ?? []).join("/")}`;
  throw new StartFault(`the file of WF_ADAPTERS_CONFIG: ${path}: expected rules with email, http or queue`);
}

export function ruleFor(rules: readonly NotifyRule[], { asked, job }: Approval): NotifyRule | null {
  const fits = ({ to, name }: NotifyRule): boolean =>
    (to === undefined || asked.to.includes(to)) &&
    (name === undefined || name === job.deployment || name === job.about.name);
  return rules.find(fits) ?? null;
}
