/** The packages for mail. They are optional, so each is loaded at its first use, and a missing one is a matter of configuration. */
import type { ImapFlow, ImapFlowOptions } from "imapflow";
import type AddressParser from "nodemailer/lib/addressparser";
import type MailComposer from "nodemailer/lib/mail-composer";
import type SmtpConnection from "nodemailer/lib/smtp-connection";
import type XOAuth2 from "nodemailer/lib/xoauth2";
import { packageMissing } from "../../packages.ts";

async function installed<T>(name: "nodemailer" | "imapflow", load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw packageMissing("mail", name, cause);
  }
}

export function loadAddressParser(): Promise<typeof AddressParser> {
  return installed("nodemailer", async () => (await import("nodemailer/lib/addressparser")).default);
}

export function loadMailComposer(): Promise<typeof MailComposer> {
  return installed("nodemailer", async () => (await import("nodemailer/lib/mail-composer")).default);
}

export function loadSmtpConnection(): Promise<typeof SmtpConnection> {
  return installed("nodemailer", async () => (await import("nodemailer/lib/smtp-connection")).default);
}

export function loadXOAuth2(): Promise<typeof XOAuth2> {
  return installed("nodemailer", async () => (await import("nodemailer/lib/xoauth2")).default);
}

export function loadImapFlow(): Promise<new (options: ImapFlowOptions) => ImapFlow> {
  return installed("imapflow", async () => (await import("imapflow")).ImapFlow);
}
