/**
 * The id of a message of an account: `<folder>;<uidvalidity>;<uid>`, with `;<account>` appended when that is not `default`. It is good for
 * as long as the server keeps its numbering; after that it means nothing, and no other message by mistake.
 */
import { z } from "../../../definition/define.ts";

export type StoredId = {
  readonly folder: string;
  readonly uidValidity: bigint;
  readonly uid: number;
  readonly account: string;
};

export const DEFAULT_ACCOUNT = "default";

// An account's name begins with a letter or _, so it cannot be taken for a number.
const SHAPE = /^(.{1,1000});(\d{1,20});(\d{1,10})(?:;([A-Za-z_][A-Za-z0-9_-]*))?$/u;

export function writtenId({ folder, uidValidity, uid, account }: StoredId): string {
  return `${folder};${uidValidity};${uid}${account === DEFAULT_ACCOUNT ? "" : `;${account}`}`;
}

function readId(text: string): StoredId | undefined {
  const [, folder, uidValidity, uid, account = DEFAULT_ACCOUNT] = SHAPE.exec(text) ?? [];
  if (folder === undefined || uidValidity === undefined || Number(uid) < 1) return undefined;
  return { folder, uidValidity: BigInt(uidValidity), uid: Number(uid), account };
}

/** An id as an argument. */
export function storedId() {
  return z.string().transform((text, check) => {
    const id = readId(text);
    if (id !== undefined) return id;
    check.addIssue({ code: "custom", message: "the id of a message" });
    return z.NEVER;
  });
}
