/** Who is notified of what goes wrong, and how: the file of WF_NOTICES. A deployment names targets of it, and never an address. */

import { readFileSync } from "node:fs";
import * as z from "zod";
import { StartFault } from "../../adapters/operator/start-fault.ts";
import { PROGRAM_NAME } from "./program-name.ts";

export const NOTICE_KINDS = ["failure", "unknown", "waiting_long", "dead_letter"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

const TARGET_NAME = /^[a-z][a-z0-9_-]{0,31}$/;
/** In place of a target: no notice, whatever the service says. */
const NONE = "none";
const targetName = z
  .string()
  .regex(TARGET_NAME, "must be the name of a target: lower-case letters, digits, - and _")
  .refine((name) => name !== NONE, `must not be "${NONE}"`);
const named = z.string().regex(TARGET_NAME, `must be the name of a target, or "${NONE}"`);
const waitingLong = z.strictObject({ to: named, after_s: z.int().min(60).max(31_536_000) });

/** As a deployment gives it, and the service for all of them. */
const noticeMembers = {
  on_failure: named.optional(),
  /** The outcome of a call is not known, and a person is asked. */
  on_unknown: named.optional(),
  on_waiting_long: waitingLong.optional(),
  /** A failed job was neither retried nor discarded for so long. */
  on_dead_letter: waitingLong.optional(),
};
export const DeploymentNotices = z.strictObject(noticeMembers);
export type NoticeRules = z.output<typeof DeploymentNotices>;

const target = z.union([
  z.strictObject({
    http: z.strictObject({ url: z.url({ protocol: /^https?$/ }), auth_secret: z.string().min(1).optional() }),
  }),
  z.strictObject({ email: z.strictObject({ account: z.string(), to: z.string().min(3) }) }),
  z.strictObject({ program: z.string().regex(PROGRAM_NAME) }),
]);
export type NoticeTarget = z.output<typeof target>;

const Document = z.strictObject({
  targets: z.record(targetName, target).refine((all) => Object.keys(all).length <= 100, "at most 100 targets"),
  ...noticeMembers,
  /** To each target. */
  notices_per_hour: z.int().min(1).max(10_000).default(60),
  /** What happens again in this time is one notice. */
  window_s: z.int().min(1).max(86_400).default(300),
  /** Where the console is, for links to jobs. */
  console_url: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ""))
    .optional(),
});
export type NoticeSettings = z.output<typeof Document>;

const MAX_FILE_BYTES = 1024 * 1024;

/** Null: no notices are sent. Throws StartFault. */
export function readNoticeSettings(path: string | undefined): NoticeSettings | null {
  if (path === undefined) return null;
  const fault = (what: string): StartFault => new StartFault(`the file of WF_NOTICES ${what}`);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw fault(`cannot be read (${cause instanceof Error && "code" in cause ? String(cause.code) : "error"})`);
  }
  if (text.length > MAX_FILE_BYTES) throw fault("is larger than 1 MiB");
  const read = Document.safeParse(jsonOf(text, fault));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw fault(`is not valid at /${(issue?.path ?? []).join("/")}: ${issue?.message ?? "not valid"}`);
  }
  const { data } = read;
  const [unknown] = targetsIn(data).filter((name) => !Object.hasOwn(data.targets, name));
  if (unknown !== undefined) throw fault(`names '${unknown}', which is not among its targets`);
  return data;
}

function jsonOf(text: string, fault: (what: string) => StartFault): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fault("is not JSON");
  }
}

/** Names of targets that rules have. */
export function targetsIn({ on_failure, on_unknown, on_waiting_long, on_dead_letter }: NoticeRules): readonly string[] {
  return [on_failure, on_unknown, on_waiting_long?.to, on_dead_letter?.to].filter(
    (name) => name !== undefined && name !== NONE,
  ) as string[];
}

/** The target of a kind: the deployment's, else that of the service; null: none is named. */
export function targetOf(kind: NoticeKind, rules: NoticeRules, service: NoticeRules): string | null {
  const of = (from: NoticeRules): string | undefined => {
    if (kind === "failure") return from.on_failure;
    if (kind === "unknown") return from.on_unknown;
    return (kind === "waiting_long" ? from.on_waiting_long : from.on_dead_letter)?.to;
  };
  const name = of(rules) ?? of(service);
  return name === undefined || name === NONE ? null : name;
}

/** After how long a notice of a wait or a dead letter is sent, in milliseconds; null: never. */
export function afterMs(
  of: "on_waiting_long" | "on_dead_letter",
  rules: NoticeRules,
  service: NoticeRules,
): number | null {
  const rule = rules[of] ?? service[of];
  return rule === undefined || rule.to === NONE ? null : rule.after_s * 1000;
}
