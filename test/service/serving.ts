/**
 * A running service for tests: the real application on a free port, a log that tests can read, and an adapter `ext` whose calls they can
 * hold open. Every answer that passes through `call` is checked against the service's own OpenAPI document.
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from "node:http";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { z } from "zod";
import { catalogEntryOf } from "../../adapters/definition/catalog-entry.ts";
import { type AdapterDefinition, anyJson, arg, defineAdapter, verbsFor } from "../../adapters/definition/define.ts";
import type { Variables } from "../../adapters/operator/host-config.ts";
import type { HostAdapters } from "../../adapters/plugins/open.ts";
import type { Json } from "../../compiler/json.ts";
import { type AppOptions, createApp } from "../../service/app.ts";
import { readServiceStart } from "../../service/config.ts";
import type { ServiceApp } from "../../service/http/service-app.ts";
import type { JobsPart } from "../../service/jobs-part.ts";
import { portOf } from "../../service/main.ts";
import { openServices, type ServicesOptions } from "../../service/open-services.ts";
import type { Services } from "../../service/services.ts";
import { drain } from "../../service/shutdown.ts";
import type { LogOutput } from "../../service/telemetry/log-output.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import type { Grant } from "../../vm/grant/grant.ts";
import type { Clock } from "../../vm/run.ts";
import { keysInMemory } from "./run/keys-in-memory.ts";

export type LogEvent = { readonly event: string; readonly level: string; readonly [member: string]: Json };

export type Reply = {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
};

export const realClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  wait(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** Calls of `ext.Hold` that wait for the test. */
type Held = { readonly name: string; readonly signal: AbortSignal; release(value: Json): void };

export type ServingOptions = {
  readonly variables?: Variables;
  readonly clock?: Clock;
  readonly app?: AppOptions;
  /** The job queue; absent for a service without jobs. */
  readonly part?: JobsPart;
  /** When and where runs are moved; worker threads exist only when `variables` ask for some. */
  readonly moving?: NonNullable<ServicesOptions["moving"]>;
  /** The server's grant instead of the contract's floor. */
  readonly floor?: Grant;
  /** Built-in adapters and plugins; default: the built-in ones. */
  readonly adapters?: HostAdapters;
  /** Without `ext`: it was removed from the service. */
  readonly isExtGone?: boolean;
};

export type Serving = {
  readonly port: number;
  readonly app: ServiceApp;
  readonly services: Services;
  /** Calls of `ext` that were really made, in order. */
  readonly made: string[];
  /** Call ids of its verbs Echo and Fail, in order. */
  readonly callIds: string[];
  readonly log: readonly LogEvent[];
  /** Lines of the log as they were written. */
  readonly lines: readonly string[];
  /** The first event of this name, or the first from now on that fits. */
  logged(event: string, fits?: (event: LogEvent) => boolean): Promise<LogEvent>;
  /** The next call of `ext.Hold` that has not been taken. */
  held(): Promise<Held>;
  call(method: string, path: string, body?: unknown, headers?: OutgoingHttpHeaders): Promise<Reply>;
  run(body: object, headers?: OutgoingHttpHeaders): Promise<Reply>;
  /** An orderly end, as a signal asks for. */
  drain(): Promise<void>;
  /** Ends everything at once. */
  stop(): Promise<void>;
};

