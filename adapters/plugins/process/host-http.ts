/** HTTP requests that the host makes for a plugin process: to the hosts of its settings, through the guarded client, nowhere else. */
import * as z from "zod";
import type { SettingDefinition } from "../../../compiler/catalog/settings.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { foldSetting, meetSettings } from "../../../vm/grant/setting-values.ts";
import type { OpenCall } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { type HttpScope, neededHttp } from "../../guard/http/http.ts";
import type { ReachFacts } from "./host-facts.ts";
import { badRequest, bytesOf, content, contentOf } from "./host-request.ts";

const headers = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
const requestShape = z.strictObject({
  method: z.string().min(1).max(20),
  url: z.string().max(8192),
  headers: headers.optional(),
  /** As other headers outside a short list of harmless ones, never sent to another origin than that of `url`. */
  credentials: headers.optional(),
  body: content.nullish(),
  redirect: z.enum(["follow", "manual", "error"]).optional(),
  max_response_bytes: z.number().int().positive().optional(),
  /** What the plugin itself narrows the request to. */
  allow_hosts: z.array(z.string().max(300)).max(1000).optional(),
  allow_ports: z.array(z.number().int()).max(1000).optional(),
  max_redirects: z.number().int().nonnegative().max(20).optional(),
});

/** Base64 of the largest body leaves room in a line for everything else. */
const MAX_BODY_BYTES = 5_000_000;

const HOSTS: SettingDefinition = { kind: "intersect", elements: "host" };

/** Scopes that differ in what a plugin narrows them to; few plugins need more than one. */
const MAX_SCOPES = 16;

export class HostHttp {
  readonly #name: string;
  readonly #facts: NonNullable<ReachFacts["settings"]>;
  readonly #call: OpenCall<unknown>;
  readonly #scopes = new Map<string, HttpScope>();

  constructor(name: string, facts: NonNullable<ReachFacts["settings"]>, call: OpenCall<unknown>) {
    this.#name = name;
    this.#facts = facts;
    this.#call = call;
  }

  async request(given: JsonObject, signal: AbortSignal): Promise<Json> {
    const read = requestShape.safeParse(given);
    if (!read.success) throw badRequest(read.error);
    const { method, url, headers, credentials, redirect, max_redirects, body } = read.data;
    const answer = await this.#scope(read.data).request({
      method,
      url,
      ...(headers === undefined ? {} : { headers }),
      credentials,
      redirect,
      maxRedirects: max_redirects,
      body: body === undefined || body === null ? null : bytesOf(body),
      maxResponseBytes: Math.min(read.data.max_response_bytes ?? MAX_BODY_BYTES, MAX_BODY_BYTES),
      signal,
    });
    return {
      status: answer.status,
      url: answer.url,
      redirects: answer.redirects,
      unfollowed: answer.unfollowed,
      headers: Object.fromEntries([...answer.headers].map(([name, values]) => [name, [...values]])),
      body: answer.body === null ? null : contentOf(answer.body),
    };
  }

  async close(): Promise<void> {
    const scopes = [...this.#scopes.values()];
    this.#scopes.clear();
    await Promise.all(scopes.map((scope) => scope.close()));
  }

  #scope({ allow_hosts, allow_ports }: z.output<typeof requestShape>): HttpScope {
    const key = JSON.stringify([allow_hosts ?? null, allow_ports ?? null]);
    const known = this.#scopes.get(key);
    if (known !== undefined) return known;
    if (this.#scopes.size >= MAX_SCOPES) throw adapterError("ADAPTER_QUOTA", "the plugin uses too many lists of hosts");
    const http = neededHttp(this.#call.host.http, "the plugin needs");
    const own = this.#ownHosts();
    const listed = this.#listed();
    const admitted = listed === null ? null : [...listed, ...own];
    const scope = http.scope({
      allowHosts: narrowed(admitted, allow_hosts ?? null) ?? undefined,
      allowPorts: allow_ports,
      operatorHosts: [...(http.operatorRules(this.#name)?.allowHosts ?? listed ?? []), ...own],
      maxRequestBytes: MAX_BODY_BYTES,
      maxResponseBytes: MAX_BODY_BYTES,
    });
    this.#scopes.set(key, scope);
    return scope;
  }

  /** The hosts of addresses that the operator alone gives. */
  #ownHosts(): readonly string[] {
    return Object.entries(this.#facts).flatMap(([name, { merge }]) => {
      const value = this.#setting(name);
      if (merge !== "server" || typeof value !== "string" || !URL.canParse(value)) return [];
      const { protocol, host } = new URL(value);
      return protocol === "https:" || protocol === "http:" ? [host] : [];
    });
  }

  /** The setting allow_hosts; null when it is not given, and then only the operator's hosts are reached. */
  #listed(): readonly string[] | null {
    if (!Object.hasOwn(this.#facts, "allow_hosts")) return [];
    const value = this.#setting("allow_hosts");
    if (value === undefined) return null;
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
  }

  #setting(name: string): unknown {
    return (this.#call.settings as Readonly<Record<string, unknown>>)[name];
  }
}

/** Hosts of both lists; null: every public host. */
function narrowed(admitted: readonly string[] | null, asked: readonly string[] | null): readonly string[] | null {
  if (asked === null) return admitted;
  const folded = foldSetting(asked, HOSTS);
  if (!("value" in folded)) throw adapterError("ADAPTER_BAD_ARGS", "allow_hosts is not a list of hosts");
  // A list of hosts and another one meet in a list of hosts.
  return (admitted === null ? folded.value : meetSettings(admitted, folded.value, HOSTS)) as readonly string[];
}
