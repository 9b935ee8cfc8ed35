/** A mail account with servers of its own, for the rules that every adapter keeps. */
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { imapServer, mail } from "./imap-world.ts";
import { FROM } from "./mail-bench.ts";
import { recordingServer } from "./smtp-world.ts";

export type MailFixture = {
  readonly settings: JsonObject;
  readonly secrets: Readonly<Record<string, string>>;
  /** What was sent, and which messages are where. */
  observe(): Json;
  close(): Promise<void>;
};

export async function mailFixture(): Promise<MailFixture> {
  const smtp = await recordingServer();
  const imap = await imapServer({ INBOX: [mail("one", "first"), mail("two", "second")], Archive: [], Drafts: [] });
  return {
    settings: { accounts: { default: { from: FROM, smtp: smtp.section, imap: imap.section } } },
    secrets: { IMAP_PASSWORD: "testpass" },
    observe: () => [
      smtp.mails.map((one) => [...one.recipients]),
      ...["INBOX", "Archive", "Drafts"].map((name) =>
        imap.folder(name).messages.map((one): Json => [one.uid, [...one.flags].sort()]),
      ),
    ],
    async close() {
      await smtp.close();
      await imap.close();
    },
  };
}

/** One program for every verb. */
export const MAIL_PROGRAMS: readonly { readonly verb: string; readonly source: string }[] = Object.entries({
  send: 'R email.send ["ann@x.test"] "Nightly report" {"text": "all is well"} ->r',
  read: 'R email.read "INBOX" 5 true "ada@" ->r',
  G: "R email.G ->r",
  search: 'R email.search {"subject": "two", "unseen": true} 5 ->r',
  fetch: 'R email.fetch "INBOX;1;1" {"attachments": true} ->r',
  reply: 'R email.reply "INBOX;1;1" "Thank you." ->r',
  draft: 'R email.draft "ann@x.test" "Offer" "Dear Ann" ->r',
  move: 'R email.move "INBOX;1;2" "Archive" ->r',
  flag: 'R email.flag "INBOX;1;1" {"add": ["seen"]} ->r',
  folders: "R email.folders ->r",
}).map(([verb, step]) => ({ verb, source: `L1:\n  ${step}\n  J r\n` }));
