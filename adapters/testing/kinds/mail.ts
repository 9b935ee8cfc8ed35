/**
 * Adapters that send mail: a message arrives at its recipients and at no other address. The author says what was sent
 * (`sent` of the kind): a list of `{recipients, text}`, with the addresses of the envelope and the message as it went out.
 */
import type { Json } from "../../../compiler/json.ts";
import { counted } from "../../../grammar/text/english.ts";
import { same } from "../suite.ts";
import { defineKind, isForbidden, listOf, memberOf, shown, type World } from "./kind.ts";

const TO = "ann@x.test";
const MESSAGE = { to: TO, subject: "Report", body: "All is well." } as const;

/** Ends of lines in every spelling that a server may take for one. */
const BREAKS = ["\r\n", "\n", "\r"];
const EVIL = "evil@x.test";

/** Values that are not valid mail addresses. */
const NO_ADDRESSES: readonly Json[] = ["", "name", "a@b@c", "ann@x.test\r\nRCPT TO:<evil@x.test>", []];

export const mail = defineKind({
  roles: {
    send: { inputs: ["to", "subject", "body", "cc", "bcc"], needed: true },
    /** `send` to `to`, with a header of the program's own. */
    send_header: { inputs: ["to", "name", "value"] },
    /** `send` under settings that forbid it. */
    send_forbidden: { inputs: ["to", "subject", "body"] },
  },
  checks: [
    {
      title: "a message arrives once, at those it is for, as it was written",
      roles: ["send"],
      async *check(world) {
        const body = "first\n.\n.hidden\nlast";
        await world.give("send", { ...MESSAGE, body, cc: "cyd@x.test", bcc: null });
        const sent = await sentBy(world);
        if (sent.length !== 1) yield counted(sent.length, "message was sent", "messages were sent");
        const [{ recipients, text } = NOTHING] = sent;
        if (!same([...recipients].sort(), [TO, "cyd@x.test"])) yield `it went to ${JSON.stringify(recipients)}`;
        if (!/^subject: Report\r?$/im.test(headersOf(text))) yield "the subject is not in its headers";
        for (const line of ["first", "hidden", "last"])
          if (!bodyOf(text).includes(line)) yield `the line ${line} is not in its text`;
      },
    },
    {
      title: "recipients of blind copies are invisible",
      roles: ["send"],
      async *check(world) {
        await world.give("send", { ...MESSAGE, cc: null, bcc: "bob@x.test" });
        const [{ recipients, text } = NOTHING] = await sentBy(world);
        if (!recipients.includes("bob@x.test")) yield "the blind copy was not sent";
        if (/bob@x\.test|^bcc:/im.test(text)) yield "the message names who got it";
      },
    },
    {
      title: "a subject cannot begin another header",
      roles: ["send"],
      async *check(world) {
        for (const end of BREAKS)
          await world.call("send", { ...MESSAGE, subject: `Report${end}Bcc: ${EVIL}${end}X-Injected: 1` });
        yield* injected(await sentBy(world));
      },
    },
    {
      title: "an address cannot begin another header",
      roles: ["send"],
      async *check(world) {
        for (const end of BREAKS) {
          const to = `Ann${end}Bcc: ${EVIL}${end}X-Injected: 1 <${TO}>`;
          await world.call("send", { ...MESSAGE, to });
          await world.call("send", { ...MESSAGE, cc: to, bcc: null });
        }
        yield* injected(await sentBy(world));
      },
    },
    {
      title: "the value of a header cannot begin another one",
      roles: ["send_header"],
      async *check(world) {
        await world.give("send_header", { to: TO, name: "X-Ticket", value: "7" });
        if (!(await sentBy(world)).some(({ text }) => /^x-ticket: 7\r?$/im.test(headersOf(text))))
          yield "the header is not in the message";
        for (const end of BREAKS)
          for (const [name, value] of [
            ["X-Ticket", `7${end}Bcc: ${EVIL}${end}X-Injected: 1`],
            [`X-Injected: 1${end}X-Ticket`, "7"],
          ] as const)
            await world.call("send_header", { to: TO, name, value });
        yield* injected(await sentBy(world));
      },
    },
    {
      title: "an invalid address is refused, and nothing is sent",
      roles: ["send"],
      async *check(world) {
        for (const to of NO_ADDRESSES) {
          const answer = await world.call("send", { ...MESSAGE, to });
          if (answer.ok) yield `${JSON.stringify(to)} passes for an address`;
        }
        const sent = await sentBy(world);
        if (sent.length > 0) yield counted(sent.length, "message was sent", "messages were sent");
      },
    },
    {
      title: "nothing is sent where sending is forbidden",
      roles: ["send_forbidden"],
      async *check(world) {
        const answer = await world.call("send_forbidden", { ...MESSAGE });
        if (!isForbidden(answer)) yield `gave ${shown(answer)}`;
        if ((await sentBy(world)).length > 0) yield "the message was sent";
      },
    },
  ],
});

type Sent = { readonly recipients: readonly string[]; readonly text: string };
const NOTHING: Sent = { recipients: [], text: "" };

async function sentBy(world: World<never>): Promise<readonly Sent[]> {
  const sent = await world.sent();
  if (sent === null) throw new Error("the kind needs sent: what observe() says of the messages that went out");
  return listOf(sent).map((one) => ({
    recipients: listOf(memberOf(one, "recipients") ?? []).map(String),
    text: String(memberOf(one, "text") ?? ""),
  }));
}

function* injected(sent: readonly Sent[]): Generator<string, void> {
  for (const { recipients, text } of sent) {
    if (recipients.includes(EVIL)) yield "it went to an address that was written into something else";
    if (/(^|\r\n?|\n)(bcc|x-injected):/i.test(headersOf(text))) yield "the message has an unexpected header";
  }
}

function headersOf(text: string): string {
  return text.split(/\r?\n\r?\n/, 1)[0] ?? "";
}

function bodyOf(text: string): string {
  return text.slice(headersOf(text).length);
}
