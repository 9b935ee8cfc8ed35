/**
 * The connection to the SMTP server of one account: opened at the first message, kept for the run, and never left open after a failed
 * or abandoned call. One attempt per message; whether a message may have been taken although the call failed is part of the error.
 */
import { once } from "node:events";
import { Readable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { systemTimers } from "../../../engine/timers.ts";
import { adapterError } from "../../../errors.ts";
import { type Access, accessTo, FAREWELL_MS, type Login, PATIENCE_MS, type SecretLookup } from "../access.ts";
import { smtpFailure } from "../mail-errors.ts";
import { loadSmtpConnection, loadXOAuth2 } from "../packages.ts";
import type { MailServer } from "../settings.ts";

export type Envelope = { readonly from: string; readonly to: readonly string[] };
/** Addresses the server took and refused. */
export type Delivery = { readonly accepted: readonly string[]; readonly rejected: readonly string[] };

/** Longer than any call may take, so only abandoned connections ever hit it. */
const IDLE_MS = 150_000;

export class SmtpLine {
  readonly #server: MailServer;
  readonly #secret: SecretLookup;
  #idle: SMTPConnection | null = null;

  constructor(server: MailServer, secret: SecretLookup) {
    this.#server = server;
    this.#secret = secret;
  }

  /** Hands a message over. Rejects with an error whose data says `outcome: "unknown"` when it may have been taken. */
  async send(envelope: Envelope, message: Buffer, signal: AbortSignal): Promise<Delivery> {
    const connection = await this.#take(signal);
    let begun = false;
    const content = new Readable({
      read() {
        begun = true;
        this.push(message);
        this.push(null);
      },
    });
    try {
      const delivery = await closedOnAbort<Delivery>(connection, signal, (settle) =>
        connection.send({ from: envelope.from, to: [...envelope.to], size: message.length }, content, settle),
      );
      this.#keep(connection);
      return { accepted: delivery.accepted, rejected: delivery.rejected };
    } catch (thrown) {
      connection.close();
      throw smtpFailure(thrown, begun);
    }
  }

  /** Connects and logs in, for a health test. */
  async test(signal: AbortSignal): Promise<void> {
    this.#keep(await this.#take(signal));
  }

  async close(): Promise<void> {
    const connection = this.#idle;
    this.#idle = null;
    if (connection === null || connection.destroyed) return;
    const ended = once(connection, "end");
    const callOff = systemTimers.after(FAREWELL_MS, () => connection.close());
    connection.quit();
    await ended.catch(() => {});
    callOff();
  }

  #keep(connection: SMTPConnection): void {
    this.#idle?.close();
    this.#idle = connection;
  }

  /** The idle connection, unless the server has ended it meanwhile, or a new one. */
  async #take(signal: AbortSignal): Promise<SMTPConnection> {
    const idle = this.#idle;
    this.#idle = null;
    if (idle !== null && !idle.destroyed) return idle;
    const access = await accessTo(this.#server, "smtp", this.#secret);
    const connection = new (await loadSmtpConnection())(optionsOf(access));
    // Trouble of an idle connection shows when it is used next; without a listener it would end the process.
    connection.on("error", () => {});
    try {
      await connected(connection, signal);
      if (access.login !== null) await loggedIn(connection, access.login, signal);
      return connection;
    } catch (thrown) {
      connection.close();
      throw smtpFailure(thrown, false);
    }
  }
}

function optionsOf({ host, port, encryption, tls }: Access): ConstructorParameters<typeof SMTPConnection>[0] {
  return {
    host,
    port,
    secure: encryption === "implicit",
    ignoreTLS: encryption === "none",
    requireTLS: encryption === "starttls",
    tls,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    dnsTimeout: PATIENCE_MS,
    socketTimeout: IDLE_MS,
    // A connection that is closed is gone at once, and with it what was under way.
    socketCloseTimeout: 0,
    allowInternalNetworkInterfaces: true,
    logger: false,
  };
}

function connected(connection: SMTPConnection, signal: AbortSignal): Promise<void> {
  return closedOnAbort<void>(connection, signal, (settle) => connection.connect((error) => settle(error ?? null)));
}

async function loggedIn(connection: SMTPConnection, login: Login, signal: AbortSignal): Promise<void> {
  const { user } = login;
  const auth =
    "password" in login
      ? { user, pass: login.password }
      : { user, oauth2: new (await loadXOAuth2())({ user, accessToken: login.token }) };
  await closedOnAbort<boolean | undefined>(connection, signal, (settle) => connection.login(auth, settle));
}

type Settle<T> = (error: Error | null, value?: T) => void;

/** What `start` settles with; when `signal` fires before, the connection is closed and whatever was under way is over. */
function closedOnAbort<T>(
  connection: SMTPConnection,
  signal: AbortSignal,
  start: (settle: Settle<T>) => void,
): Promise<T> {
  const { promise, resolve, reject } = withResolvers<T>();
  const abandon = (): void => {
    reject(adapterError("ADAPTER_CANCELLED", "the call was given up"));
    connection.close();
  };
  // The call in progress learns of the error itself, if at all, only after the end.
  const ended = (): void => void setImmediate(() => reject(new Error("the connection ended")));
  if (signal.aborted) abandon();
  else {
    signal.addEventListener("abort", abandon, { once: true });
    connection.once("error", reject).once("end", ended);
    start((error, value) => (error === null ? resolve(value as T) : reject(error)));
  }
  return promise.finally(() => {
    signal.removeEventListener("abort", abandon);
    connection.off("error", reject).off("end", ended);
  });
}

function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((accept, refuse) => {
    resolve = accept;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
