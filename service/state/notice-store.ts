/** Notices in either database: next to the jobs that they are about. */
import type { NoticeStore } from "../notices/notice.ts";
import type { Ask } from "./port.ts";
import type { noticeChanges, noticeReads } from "./rules/notices.ts";

type Asks = { readonly read: Ask<typeof noticeReads>; readonly change: Ask<typeof noticeChanges> };

export function noticeStore({ read, change }: Asks): NoticeStore {
  return {
    since: (on) => change("noticesSince", on),
    candidates: (since, most) => read("noticeCandidates", { since, most }),
    note: (considered, windowMs) => change("noteNotices", { considered, windowMs }),
    take: (asked) => change("takeNotices", asked),
    sent: (id) => change("noticeSent", id),
    failed: (id, code, againMs) => change("noticeFailed", { id, code, againMs }),
    list: (most) => read("notices", most),
  };
}
