/** The questions of a runner service, as `wf approve` talks to it and prints them. */

import * as z from "zod/mini";
import { visible } from "../output/terminal/columns.ts";
import { table } from "../output/terminal/table.ts";
import { asking } from "../session/asking.ts";
import type { Screen } from "../session/screen.ts";

const Approval = z.looseObject({
  approval_id: z.string(),
  job_id: z.string(),
  state: z.string(),
  program: z.optional(z.string()),
  name: z.optional(z.string()),
  asked_by: z.optional(z.string()),
  title: z.optional(z.string()),
  details: z.optional(z.unknown()),
  choices: z.array(z.string()),
  to: z.array(z.string()),
  need: z.number(),
  form: z.nullable(z.record(z.string(), z.union([z.string(), z.array(z.string())]))),
  opened_at: z.string(),
  expires_at: z.nullable(z.string()),
  decision: z.nullable(z.string()),
  answers: z.array(
    z.looseObject({
      choice: z.string(),
      by: z.nullable(z.string()),
      via: z.string(),
      comment: z.optional(z.nullable(z.string())),
      data: z.optional(z.unknown()),
      at: z.string(),
    }),
  ),
});
const Page = z.looseObject({ approvals: z.array(Approval), next_cursor: z.nullable(z.string()) });
const Link = z.looseObject({ url: z.string(), for: z.string(), expires_at: z.string() });

export type RemoteApproval = z.output<typeof Approval>;
export type RemoteApprovals = z.output<typeof Page>;

export interface ApprovalService {
  list(filter: Readonly<Record<string, string | undefined>>): Promise<RemoteApprovals>;
  get(id: string): Promise<RemoteApproval>;
  decide(id: string, body: object): Promise<RemoteApproval>;
  link(id: string, body: object): Promise<z.output<typeof Link>>;
}

/** Throws CliFault for an invalid address. */
export function approvalService(server: string, signal: AbortSignal): ApprovalService {
  const ask = asking(server, signal);
  const at = (id: string): string => `/approvals/${encodeURIComponent(id)}`;
  return {
    list: (filter) => {
      const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return ask(Page, "GET", `/approvals?${new URLSearchParams(given).toString()}`);
    },
    get: (id) => ask(Approval, "GET", at(id)),
    decide: (id, body) => ask(Approval, "POST", at(id), { body }),
    link: (id, body) => ask(Link, "POST", `${at(id)}/links`, { body }),
  };
}

export function showApprovals({ approvals, next_cursor }: RemoteApprovals, screen: Screen): void {
  if (approvals.length === 0) {
    screen.note("no questions");
    return;
  }
  const rows = approvals.map(({ approval_id, state, program, name, title, to, expires_at }) => [
    approval_id,
    state,
    visible(program ?? name ?? ""),
    visible(title ?? ""),
    visible(to.join(" ")),
    expires_at ?? "",
  ]);
  const head = ["approval", "state", "program", "title", "to", "open until"];
  screen.out(`${table([head, ...rows], screen.tableWidth).join("\n")}\n`);
  if (next_cursor !== null) screen.note(`more: --cursor ${next_cursor}`);
}

/** Everything about one question, as lines. */
export function approvalText(approval: RemoteApproval): string {
  const { approval_id, job_id, state, program, name, asked_by, title, details, choices, to, need, form } = approval;
  const { opened_at, expires_at, answers } = approval;
  const facts: (readonly [string, string])[] = [
    ["state", state],
    ["program", program ?? name ?? ""],
    ["job", job_id],
    ["queued by", asked_by ?? ""],
    ["for", to.join(", ")],
    ["choices", choices.join(", ")],
    ["people needed", need > 1 ? String(need) : ""],
    ["form", form === null ? "" : JSON.stringify(form)],
    ["opened", opened_at],
    ["open until", expires_at ?? ""],
    ["details", details === undefined || details === null ? "" : detailsText(details)],
    ...answers.flatMap(({ choice, by, via, comment, data }): (readonly [string, string])[] => [
      ["answer", `${choice} by ${by ?? "somebody"} (${via})${comment == null ? "" : `: ${comment}`}`],
      ["data", data == null ? "" : JSON.stringify(data)],
    ]),
  ];
  const lines = facts.filter(([, value]) => value !== "").map(([key, value]) => `  ${key}: ${visible(value)}`);
  return `${visible(title ?? approval_id)}\n${lines.join("\n")}\n`;
}

function detailsText(details: unknown): string {
  return typeof details === "string" ? details : JSON.stringify(details);
}
