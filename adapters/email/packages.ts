/** The packages for mail. They are optional, so each is loaded at its first use, and a missing one is a matter of configuration. */
import type { ImapFlow, ImapFlowOptions } from "imapflow";
import type AddressParser from "nodemailer/lib/addressparser";
import type MailComposer from "nodemailer/lib/mail-composer";
import type SmtpConnection from "nodemailer/lib/smtp-connection";
import type XOAuth2 from "nodemailer/lib/xoauth2";
import { adapterError } from "../errors.ts";

const VERSIONS = { nodemailer: "10.6.0", imapflow: "1.7.8" } as const;

async function installed<T>(name: keyof typeof VERSIONS, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const data = { package: name, install: `npm install ${name}@${VERSIONS[name]}` };
    throw adapterError("ADAPTER_NOT_CONFIGURED", `mail needs the package ${name}`, { data, cause });
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
