/**
 * A load generator: a number of connections to one server, each with one request in progress at a time.
 * It reads answers only as far as it must to know where they end, so that it costs less than any server it drives.
 */
import { connect, type Socket } from "node:net";

export type LoadRequest = {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Lines of the head, besides those about the body. */
  readonly headers?: readonly string[];
};

export type LoadFigures = {
  readonly requests: number;
  readonly seconds: number;
  readonly per_second: number;
  /** Milliseconds from sending a request to the end of its answer. */
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Answers of another status than the one wanted. */
  readonly unwanted: number;
};

export type LoadOptions = {
  readonly port: number;
  /** The same one each time, or the next one. */
  readonly request: LoadRequest | (() => LoadRequest);
  readonly connections: number;
  readonly seconds: number;
  /** The wanted status; null: any. */
  readonly status?: number | null;
  /**
   * The generator never sleeps. A server that writes to a sleeping process pays for waking it, here some 20 µs an answer, and only servers slower
   * than the generator would: a peer that did nothing for 20 µs a request took 39 µs more with a generator that sleeps, 20 with this
   * one. Takes a core, so not where the server has use for all of them.
   */
  readonly awake?: boolean;
};

/** Drives the server for `seconds`. Rejects when a connection breaks in the middle of an answer. */
export async function drive(options: LoadOptions): Promise<LoadFigures> {
  const load = new Load(options);
  const begun = performance.now();
  const sleep = options.awake === true ? stayAwake() : () => {};
  try {
    await Promise.all(Array.from({ length: options.connections }, () => load.connection(begun)));
  } finally {
    sleep();
  }
  return load.figures((performance.now() - begun) / 1000);
}

/** Keeps the event loop turning until what it returns is called. */
function stayAwake(): () => void {
  let isAwake = true;
  const turn = (): void => {
    if (isAwake) setImmediate(turn);
  };
  turn();
  return () => {
    isAwake = false;
  };
}

class Load {
  readonly #options: LoadOptions;
  readonly #message: () => Buffer;
  readonly #times: number[] = [];
  #unwanted = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
    const { port, request } = options;
    if (typeof request === "function") this.#message = () => messageOf(port, request());
    else {
      const message = messageOf(port, request);
      this.#message = () => message;
    }
  }

  /** One connection after the other: a server may end one after a number of requests. */
  async connection(begun: number): Promise<void> {
    const ends = begun + this.#options.seconds * 1000;
    while (performance.now() < ends) await this.#untilClosed(ends);
  }

  figures(seconds: number): LoadFigures {
    const sorted = Float64Array.from(this.#times).sort();
    const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
    return {
      requests: sorted.length,
      seconds,
      per_second: sorted.length / seconds,
      p50_ms: at(0.5),
      p99_ms: at(0.99),
      unwanted: this.#unwanted,
    };
  }

  #untilClosed(ends: number): Promise<void> {
    const { status = 200 } = this.#options;
    const wanted = `HTTP/1.1 ${status ?? ""}`;
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port: this.#options.port, noDelay: true });
      const answer = new AnswerReader();
      let sent = 0;
      const send = (): void => {
        sent = performance.now();
        socket.write(this.#message());
      };
      socket.on("connect", send);
      socket.on("data", (chunk: Buffer) => {
        if (!answer.take(chunk)) return;
        const now = performance.now();
        this.#times.push(now - sent);
        if (!answer.head.startsWith(wanted)) this.#unwanted += 1;
        const closes = /\r\nconnection: close/i.test(answer.head);
        answer.reset();
        if (now < ends && !closes) send();
        else finish(socket, resolve);
      });
      socket.on("error", reject);
      socket.on("close", () => (answer.begun ? reject(new Error("a connection broke off")) : resolve()));
    });
  }
}

function messageOf(port: number, { method, path, body, headers = [] }: LoadRequest): Buffer {
  const length = ["content-type: application/json", `content-length: ${Buffer.byteLength(body)}`];
  const head = [`${method} ${path} HTTP/1.1`, `host: 127.0.0.1:${port}`, ...headers, ...(body === "" ? [] : length)];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function finish(socket: Socket, resolve: () => void): void {
  socket.removeAllListeners("close").once("close", resolve).destroy();
}

/** Where an answer with Content-Length ends. */
class AnswerReader {
  head = "";
  #received = 0;
  #length = Number.POSITIVE_INFINITY;

  get begun(): boolean {
    return this.#received > 0;
  }

  /** True when the answer is complete. */
  take(chunk: Buffer): boolean {
    if (this.#length === Number.POSITIVE_INFINITY) {
      this.head += chunk.toString("latin1");
      const end = this.head.indexOf("\r\n\r\n");
      if (end >= 0) {
        const length = /\r\ncontent-length: ([0-9]+)/i.exec(this.head.slice(0, end));
        this.#length = end + 4 + Number(length?.[1] ?? 0);
      }
    }
    this.#received += chunk.length;
    return this.#received >= this.#length;
  }

  reset(): void {
    this.head = "";
    this.#received = 0;
    this.#length = Number.POSITIVE_INFINITY;
  }
}
