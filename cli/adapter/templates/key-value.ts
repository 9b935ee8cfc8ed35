import type { Template } from "../template.ts";

export function keyValueTemplate(name: string): Template {
  return {
    "index.js": `/** Values by key, kept by a service. The operator says where it is and what may be touched. */
import { adapterError, anyJson, arg, defineAdapter, setting, verbsFor, z } from "weft-runner/adapter";

const verb = verbsFor();
const key = () => arg("key", z.string().regex(/^(?!\\.+$)[\\w.-]{1,200}$/));
const reading = { effect: "io-read", kind: "http", determinism: "external" };
const writing = { effect: "io-write", kind: "http", determinism: "external", idempotent: true };

export default defineAdapter({
  apiVersion: 1,
  name: "${name}",
  version: "0.1.0",
  summary: "Values by key.",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "network",
  sandboxSafe: false,
  networkFacing: true,
  durable: true,
  maturity: "experimental",
  needs: ["http"],
  settings: {
    allow_keys: setting.list().describe("keys that may be used"),
    allow_write: setting.allow(true).describe("whether values may be changed"),
    base_url: setting.operator(z.url()).describe("address of the service"),
  },
  verbs: {
    get: verb({
      ...reading,
      summary: "Returns the value of a key, or null when the key is missing.",
      args: z.tuple([key()]),
      result: anyJson(),
      examples: [{ source: 'R ${name}.get "color" ->value', result: "red" }],
      async run({ args: [name], settings, ctx }) {
        admit(settings, name);
        const { status, body } = await service(ctx.host).getJson(addressOf(settings, name), request(settings, ctx));
        return status === 404 ? null : valueIn(status, body);
      },
    }),
    put: verb({
      ...writing,
      summary: "Stores a value under a key.",
      args: z.tuple([key(), arg("value", anyJson())]),
      result: z.object({ ok: z.literal(true) }),
      errors: ["ADAPTER_WRITE_FORBIDDEN"],
      examples: [{ source: 'R ${name}.put "size" 7 ->done', result: { ok: true } }],
      async run({ args: [name, value], settings, ctx }) {
        admit(settings, name);
        if (!settings.allow_write) throw adapterError("ADAPTER_WRITE_FORBIDDEN", "allow_write is false");
        const sent = { value };
        const { status, body } = await service(ctx.host).sendJson("PUT", addressOf(settings, name), sent, request(settings, ctx));
        valueIn(status, body);
        return { ok: true };
      },
    }),
  },
});

function admit({ allow_keys }, name) {
  if (allow_keys !== undefined && !allow_keys.includes(name))
    throw adapterError("ADAPTER_NOT_ALLOWED", "the key is not on allow_keys");
}

function service(host) {
  if (host.http !== undefined) return host.http;
  throw adapterError("ADAPTER_NOT_CONFIGURED", "${name} needs the http service of the host");
}

function request({ base_url }, { signal }) {
  return { signal, allowHosts: [new URL(base_url).host] };
}

function addressOf({ base_url }, name) {
  return \`\${base_url.replace(/\\/$/, "")}/\${encodeURIComponent(name)}\`;
}

function valueIn(status, body) {
  if (status === 200 && body !== null && Object.hasOwn(body, "value")) return body.value;
  if (status === 200) throw adapterError("ADAPTER_BAD_DATA", "the service did not answer with a value");
  const code = status >= 500 ? "ADAPTER_UNAVAILABLE" : "ADAPTER_FAILED";
  throw adapterError(code, "the service refused the request", { data: { status } });
}
`,
    "fixture.js": `/** The service on this machine, with one value in it, made anew for every check of the suite. */
import { createServer } from "node:http";

export async function start() {
  const values = new Map([["color", "red"]]);
  const server = createServer(async (request, response) => {
    const key = decodeURIComponent(request.url.slice(1));
    if (key === "broken") return void response.writeHead(503).end("{}");
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method === "PUT") values.set(key, JSON.parse(Buffer.concat(chunks).toString("utf8")).value);
    response.writeHead(values.has(key) ? 200 : 404).end(JSON.stringify({ value: values.get(key) ?? null }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    settings: { base_url: \`http://127.0.0.1:\${server.address().port}\` },
    observe: async () => Object.fromEntries(values),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
`,
    "test.js": `/** What this plugin has in common with other stores, and one case for each code of an error. */
export const kind = {
  name: "key_value",
  verbs: {
    get: "get",
    set: "put",
    set_forbidden: { verb: "put", settings: { allow_write: false } },
  },
  lacks: {
    delete: "values are replaced, never deleted",
    set_for: "values have no lifetime",
    get_in: "there is one namespace",
    set_in: "there is one namespace",
  },
};

export const cases = [
  { title: "a service that is down", source: 'R ${name}.get "broken" ->value', error: "ADAPTER_UNAVAILABLE" },
  {
    title: "writing where it is forbidden",
    source: 'R ${name}.put "size" 7 ->done',
    settings: { allow_write: false },
    error: "ADAPTER_WRITE_FORBIDDEN",
  },
  {
    title: "a key outside the list",
    source: 'R ${name}.get "color" ->value',
    settings: { allow_keys: ["size"] },
    error: "ADAPTER_NOT_ALLOWED",
  },
];
`,
  };
}
