/** An IMAP server in process, with a look at what is stored in it and hands on its connections. */
import { connect, createServer, type Socket } from "node:net";
import hoodiecrow, { type StoredFolder } from "hoodiecrow-imap";
import type { JsonObject } from "../../../../compiler/json.ts";
import { portOf } from "./smtp-world.ts";

type GivenMessage = { readonly raw: string; readonly flags?: readonly string[]; readonly uid?: number };
export type GivenFolders = Readonly<Record<string, readonly (string | GivenMessage)[]>>;

export type ImapServer = {
  /** The section `imap` of an account at this server. */
  readonly section: JsonObject;
  folder(path: string): StoredFolder;
  /** Connections made so far, and those still open. */
  readonly connections: { made: number; open: number };
  /** What clients sent. */
  sent(): string;
  /** Drops every connection. */
  drop(): void;
  /** Drops a connection instead of handing on an answer with this text, once or more often. */
  dropAfter(text: string, times?: number): void;
  /** From now on, bytes of a client get no answer. */
  freeze(): void;
  close(): Promise<void>;
};

export const ALL_PLUGINS = ["ID", "SASL-IR", "AUTH-PLAIN", "NAMESPACE", "UIDPLUS", "MOVE", "UNSELECT", "LITERALPLUS"];

/** Everything goes through a relay of our own, so that tests can watch, cut and freeze it. */
export async function imapServer(
  { INBOX = [], ...folders }: GivenFolders,
  plugins: readonly string[] = ALL_PLUGINS,
): Promise<ImapServer> {
  const server = hoodiecrow({
    plugins,
    storage: {
      INBOX: { messages: INBOX.map(given) },
      "": {
        separator: "/",
        folders: Object.fromEntries(
          Object.entries(folders).map(([name, messages]) => [name, { messages: messages.map(given) }]),
        ),
      },
    },
  });
  // It answers in small pieces, and one that waits for the receipt of another costs 40 ms.
  server.server.on("connection", (socket) => void socket.setNoDelay());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sockets = new Set<Socket>();
  const connections = { made: 0, open: 0 };
  const chunks: Buffer[] = [];
  let frozen = false;
  let last = { text: "", times: 0 };
  const relay = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: portOf(server.server), host: "127.0.0.1", noDelay: true });
    connections.made += 1;
    connections.open += 1;
    sockets.add(client);
    client.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (!frozen) upstream.write(chunk);
    });
    const end = (): void => {
      if (sockets.delete(client)) connections.open -= 1;
      client.destroy();
      upstream.destroy();
    };
    upstream.on("data", (chunk: Buffer) => {
      const isLast = last.times > 0 && chunk.toString("latin1").toLowerCase().includes(last.text);
      if (!isLast) return void client.write(chunk);
      last.times -= 1;
      end();
    });
    for (const socket of [client, upstream]) socket.on("error", end).on("close", end);
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  return {
    section: {
      host: "127.0.0.1",
      port: portOf(relay),
      allow_plain: true,
      user: "testuser",
      auth_secret: "IMAP_PASSWORD",
    },
    folder: (path) => server.getMailbox(path),
    connections,
    sent: () => Buffer.concat(chunks).toString("latin1"),
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    dropAfter(text, times = 1) {
      last = { text: text.toLowerCase(), times };
    },
    freeze() {
      frozen = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => relay.close(() => resolve()));
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

function given(message: string | GivenMessage): object {
  return typeof message === "string" ? { raw: message } : { ...message, flags: [...(message.flags ?? [])] };
}

/** A plain message. */
export function mail(subject: string, body: string, headers = ""): string {
  const head = `From: Ada Lovelace <ada@x.test>\r\nTo: robot@x.test\r\nDate: Mon, 01 Mar 2027 09:00:00 +0100\r\n`;
  const id = `Message-ID: <${subject.replaceAll(/\W/g, "-")}@x.test>\r\n`;
  return `${head}${id}${headers}Subject: ${subject}\r\n\r\n${body}\r\n`;
}
