/**
 * The id of a post as programs hold it: the provider's own, with `<account>;` before it when the account is not `default` or the id has a
 * semicolon itself. So an id alone says where its post is.
 */
import { id, z } from "../../definition/define.ts";

export const DEFAULT_ACCOUNT = "default";
const MAX_LENGTH = 1_000;

/** `account` undefined: the account of calls that name none. */
export type PostId = { readonly account: string | undefined; readonly id: string };

export function writtenId(account: string, id: string): string {
  return account === DEFAULT_ACCOUNT && !id.includes(";") ? id : `${account};${id}`;
}

function readId(text: string): PostId {
  const end = text.indexOf(";");
  return end < 0 ? { account: undefined, id: text } : { account: text.slice(0, end), id: text.slice(end + 1) };
}

/** An id as an argument. */
export function postId() {
  return id().transform((text, check) => {
    const read = readId(text);
    if (read.id !== "" && text.length <= MAX_LENGTH && text.isWellFormed()) return read;
    check.addIssue({ code: "custom", message: "the id of a post" });
    return z.NEVER;
  });
}