export async function serving(options: ServingOptions = {}): Promise<Serving> {
  const { variables = {}, clock = realClock, part = null, moving, floor, adapters, isExtGone = false } = options;
  const start = readServiceStart({ WF_PORT: "0", WF_LOG_LEVEL: "debug", WF_WORKER_THREADS: "0", ...variables });
  const lines: string[] = [];
  const log: LogEvent[] = [];
  const watchers = new Set<(event: LogEvent) => void>();
  const output: LogOutput = {
    write(line) {
      const event: LogEvent = JSON.parse(line);
      lines.push(line);
      log.push(event);
      for (const watcher of watchers) watcher(event);
    },
    dropped: 0,
    onRelief: () => {},
    flush: async () => {},
  };
  const made: string[] = [];
  const callIds: string[] = [];
  const waiting: Held[] = [];
  const takers: ((held: Held) => void)[] = [];
  const definition = extAdapter(made, callIds, (held) => {
    const taker = takers.shift();
    if (taker === undefined) waiting.push(held);
    else taker(held);
  });
  let ids = 0;
  const { services, runtime } = openServices({
    start,
    clock,
    uuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    output,
    lag: { p99: () => 0, takeLongest: () => 0 },
    ...(moving === undefined ? {} : { moving }),
    ...(adapters === undefined ? {} : { adapters }),
    runtime: {
      ...(isExtGone ? {} : { entries: [catalogEntryOf(definition)], definitions: [definition], enable: ["ext"] }),
      ...(floor === undefined ? {} : { floor }),
    },
    ...(part?.keeps ?? { idempotency: keysInMemory() }),
  });
  const app = await createApp(services, { ...options.app, ...(part === null ? {} : { part }) });
  await part?.start();
  await app.listen({ host: "127.0.0.1", port: 0 });
  services.readiness.open();
  const port = portOf(app);
  const validate = await answerValidator(app, port);

  const call: Serving["call"] = async (method, path, body, headers = {}) => {
    const reply = await exchange(port, method, path, body, headers);
    validate(method, path, reply);
    return reply;
  };
  return {
    port,
    app,
    services,
    made,
    callIds,
    log,
    lines,
    logged(name, fits = () => true) {
      const known = log.find((event) => event.event === name && fits(event));
      if (known !== undefined) return Promise.resolve(known);
      return new Promise((resolve) => {
        const watcher = (event: LogEvent): void => {
          if (event.event !== name || !fits(event)) return;
          watchers.delete(watcher);
          resolve(event);
        };
        watchers.add(watcher);
      });
    },
    held() {
      const first = waiting.shift();
      return first === undefined ? new Promise((resolve) => takers.push(resolve)) : Promise.resolve(first);
    },
    call,
    run: (body, headers) => call("POST", "/run", body, headers),
    drain: () => drain(app, services, part, "SIGTERM").then(() => runtime.close()),
    async stop() {
      services.slots.cancelAll("the test is over");
      await drain(app, services, part, "test");
      await runtime.close();
    },
  };
}

/** One request without any rules of a client: the headers are those given, the body is text, bytes or a JSON value. */
export async function exchange(
  port: number,
  method: string,
  path: string,
  body?: unknown,
  headers: OutgoingHttpHeaders = {},
): Promise<Reply> {
  const sent =
    body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const type = body === undefined || "content-type" in headers ? {} : { "content-type": "application/json" };
  const request = opened(port, method, path, { ...type, ...headers });
  const reply = replyOf(request);
  request.end(sent);
  return reply;
}

/** A request whose body the test writes itself. */
export function opened(port: number, method: string, path: string, headers: OutgoingHttpHeaders = {}): ClientRequest {
  return httpRequest({ host: "127.0.0.1", port, method, path, headers, agent: false });
}

export function replyOf(request: ClientRequest): Promise<Reply> {
  return new Promise((resolve, reject) => {
    request.once("error", reject);
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const isJson =
          /json/.test(response.headers["content-type"] ?? "") && !/ndjson/.test(response.headers["content-type"] ?? "");
        const { statusCode: status = 0, headers } = response;
        try {
          const body: unknown = isJson && text !== "" ? JSON.parse(text) : null;
          resolve({ status, headers, text, body });
        } catch (thrown) {
          reject(thrown);
        }
      });
    });
  });
}

type Operation = {
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: Readonly<Record<string, unknown>>; readonly headers?: Readonly<Record<string, unknown>> }
    >
  >;
};
/** Headers of every answer, of HTTP itself or of what stands in front. */
const PLAIN_HEADERS =
  /^(content-(type|length|security-policy)|transfer-encoding|connection|keep-alive|date|cache-control|x-content-type-options|referrer-policy|x-accel-buffering|x-request-id)$/;
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

type AnswerValidator = (method: string, path: string, reply: Reply) => void;

/** By the routes of a service: what their document says follows from them, and making it takes longer than most tests. */
const validators = new Map<string, AnswerValidator>();

async function answerValidator(app: ServiceApp, port: number): Promise<AnswerValidator> {
  const routes = app.printRoutes({ commonPrefix: false });
  const known = validators.get(routes) ?? validatorOf((await exchange(port, "GET", "/openapi.json")).body);
  validators.set(routes, known);
  return known;
}

