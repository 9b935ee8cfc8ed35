/** SMTP servers in process: one that records what it receives and can refuse on request, and one that speaks a script line by line. */
import { createServer, type Server, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { JsonObject } from "../../../../compiler/json.ts";

type ReceivedMail = { readonly from: string; readonly recipients: readonly string[]; readonly raw: string };

export type RecordingServer = {
  readonly port: number;
  /** Messages taken, in order. */
  readonly mails: readonly ReceivedMail[];
  /** Connections made so far, and those still open. */
  readonly connections: { made: number; open: number };
  /** The section `smtp` of an account at this server. */
  readonly section: JsonObject;
  close(): Promise<void>;
};

/** What the server answers to a recipient or a message; nothing: it takes it. */
export type Refusals = {
  readonly recipient?: (address: string) => number | undefined;
  readonly message?: (raw: string) => number | undefined;
};

export const USER = "robot@x.test";
export const PASSWORD = "canary-Passw0rd-7f3e";

export async function recordingServer(
  options: SMTPServerOptions = {},
  refusals: Refusals = {},
  address = "127.0.0.1",
): Promise<RecordingServer> {
  const mails: ReceivedMail[] = [];
  const connections = { made: 0, open: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 50,
    onConnect(_session, done) {
      connections.made += 1;
      connections.open += 1;
      done();
    },
    onClose() {
      connections.open -= 1;
    },
    onRcptTo({ address }, _session, done) {
      done(refusal(refusals.recipient?.(address)));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString("utf8");
        const refused = refusal(refusals.message?.(raw));
        const { mailFrom, rcptTo } = session.envelope;
        if (refused === null)
          mails.push({
            from: mailFrom === false ? "" : mailFrom.address,
            recipients: rcptTo.map((one) => one.address),
            raw,
          });
        done(refused);
      });
    },
    ...options,
  });
  server.on("error", () => {});
  const listening = server.listen(0, address);
  await new Promise<void>((resolve) => listening.once("listening", () => resolve()));
  const port = portOf(listening);
  return {
    port,
    mails,
    connections,
    section: { host: address, port, allow_plain: true },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function refusal(code: number | undefined): (Error & { responseCode: number }) | null {
  return code === undefined ? null : Object.assign(new Error("canary-server-text"), { responseCode: code });
}

/** Accepts a login of USER with PASSWORD only. */
export const withLogin: SMTPServerOptions = {
  authOptional: false,
  allowInsecureAuth: true,
  onAuth({ username, password }, _session, done) {
    if (username === USER && password === PASSWORD) done(null, { user: username });
    else done(new Error("canary-server-text"));
  },
};

export type ScriptedServer = {
  readonly port: number;
  readonly section: JsonObject;
  readonly lines: readonly string[];
  /** Resolves when a client's connection is gone. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
};

/** What a server says when somebody connects. */
export const CONNECTED = "(connected)";

/** A server that calls `reply` for every line it gets, and with CONNECTED at the start. */
export async function scriptedServer(reply: (line: string, socket: Socket) => string | null): Promise<ScriptedServer> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  let gone = (): void => {};
  const closed = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const server = createServer((socket) => {
    sockets.add(socket);
    const answer = (line: string): void => {
      const text = reply(line, socket);
      if (text !== null && !socket.destroyed) socket.write(`${text}\r\n`);
    };
    let rest = "";
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      gone();
    });
    socket.on("data", (chunk) => {
      const parts = (rest + chunk.toString("latin1")).split("\r\n");
      rest = parts.pop() ?? "";
      for (const line of parts) {
        lines.push(line);
        answer(line);
      }
    });
    answer(CONNECTED);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const port = portOf(server);
  return {
    port,
    lines,
    closed,
    section: { host: "127.0.0.1", port, allow_plain: true },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server listens on a port");
  return address.port;
}
