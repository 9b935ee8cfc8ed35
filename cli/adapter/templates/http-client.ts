import type { Template } from "../template.ts";

export function httpClientTemplate(name: string): Template {
  return {
    "index.js": `/** Reads items of a service over HTTP. The operator says where it is; programs say what they want. */
import { AdapterError, adapterError, arg, defineAdapter, setting, verbsFor, z } from "weft-runner/adapter";

const verb = verbsFor();

export default defineAdapter({
  apiVersion: 1,
  name: "${name}",
  version: "0.1.0",
  summary: "Items of a service.",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "network",
  sandboxSafe: false,
  networkFacing: true,
  durable: false,
  maturity: "experimental",
  needs: ["http"],
  settings: {
    allow_items: setting.list().describe("names that may be asked for"),
    base_url: setting.operator(z.url()).describe("address of the service"),
  },
  verbs: {
    get: verb({
      summary: "One item by its name.",
      effect: "io-read",
      kind: "http",
      determinism: "external",
      args: z.tuple([arg("name", z.string().regex(/^(?!\\.+$)[\\w.-]{1,100}$/))]),
      result: z.object({ name: z.string(), size: z.number() }),
      timeoutMs: 5_000,
      maxTimeoutMs: 30_000,
      examples: [{ source: 'R ${name}.get "one" ->item', result: { name: "one", size: 3 } }],
      async run({ args: [item], settings, ctx }) {
        if (settings.allow_items !== undefined && !settings.allow_items.includes(item))
          throw adapterError("ADAPTER_NOT_ALLOWED", "the item is not on allow_items");
        const { status, body } = await service(ctx.host).getJson(addressOf(settings.base_url, item), {
          signal: ctx.signal,
          allowHosts: [new URL(settings.base_url).host],
        });
        if (status === 404) throw adapterError("ADAPTER_NOT_FOUND", "unknown item");
        if (status !== 200) throw answered(status);
        return itemIn(body);
      },
    }),
  },
});

function service(host) {
  if (host.http !== undefined) return host.http;
  throw adapterError("ADAPTER_NOT_CONFIGURED", "${name} needs the http service of the host");
}

function addressOf(base, item) {
  return \`\${base.replace(/\\/$/, "")}/items/\${encodeURIComponent(item)}\`;
}

/** The error for a status that is not a success. Retries are left to the program. */
function answered(status) {
  if (status === 429) return adapterError("ADAPTER_RATE_LIMITED", "the service asks to wait");
  const code = status >= 500 ? "ADAPTER_UNAVAILABLE" : "ADAPTER_FAILED";
  return adapterError(code, "the service refused the request", { data: { status } });
}

/** The members that this adapter promises; what the service says besides stays out. */
function itemIn(body) {
  const { name, size } = body ?? {};
  if (typeof name === "string" && typeof size === "number") return { name, size };
  throw new AdapterError("ADAPTER_BAD_DATA", "the service did not answer with an item", { retryable: false });
}
`,
    "fixture.js": `/** The service on this machine, made anew for every check of the suite. */
import { createServer } from "node:http";

const ITEMS = { one: { name: "one", size: 3 } };

export async function start() {
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url.split("/").at(-1));
    if (name === "broken") response.writeHead(503).end();
    else if (Object.hasOwn(ITEMS, name)) response.end(JSON.stringify(ITEMS[name]));
    else response.writeHead(404).end("{}");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    settings: { base_url: \`http://127.0.0.1:\${server.address().port}\` },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
`,
    "test.js": `/** What this plugin has in common with other clients, tried on servers of the suite, and one case for each code of an error. */
export const kind = {
  name: "http_client",
  verbs: { get: { verb: "get", args: () => ["one"], settings: ({ origin }) => ({ base_url: origin }) } },
  lacks: {
    get_other: "the operator says where the service is",
    get_header: "programs give no headers",
  },
  answer: { name: "one", size: 3 },
};

export const cases = [
  { title: "an item that is not there", source: 'R ${name}.get "two" ->item', error: "ADAPTER_NOT_FOUND" },
  { title: "a service that is down", source: 'R ${name}.get "broken" ->item', error: "ADAPTER_UNAVAILABLE" },
  {
    title: "an item outside the list",
    source: 'R ${name}.get "one" ->item',
    settings: { allow_items: ["two"] },
    error: "ADAPTER_NOT_ALLOWED",
  },
];
`,
  };
}