/** Fails when an answer is not one that the document describes: its status, its type, its shape. */
function validatorOf(document: Document): AnswerValidator {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: "api", ...document } as object);
  const compiled = new Map<string, ValidateFunction>();
  const validate = (reference: string, body: unknown, what: string): void => {
    const check = compiled.get(reference) ?? ajv.compile({ $ref: reference });
    compiled.set(reference, check);
    expect(check(body) ? [] : check.errors, what).toEqual([]);
  };
  return (method, path, { status, headers, text, body }) => {
    // Files of the console, which the document leaves out.
    if (path.startsWith("/ui") && status === 200) return;
    // Addresses that people are sent.
    if (/^\/[as]\//.test(path)) return;
    const what = `${method} ${path} ${status}`;
    const pattern = (path.split("?")[0] ?? "")
      .replace(/^\/result\/[^/]+/, "/result/{id}")
      .replace(/^\/jobs\/[^/]+\/state$/, "/jobs/{id}/state")
      .replace(/\/signals\/[^/]+/, "/signals/{name}")
      .replace(/^\/approvals\/[^/]+/, "/approvals/{id}")
      .replace(/^\/proposals\/[^/]+/, "/proposals/{id}")
      .replace(/^\/events\/[^/]+/, "/events/{id}")
      .replace(/^\/programs\/[^/]+/, "/programs/{name}")
      .replace(/^\/schedules\/[^/]+\/[^/]+\/[0-9]+/, "/schedules/{program}/{label}/{number}")
      .replace(/^\/schedules\/[^/{]+\/[^/{]+/, "/schedules/{program}/{label}")
      .replace(/\/versions\/[^/]+/, "/versions/{version}");
    const operation = document.paths[pattern]?.[(method === "HEAD" ? "GET" : method).toLowerCase()];
    const type = (headers["content-type"] ?? "").split(";")[0] ?? "";
    if (operation === undefined || body?.error === "not_found") {
      if (!path.startsWith("/ui/")) expect([403, 404, 405], what).toContain(status);
      if (method === "HEAD") return;
      const name = type === "application/problem+json" ? "ProblemBody" : "ErrorBody";
      return validate(`api#/components/schemas/${name}`, body, what);
    }
    expect(Object.keys(operation.responses), what).toContain(String(status));
    const described = Object.keys(operation.responses[status]?.headers ?? {}).map((name) => name.toLowerCase());
    const others = Object.keys(headers).filter((name) => !PLAIN_HEADERS.test(name) && !described.includes(name));
    expect(others, what).toEqual([]);
    if (status === 204 || status === 304) return expect(text, what).toBe("");
    expect(Object.keys(operation.responses[status]?.content ?? {}), what).toContain(type);
    if (method === "HEAD") return expect(text, what).toBe("");
    const pointer = ["paths", pattern, method.toLowerCase(), "responses", String(status), "content", type, "schema"]
      .map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1"))
      .join("/");
    const reference = `api#/${pointer}`;
    if (type === "application/x-ndjson")
      for (const line of text.trimEnd().split("\n")) validate(reference, JSON.parse(line), what);
    else validate(reference, body ?? text, what);
  };
}

/** Echo, Fail, Hold, Crash; `Write` writes. */
function extAdapter(made: string[], callIds: string[], hold: (held: Held) => void): AdapterDefinition {
  const verb = verbsFor();
  const heldCall = ({
    args: [name],
    ctx,
  }: {
    readonly args: readonly [string];
    readonly ctx: { readonly signal: AbortSignal };
  }) => {
    made.push("Hold");
    return new Promise<Json>((release, reject) => {
      ctx.signal.addEventListener("abort", () => reject(new AdapterError("ADAPTER_CANCELLED", "cancelled")));
      hold({ name, signal: ctx.signal, release });
    });
  };
  const facts = { effect: "io-read", kind: "read", determinism: "external", result: anyJson() } as const;
  return defineAdapter({
    apiVersion: 1,
    name: "ext",
    version: "1.0.0",
    summary: "Verbs that tests hold in their hands.",
    support: "extension_ecosystem",
    lane: "noncanonical",
    privilege: "local_state",
    sandboxSafe: true,
    networkFacing: false,
    durable: false,
    maturity: "stable",
    settings: {},
    verbs: {
      Echo: verb({
        ...facts,
        summary: "Gives its argument back.",
        args: z.tuple([arg("value", anyJson())]),
        run({ args: [value], ctx }) {
          made.push("Echo");
          callIds.push(ctx.callId);
          return value;
        },
      }),
      Fail: verb({
        ...facts,
        summary: "Fails with a message.",
        args: z.tuple([arg("message", z.string())]),
        run({ args: [message], ctx }) {
          made.push("Fail");
          callIds.push(ctx.callId);
          throw new AdapterError("ADAPTER_UNAVAILABLE", message, { retryable: true });
        },
      }),
      Write: verb({
        ...facts,
        effect: "io-write",
        kind: "write",
        summary: "Writes something, again each time.",
        args: z.tuple([arg("value", anyJson())]),
        run() {
          made.push("Write");
          return null;
        },
      }),
      Crash: verb({
        ...facts,
        summary: "Throws what no adapter should.",
        args: z.tuple([arg("message", z.string())]),
        run({ args: [message] }) {
          throw new TypeError(message);
        },
      }),
      Hold: verb({
        ...facts,
        summary: "Answers when the test says so.",
        timeoutMs: 60_000,
        args: z.tuple([arg("name", z.string())]),
        run: heldCall,
      }),
      HoldWrite: verb({
        ...facts,
        effect: "io-write",
        kind: "write",
        summary: "Writes, and answers when the test says so.",
        timeoutMs: 60_000,
        args: z.tuple([arg("name", z.string())]),
        run: heldCall,
      }),
    },
  });
}
