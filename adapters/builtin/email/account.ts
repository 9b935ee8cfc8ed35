/**
 * The accounts of one run: which of the operator's a call may use, and their connections, each opened at its first use and closed with the
 * run.
 */
import { adapterError } from "../../errors.ts";
import { refuseUnlisted } from "../../store/names.ts";
import type { SecretLookup } from "./access.ts";
import { admitsRecipient, type Mailbox, parseAddresses } from "./message/addresses.ts";
import { DEFAULT_ACCOUNT } from "./message/message-id.ts";
import type { MailParser } from "./message/parser.ts";
import { ImapLine } from "./reading/imap.ts";
import { SmtpLine } from "./sending/smtp.ts";
import type { AccountConfig, EmailSettings } from "./settings.ts";

type AccountDeps = { readonly secret: SecretLookup; readonly parser: MailParser };

export class Account {
  readonly name: string;
  readonly config: AccountConfig;
  readonly parser: MailParser;
  readonly #smtp: SmtpLine | null;
  readonly #imap: ImapLine | null;

  constructor(name: string, config: AccountConfig, { secret, parser }: AccountDeps) {
    this.name = name;
    this.config = config;
    this.parser = parser;
    this.#smtp = config.smtp === undefined ? null : new SmtpLine(config.smtp, secret);
    this.#imap = config.imap === undefined ? null : new ImapLine(config.imap, secret);
  }

  get smtp(): SmtpLine {
    if (this.#smtp === null) throw adapterError("ADAPTER_NOT_CONFIGURED", "the account has no SMTP server");
    return this.#smtp;
  }

  get imap(): ImapLine {
    if (this.#imap === null) throw adapterError("ADAPTER_NOT_CONFIGURED", "the account has no IMAP server");
    return this.#imap;
  }

  /** The sender of the account's messages. */
  async from(): Promise<Mailbox> {
    const [mailbox, ...more] = await parseAddresses(this.config.from, "from").catch(() => []);
    if (mailbox === undefined || more.length > 0)
      throw adapterError("ADAPTER_BAD_SETTINGS", "from of the mail account is not one address");
    return mailbox;
  }

  /** Throws ADAPTER_NOT_ALLOWED, ADAPTER_QUOTA or, without any, ADAPTER_BAD_ARGS. */
  admitRecipients(recipients: readonly Mailbox[], settings: EmailSettings): void {
    if (recipients.length === 0) throw adapterError("ADAPTER_BAD_ARGS", "the message has no recipient");
    const lists = [this.config.allow_recipients, settings.allow_recipients];
    if (!recipients.every((one) => lists.every((list) => admitsRecipient(list, one))))
      throw adapterError("ADAPTER_NOT_ALLOWED", "a recipient is not on allow_recipients");
    const most = this.config.max_recipients;
    if (recipients.length > most)
      throw adapterError(
        "ADAPTER_QUOTA",
        `${recipients.length} recipients are more than ${most} (max_recipients of the mail account)`,
        { data: { max_recipients: most } },
      );
  }

  /** Connects and logs in wherever the account can. */
  async test(signal: AbortSignal): Promise<void> {
    await this.#smtp?.test(signal);
    await this.#imap?.use(false, signal, async () => {});
  }

  async close(): Promise<void> {
    await Promise.all([this.#smtp?.close(), this.#imap?.close()]);
  }
}

export class Accounts {
  readonly #settings: EmailSettings;
  readonly #secret: SecretLookup;
  readonly #open = new Map<string, Account>();
  readonly #parser: MailParser;

  constructor(settings: EmailSettings, { secret, parser }: AccountDeps) {
    this.#settings = settings;
    this.#secret = secret;
    this.#parser = parser;
  }

  /** Names of those that may be used. */
  get names(): readonly string[] {
    const { accounts, allow_accounts } = this.#settings;
    return Object.keys(accounts).filter((name) => allow_accounts?.includes(name) ?? true);
  }

  /** Without a name: `default`, or the only one. Throws ADAPTER_NOT_ALLOWED, ADAPTER_NOT_CONFIGURED. */
  get(asked?: string): Account {
    const { accounts, allow_accounts } = this.#settings;
    const name = asked ?? (Object.hasOwn(accounts, DEFAULT_ACCOUNT) ? DEFAULT_ACCOUNT : this.#only());
    const config = Object.hasOwn(accounts, name) ? accounts[name] : undefined;
    if (config === undefined) throw adapterError("ADAPTER_NOT_CONFIGURED", "unknown mail account");
    refuseUnlisted(allow_accounts, name, "allow_accounts");
    const account = this.#open.get(name) ?? new Account(name, config, { secret: this.#secret, parser: this.#parser });
    this.#open.set(name, account);
    return account;
  }

  async close(): Promise<void> {
    this.#parser.close();
    await Promise.all([...this.#open.values()].map((account) => account.close()));
  }

  #only(): string {
    const [name, ...more] = this.names;
    if (name === undefined) throw adapterError("ADAPTER_NOT_CONFIGURED", "no mail account is configured");
    if (more.length > 0) throw adapterError("ADAPTER_BAD_ARGS", "there are several mail accounts; name one as account");
    return name;
  }
}
