/**
 * The connection to the IMAP server of one account: opened at the first use, kept for the run. A read whose connection drops is made once
 * more on a new one; a change is not. Folders are opened read-only for reads, so that looking at a message never marks it.
 */
import type { ImapFlow, ImapFlowOptions, MailboxObject } from "imapflow";
import { AdapterError } from "../../../../vm/errors/failures.ts";
import { systemTimers } from "../../../engine/timers.ts";
import { adapterError } from "../../../errors.ts";
import { type Access, accessTo, FAREWELL_MS, PATIENCE_MS, type SecretLookup } from "../access.ts";
import { folderFailure, imapFailure } from "../mail-errors.ts";
import { loadImapFlow } from "../packages.ts";
import { MAX_MESSAGE_BYTES, type MailServer } from "../settings.ts";

/** Longer than any call may take, so only abandoned connections ever hit it. */
const IDLE_MS = 150_000;
const FRAMING_BYTES = 1024 * 1024;

export type FolderUse = { readonly path: string; readonly change: boolean };
/** The client with a folder opened. */
export type OpenFolder = { readonly client: ImapFlow; readonly folder: MailboxObject };

export class ImapLine {
  readonly #server: MailServer;
  readonly #secret: SecretLookup;
  #client: ImapFlow | null = null;

  constructor(server: MailServer, secret: SecretLookup) {
    this.#server = server;
    this.#secret = secret;
  }

  /** Calls `work`; on a new connection once more when it only reads and the connection drops. */
  async use<T>(change: boolean, signal: AbortSignal, work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const attempt = async (): Promise<T> => during(await this.#connected(signal), signal, work);
    try {
      return await attempt().catch((thrown: unknown) => {
        if (change || signal.aborted || !(thrown instanceof LostConnection)) throw thrown;
        return attempt();
      });
    } catch (thrown) {
      throw signal.aborted ? cancelled() : imapFailure(thrown, change);
    }
  }

  /** As `use`, with a folder opened. Rejects with ADAPTER_NOT_FOUND when the folder does not exist. */
  inFolder<T>({ path, change }: FolderUse, signal: AbortSignal, work: (open: OpenFolder) => Promise<T>): Promise<T> {
    return this.use(change, signal, async (client) => {
      const lock = await client.getMailboxLock(path, { readOnly: !change }).catch((thrown: unknown) => {
        throw folderFailure(thrown);
      });
      try {
        const folder = client.mailbox;
        if (folder === false) throw adapterError("ADAPTER_NOT_FOUND", "unknown folder");
        return await work({ client, folder });
      } finally {
        lock.release();
      }
    });
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    if (client?.usable !== true) return;
    const callOff = systemTimers.after(FAREWELL_MS, () => client.close());
    await client.logout().catch(() => {});
    callOff();
    client.close();
  }

  async #connected(signal: AbortSignal): Promise<ImapFlow> {
    if (this.#client?.usable === true) return this.#client;
    const access = await accessTo(this.#server, "imap", this.#secret);
    const client = new (await loadImapFlow())(optionsOf(access));
    // Calls reject with the same error; without a listener it would end the process.
    client.on("error", () => {});
    try {
      await closedOnAbort(client, signal, () => client.connect());
    } catch (thrown) {
      client.close();
      throw thrown;
    }
    this.#client = client;
    return client;
  }
}

/** The connection was there and is gone. */
class LostConnection extends Error {
  readonly code = "NoConnection";
}

/** What `work` gives, provided that the connection is still there afterwards. */
async function during<T>(client: ImapFlow, signal: AbortSignal, work: (client: ImapFlow) => Promise<T>): Promise<T> {
  try {
    const result = await closedOnAbort(client, signal, () => work(client));
    if (!client.usable) throw new LostConnection();
    return result;
  } catch (thrown) {
    // The client answers calls on a closed connection with nothing, which must not be taken for the server's word.
    const silent = thrown instanceof AdapterError || imapFailure(thrown, false).code === "ADAPTER_TRANSPORT";
    throw silent && !client.usable ? new LostConnection() : thrown;
  }
}

/** When `signal` fires, the connection is closed and nothing is waited for any longer. */
async function closedOnAbort<T>(client: ImapFlow, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  let abandon = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abandon = () => {
      reject(cancelled());
      client.close();
    };
  });
  if (signal.aborted) abandon();
  signal.addEventListener("abort", abandon, { once: true });
  try {
    return await Promise.race([aborted, signal.aborted ? aborted : work()]);
  } finally {
    signal.removeEventListener("abort", abandon);
  }
}

function cancelled() {
  return adapterError("ADAPTER_CANCELLED", "the call was given up");
}

function optionsOf({ host, port, encryption, tls, login }: Access): ImapFlowOptions {
  return {
    host,
    port,
    secure: encryption === "implicit",
    ...(encryption === "implicit" ? {} : { doSTARTTLS: encryption === "starttls" }),
    tls,
    ...(login === null ? {} : { auth: authOf(login) }),
    clientInfo: { name: "weft" },
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: IDLE_MS,
    maxLineLength: FRAMING_BYTES,
    maxLiteralSize: MAX_MESSAGE_BYTES,
    maxResponseSize: MAX_MESSAGE_BYTES + FRAMING_BYTES,
  };
}

function authOf(login: NonNullable<Access["login"]>): NonNullable<ImapFlowOptions["auth"]> {
  return "password" in login
    ? { user: login.user, pass: login.password }
    : { user: login.user, accessToken: login.token };
}
