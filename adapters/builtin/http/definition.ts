/**
 * The http adapter: requests to servers outside (docs/adapters/http.md). Here stands what it promises to programs; what keeps
 * requests away from places they must not reach is the host's client (`adapters/guard/http/http.ts`).
 */
import { defineAdapter, verbsFor, z } from "../../definition/define.ts";
import { neededHttp } from "../../guard/http/http.ts";
import { bodilessArgs, bodyArgs, readOptions, respelling, writeOptions } from "./arguments.ts";
import { type Asked, request } from "./call.ts";
import type { Envelope } from "./envelope.ts";
import { type HttpInstance, httpSettings, MAX_TIMEOUT_S } from "./settings.ts";

const verb = verbsFor<typeof httpSettings, HttpInstance>();

const envelope = z.object({
  ok: z.boolean(),
  status: z.number().int(),
  status_code: z.number().int(),
  error: z.null(),
  body: z.json(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  url: z.string(),
  final_url: z.string(),
  redirects: z.number().int(),
  elapsed_ms: z.number().int(),
  lossy: z.literal(true).optional(),
  parse_error: z.literal(true).optional(),
});

const common = {
  kind: "http",
  determinism: "external",
  timeoutMs: 5_000,
  maxTimeoutMs: MAX_TIMEOUT_S * 1000,
  // The setting max_response_bytes bounds the body; as JSON it may be several times as long.
  maxResultBytes: 256 * 1024 * 1024,
  errors: [
    "ADAPTER_BAD_URL",
    "ADAPTER_HOST_BLOCKED",
    "ADAPTER_ADDRESS_BLOCKED",
    "ADAPTER_TOO_MANY_REDIRECTS",
    "ADAPTER_HTTP_STATUS",
  ],
  result: envelope,
} as const;

type Example = { readonly source: string; readonly result: Envelope };

function example(source: string, url: string, members: Partial<Envelope> = {}): readonly Example[] {
  const status = members.status ?? 200;
  const result = { ok: true, status, status_code: status, error: null, body: null, headers: {}, ...members };
  return [{ source, result: { ...result, url, final_url: url, redirects: 0, elapsed_ms: 21 } }];
}

function reading(method: string, summary: string, source: string, members?: Partial<Envelope>) {
  return verb({
    ...common,
    exact: true,
    effect: "io-read",
    summary,
    args: bodilessArgs,
    options: readOptions,
    respell: respelling(1),
    examples: example(source, "https://api.example.com/items", members),
    run: ({ args: [url, headers], options, ...call }) => request({ method, url, headers, options }, call),
  });
}

function sending(method: string, summary: string, source: string, members: Partial<Envelope>, idempotent = false) {
  return verb({
    ...common,
    exact: true,
    effect: "io-write",
    idempotent,
    summary,
    args: bodyArgs,
    options: writeOptions,
    respell: respelling(2),
    examples: example(source, "https://api.example.com/items/7", members),
    run({ args: [url, body, headers], options, ...call }) {
      const asked: Asked = { method, url, body, headers, options };
      return request(asked, call);
    },
  });
}

export const httpAdapter = defineAdapter<typeof httpSettings, HttpInstance>({
  apiVersion: 1,
  concurrent: true,
  name: "http",
  version: "1.0.0",
  summary: "Requests to HTTP servers.",
  support: "core",
  lane: "canonical",
  privilege: "network",
  sandboxSafe: false,
  networkFacing: true,
  durable: false,
  maturity: "beta",
  needs: ["http"],
  settings: httpSettings,

  open({ settings, host }) {
    const http = neededHttp(host.http, "http needs");
    const operator = http.operatorRules("http");
    const scope = http.scope({
      allowHosts: settings.allow_hosts,
      operatorHosts: operator === null ? settings.allow_hosts : operator.allowHosts,
      allowPorts: settings.allow_ports,
      // A caller can take the permission away, but not give it.
      allowPrivate: settings.allow_private === false ? false : (operator?.allowPrivate ?? settings.allow_private),
      maxResponseBytes: settings.max_response_bytes,
      maxRequestBytes: settings.max_request_bytes,
      maxRedirects: settings.max_redirects,
      userAgent: settings.user_agent,
      proxyUrl: settings.proxy_url,
      caFile: settings.ca_file,
    });
    return { scope, propagateTrace: http.propagateTrace };
  },
  close: ({ scope }) => scope.close(),

  verbs: {
    Get: reading("GET", "Asks for what stands at an address.", 'R http.Get "https://api.example.com/items" ->r', {
      body: { items: [] },
    }),
    Post: sending(
      "POST",
      "Sends something to an address.",
      'R http.Post "https://api.example.com/items/7" {"name": "Ada"} {"accept": "application/json"} ->r',
      { status: 201, body: { id: 7 } },
    ),
    Put: sending(
      "PUT",
      "Replaces what stands at an address.",
      'R http.Put "https://api.example.com/items/7" {"name": "Ada"} {"timeout_s": 3} ->r',
      { body: { id: 7 } },
      true,
    ),
    Patch: sending(
      "PATCH",
      "Changes a part of what stands at an address.",
      'R http.Patch "https://api.example.com/items/7" {"name": "Ada"} ->r',
      { body: { id: 7 } },
    ),
    Delete: verb({
      exact: true,
      ...common,
      effect: "io-write",
      idempotent: true,
      summary: "Removes what stands at an address.",
      args: bodilessArgs,
      options: writeOptions,
      respell: respelling(1),
      examples: example('R http.Delete "https://api.example.com/items/7" ->r', "https://api.example.com/items/7", {
        status: 204,
      }),
      run: ({ args: [url, headers], options, ...call }) => request({ method: "DELETE", url, headers, options }, call),
    }),
    Head: reading("HEAD", "The headers alone.", 'R http.Head "https://api.example.com/items" ->r'),
    Options: reading(
      "OPTIONS",
      "What may be asked of an address.",
      'R http.Options "https://api.example.com/items" ->r',
      {
        status: 204,
      },
    ),
  },
});
