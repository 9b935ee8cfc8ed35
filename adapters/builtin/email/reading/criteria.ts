/** What a search asks for, in the terms of programs and in those of the server. Dates are whole days, as the server compares no times. */
import type { SearchObject } from "imapflow";
import { z } from "../../../definition/define.ts";
import { singleLine } from "../../../definition/one-line.ts";
import type { Message } from "../message/message.ts";
import { flagName, wireFlag } from "./filing.ts";

/** Text to look for. */
export const searchText = singleLine(1_000).refine((text) => text.trim() !== "", "text to look for");
const day = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], "a date, or a time with its offset (RFC 3339)")
  .transform((text) => new Date(text.slice(0, 10)));

const query = z.strictObject({
  from: searchText.optional(),
  to: searchText.optional(),
  subject: searchText.optional(),
  body: searchText.optional(),
  since: day.optional(),
  before: day.optional(),
  unseen: z.boolean().optional(),
  has_attachment: z.boolean().optional(),
  flags: z.array(flagName).max(10).optional(),
  account: z.string().optional(),
});
export const searchQuery = z.union([searchText, query], "text, or an object of what is searched for");
export type SearchQuery = z.output<typeof searchQuery>;

export function criteriaOf(asked: SearchQuery): SearchObject {
  if (typeof asked === "string") return { text: asked };
  const { unseen, flags = [], has_attachment: _examined, account: _account, ...server } = asked;
  const given = Object.entries(server).filter(([, value]) => value !== undefined);
  const marked = flags.map(flagCriterion);
  if (unseen !== undefined) marked.push({ seen: !unseen });
  return Object.fromEntries([...given, ...marked.flatMap((one) => Object.entries(one))]) as SearchObject;
}

function flagCriterion(name: string): SearchObject {
  const flag = wireFlag(name);
  return flag.startsWith("\\") ? { [flag.slice(1).toLowerCase()]: true } : { keyword: flag };
}

/** The part of a search that only the message itself can answer. */
export function admitsMessage(asked: SearchQuery, message: Message): boolean {
  const wanted = typeof asked === "string" ? undefined : asked.has_attachment;
  return wanted === undefined || wanted === message.attachments.length > 0;
}
