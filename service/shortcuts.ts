/**
 * Requests for work that ask for nothing special go from the server straight to their route: the framework's routing, hooks and reply
 * take longer than a short program and its answer together. Whatever differs in any way goes through the framework, to the same code.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Answer, send } from "./answers.ts";
import type { AtOnce } from "./at-once.ts";
import { openCall } from "./call.ts";
import {
  answerThrown,
  checkEntry,
  type EntryRules,
  type Exchange,
  exchangeEnded,
  exchangeOf,
  writeAnswer,
} from "./exchange.ts";
import type { Services } from "./services.ts";

/** May throw, or reject with, ServiceFault. */
export type WorkRoute = (exchange: Exchange) => AtOnce<Answer>;

/** The same route for the framework. */
export function routed(route: WorkRoute): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    send(reply, await route(exchangeOf(request, reply)));
  };
}

export class Shortcuts {
  readonly #services: Services;
  readonly #rules: EntryRules;
  readonly #routes = new Map<string, WorkRoute>();

  constructor(services: Services, rules: EntryRules) {
    this.#services = services;
    this.#rules = rules;
  }

  /** Requests of POST to `path` may go straight to `route`. */
  add(path: string, route: WorkRoute): void {
    this.#routes.set(path, route);
  }

  /** False: the request is the framework's. */
  take(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const { method, url = "", headers } = incoming;
    // Where rates are limited, the framework knows who asks.
    if (method !== "POST" || !isPlain(headers) || this.#services.limitRate !== null) return false;
    const route = this.#routes.get(url);
    if (route === undefined) return false;
    this.#serve(route, incoming, outgoing, url);
    return true;
  }

  #serve(route: WorkRoute, incoming: IncomingMessage, outgoing: ServerResponse, path: string): void {
    const services = this.#services;
    const exchange = { incoming, outgoing, call: openCall(services, incoming, path, true) };
    let bytesOut = 0;
    const write = (answer: Answer): void => {
      bytesOut = writeAnswer(services, exchange, answer);
    };
    const fail = (cause: unknown): void => write(answerThrown(services, cause, exchange));
    const written = (answer: Answer): void => {
      try {
        write(answer);
      } catch (cause) {
        fail(cause);
      }
    };
    outgoing.on("close", () => exchangeEnded(services, exchange, bytesOut));
    try {
      checkEntry(services, this.#rules, exchange.call, incoming, unlimited);
      const answer = route(exchange);
      if (answer instanceof Promise) answer.then(written, fail);
      else write(answer);
    } catch (cause) {
      fail(cause);
    }
  }
}

function unlimited(): string {
  return "";
}

const PLAIN_ACCEPT: ReadonlySet<string | undefined> = new Set([undefined, "*/*", "application/json"]);

function isPlain(headers: IncomingHttpHeaders): boolean {
  return headers["content-type"] === "application/json" && PLAIN_ACCEPT.has(headers.accept);
}
