/**
 * Adapters that speak HTTP: they ask only hosts that are allowed, once, and take neither endless nor cut answers for whole ones. The suite
 * brings the servers, which answer alike whatever the path; settings of the roles lead the adapter to them.
 */
import type { RequestListener } from "node:http";
import { counted } from "../../../grammar/text/english.ts";
import { defineKind, shown } from "./kind.ts";
import { type SuiteServer, suiteServer } from "./servers.ts";

/** More than any program waits through. */
const MAX_REDIRECTS = 20;

/** Every role is given `origin`, `host` and `url` of the server that may be asked. */
export const httpClient = defineKind({
  roles: {
    /** Reads; the body that the server answers with is `answer` of the kind. */
    get: { inputs: ["url"], needed: true },
    /** Reads from an address that the program chose, `other`, while only `host` is allowed. */
    get_other: { inputs: ["other"] },
    /** Reads, with a header of the program's own. */
    get_header: { inputs: ["url", "name", "value"] },
  },
  checks: [
    {
      title: "an answer comes of one request",
      roles: ["get"],
      async *check({ call, answer }) {
        yield* withServer(answering(200, JSON.stringify(answer)), async function* (server) {
          const given = await call("get", placeOf(server));
          if (!given.ok) yield `gave ${given.code}`;
          if (server.seen.length !== 1) yield `the server was asked ${counted(server.seen.length, "time")}`;
        });
      },
    },
    {
      title: "a server that is ill is asked once: repeating is the program's",
      roles: ["get"],
      async *check({ call }) {
        for (const status of [429, 503])
          yield* withServer(answering(status, "{}"), async function* (server) {
            await call("get", placeOf(server));
            if (server.seen.length !== 1)
              yield `status ${status}: the server was asked ${counted(server.seen.length, "time")}`;
          });
      },
    },
    {
      title: "a redirect leads to no host that is not allowed",
      roles: ["get"],
      async *check({ call, answer }) {
        yield* withServer(answering(200, JSON.stringify(answer)), async function* (other) {
          for (const status of [301, 302, 303, 307, 308])
            yield* withServer(redirecting(status, `${other.origin}/`), async function* (server) {
              await call("get", placeOf(server));
              if (server.seen.length === 0) yield "the server was not asked";
            });
          if (other.seen.length > 0) yield `the other host was asked ${counted(other.seen.length, "time")}`;
        });
      },
    },
    {
      title: "redirects in a circle end",
      roles: ["get"],
      async *check({ call }) {
        yield* withServer(redirecting(302, "/again"), async function* (server) {
          const given = await call("get", placeOf(server));
          if (!given.ok && given.code === "RUNTIME_MAX_TIME") yield "it goes round until the run ends";
          if (server.seen.length > MAX_REDIRECTS) yield `the server was asked ${counted(server.seen.length, "time")}`;
        });
      },
    },
    {
      title: "an answer without end is given up",
      roles: ["get"],
      async *check({ call }) {
        yield* withServer(endless, async function* (server) {
          const given = await call("get", placeOf(server));
          if (given.ok || given.code !== "ADAPTER_TOO_LARGE") yield `gave ${shown(given).slice(0, 100)}`;
        });
      },
    },
    {
      title: "an answer that is cut off is an error",
      roles: ["get"],
      async *check({ call, answer }) {
        yield* withServer(cutting(JSON.stringify(answer)), async function* (server) {
          const given = await call("get", placeOf(server));
          if (given.ok) yield `gave ${shown(given)}`;
        });
      },
    },
    {
      title: "a server that is not there is ADAPTER_TRANSPORT",
      roles: ["get"],
      async *check({ call }) {
        const server = await suiteServer(answering(200, ""));
        await server.close();
        const given = await call("get", placeOf(server));
        if (given.ok || given.code !== "ADAPTER_TRANSPORT") yield `gave ${shown(given)}`;
      },
    },
    {
      title: "no other host is asked, however its address is written",
      roles: ["get_other"],
      async *check({ call, answer }) {
        const working = answering(200, JSON.stringify(answer));
        yield* withServer(working, async function* (server) {
          const allowed = await call("get_other", { ...placeOf(server), other: `${server.origin}/` });
          if (!allowed.ok) yield `the allowed host: ${allowed.code}`;
          yield* withServer(working, async function* (other) {
            for (const address of spellingsOf(other, server)) {
              const given = await call("get_other", { ...placeOf(server), other: address });
              if (given.ok) yield `${address} is asked`;
            }
            if (other.seen.length > 0) yield `the other host was asked ${counted(other.seen.length, "time")}`;
          });
        });
      },
    },
    {
      title: "the value of a header cannot begin another one",
      roles: ["get_header"],
      async *check({ call, answer }) {
        yield* withServer(answering(200, JSON.stringify(answer)), async function* (server) {
          await call("get_header", { ...placeOf(server), name: "X-Ticket", value: "7" });
          if (server.seen[0]?.headers["x-ticket"] !== "7") yield "the header did not arrive";
          for (const end of ["\r\n", "\n", "\r"])
            for (const [name, value] of [
              ["X-Ticket", `7${end}X-Injected: 1`],
              [`X-Injected: 1${end}X-Ticket`, "7"],
            ] as const)
              await call("get_header", { ...placeOf(server), name, value });
          if (server.seen.some(({ headers }) => "x-injected" in headers)) yield "another header arrived";
        });
      },
    },
  ],
});

/** The findings of `work` with a server, which is closed afterwards. */
async function* withServer(
  listener: RequestListener,
  work: (server: SuiteServer) => AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  const server = await suiteServer(listener);
  try {
    yield* work(server);
  } finally {
    await server.close();
  }
}

/** Addresses of a host, some of which look like those of an allowed one. */
function spellingsOf({ origin, host }: SuiteServer, allowed: SuiteServer): readonly string[] {
  const port = host.split(":")[1];
  return [
    `${origin}/`,
    `http://${allowed.host}@${host}/`,
    `http://0x7f000001:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `${origin}/?${allowed.host}`,
    `//${host}/`,
    "file:///etc/passwd",
  ];
}

function placeOf({ origin, host }: SuiteServer) {
  return { origin, host, url: `${origin}/` };
}

function answering(status: number, body: string): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  };
}

function redirecting(status: number, location: string): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { location }).end();
  };
}

const PART = Buffer.alloc(65_536, " ");

const endless: RequestListener = (_request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const more = (): void => {
    while (!response.destroyed && response.write(PART));
  };
  response.on("drain", more);
  more();
};

/** Says more than it sends. */
function cutting(body: string): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) + 10 });
    response.write(body, () => response.destroy());
  };
}
