/** A server of any kind with an interface of JSON over HTTP, as the operator describes it (`endpoints.ts`). Lists come from one request. */
import type { Json } from "../../../compiler/json.ts";
import { textOfHtml } from "../../content/html-text.ts";
import { valueAt } from "../../content/json-path.ts";
import { orNull } from "../../content/or-null.ts";
import type { VerbContext } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { type Endpoint, type Endpoints, filled, takes, type Values, type WritingEndpoint } from "./endpoints.ts";
import {
  type Draft,
  holdsText,
  isSince,
  type MentionsQuery,
  type Post,
  type Profile,
  type Provider,
  type Published,
  type SearchQuery,
  secondsOf,
  timeOf,
  type Writer,
} from "./provider.ts";
import { type AccountServer, badAnswer, jsonOf, type Sent } from "./server.ts";

/** Numbers above are milliseconds since 1970, not seconds. */
const MAX_SECONDS = 100_000_000_000;

export class HttpProvider implements Provider, Writer {
  readonly #server: AccountServer;
  readonly #endpoints: Endpoints;

  constructor(server: AccountServer, endpoints: Endpoints) {
    this.#server = server;
    this.#endpoints = endpoints;
  }

  get writer(): Writer | null {
    return this.#endpoints.post === undefined && this.#endpoints.delete === undefined ? null : this;
  }

  async mentions({ text, sinceId, limit }: MentionsQuery, ctx: VerbContext): Promise<readonly Post[]> {
    const posts = await this.#list(this.#endpoints.mentions, { text, since_id: sinceId, limit }, ctx);
    const end = posts.findIndex(({ id }) => id === sinceId);
    const newer = end < 0 ? posts : posts.slice(0, end);
    return newer.filter((post) => holdsText(post, text)).slice(0, limit);
  }

  async search({ text, sinceMs, limit }: SearchQuery, ctx: VerbContext): Promise<readonly Post[]> {
    const since = sinceMs === null ? null : new Date(sinceMs).toISOString();
    const posts = await this.#list(this.#endpoints.search, { text, since, limit }, ctx);
    return posts.filter((post) => isSince(post, sinceMs)).slice(0, limit);
  }

  async timeline(limit: number, ctx: VerbContext): Promise<readonly Post[]> {
    return (await this.#list(this.#endpoints.timeline, { limit }, ctx)).slice(0, limit);
  }

  async get(id: string, ctx: VerbContext): Promise<Post | null> {
    const endpoint = known(this.#endpoints.get);
    const answer = await orNull(this.#asked(endpoint, { id }, "GET", {}, ctx));
    return answer === null ? null : this.#postIn(answer);
  }

  async profile(ctx: VerbContext): Promise<Profile> {
    const answer = await this.#asked(known(this.#endpoints.profile), {}, "GET", {}, ctx);
    const { name, url, followers, posts } = this.#endpoints.profile_fields;
    return {
      name: textAt(answer, name) ?? "",
      url: textAt(answer, url),
      followers: countAt(answer, followers),
      posts: countAt(answer, posts),
    };
  }

  async publish(draft: Draft, key: string, ctx: VerbContext): Promise<Published> {
    const endpoint = known(this.#endpoints.post);
    const { text, replyTo: reply_to, visibility, language, scheduledAt: scheduled_at, media } = draft;
    const values = { text, reply_to, visibility, language, scheduled_at };
    // What the server is not told would come out otherwise than the program wants, and in public.
    for (const [name, value] of Object.entries(values))
      if (value !== null && !takes(endpoint, name as keyof typeof values)) throw untold(name);
    if (media.length > 0) throw untold("media");
    const answer = await this.#asked(endpoint, values, "POST", { "idempotency-key": key }, ctx);
    const { id, url, ts } = this.#endpoints.post_fields;
    const seconds = timeAt(answer, ts);
    return { id: idAt(answer, id), url: textAt(answer, url), createdAt: seconds === null ? null : timeOf(seconds) };
  }

  async remove(id: string, ctx: VerbContext): Promise<boolean> {
    const endpoint = known(this.#endpoints.delete);
    return (await orNull(this.#sent(endpoint, { id }, "DELETE", {}, ctx))) !== null;
  }

  async #list(endpoint: Endpoint | undefined, values: Values, ctx: VerbContext): Promise<readonly Post[]> {
    const answer = await this.#asked(known(endpoint), values, "GET", {}, ctx);
    if (!Array.isArray(answer)) throw badAnswer("has no list of posts where the account says");
    return (answer as readonly Json[]).map((one) => this.#postIn(one));
  }

  /** What stands in the answer where the endpoint says. */
  async #asked(
    endpoint: WritingEndpoint,
    values: Values,
    method: Sent["method"],
    headers: Readonly<Record<string, string>>,
    ctx: VerbContext,
  ): Promise<Json> {
    const found = valueAt(jsonOf(await this.#sent(endpoint, values, method, headers, ctx)), endpoint.result);
    if (found === undefined) throw badAnswer("has nothing where the account says");
    return found;
  }

  async #sent(
    endpoint: WritingEndpoint,
    values: Values,
    method: Sent["method"],
    headers: Readonly<Record<string, string>>,
    ctx: VerbContext,
  ) {
    const request = filled(endpoint, values);
    if (request === null) throw adapterError("ADAPTER_NOT_FOUND", "the social server has no such thing");
    const url = this.#server.url(request.path);
    for (const [name, value] of request.query) url.searchParams.append(name, value);
    const { body } = request;
    const json = body === null ? {} : { body: { bytes: Buffer.from(JSON.stringify(body)), type: "application/json" } };
    return this.#server.ask(url, { method: endpoint.method ?? method, headers, ...json }, ctx);
  }

  #postIn(answer: Json): Post {
    const { post_fields: fields, html } = this.#endpoints;
    const text = textAt(answer, fields.text);
    if (text === null) throw badAnswer("has a post without text");
    return {
      id: idAt(answer, fields.id),
      text: html ? textOfHtml(text) : text,
      ts: timeAt(answer, fields.ts),
      author: textAt(answer, fields.author),
      url: textAt(answer, fields.url),
      lang: textAt(answer, fields.lang),
      replyTo: idOrNull(valueAt(answer, fields.reply_to)),
    };
  }
}

function known<T extends Endpoint>(endpoint: T | undefined): T {
  if (endpoint !== undefined) return endpoint;
  throw adapterError("ADAPTER_NOT_CONFIGURED", "the social account has no endpoint for this");
}

function untold(name: string): Error {
  const data = { option: name };
  return adapterError("ADAPTER_NOT_CONFIGURED", `the social account cannot tell its server ${name}`, { data });
}

function textAt(answer: Json, path: string): string | null {
  const value = valueAt(answer, path);
  return typeof value === "string" ? value : null;
}

function countAt(answer: Json, path: string): number | null {
  const value = valueAt(answer, path);
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function idAt(answer: Json, path: string): string {
  const id = idOrNull(valueAt(answer, path));
  if (id === null) throw badAnswer("has a post without id");
  return id;
}

function idOrNull(value: Json | undefined): string | null {
  if (typeof value === "string" && value !== "") return value;
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : null;
}

function timeAt(answer: Json, path: string): number | null {
  const value = valueAt(answer, path);
  if (typeof value === "string") return secondsOf(value);
  if (typeof value !== "number" || Math.abs(value) > MAX_SECONDS * 1000) return null;
  return Math.floor(value > MAX_SECONDS ? value / 1000 : value);
}
