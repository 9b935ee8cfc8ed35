/** The built-in adapters that are of a kind: the verbs that play its roles, and the world they are tried in where it is another. */
import { join } from "node:path";
import { afterAll } from "vitest";
import type { Fixture } from "../../../adapters/testing/conformance.ts";
import type { RoleInput, RoleMapping } from "../../../adapters/testing/kinds/kind.ts";
import type { KindOptions } from "../../../adapters/testing/kinds/suite.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { recordingServer } from "../builtin/email/smtp-world.ts";
import { webServer } from "../builtin/http/servers.ts";
import { CONFORMANCE_OF, tree, world } from "../fixtures.ts";

/** What probes are asked about, for all tests alike. */
const web = await webServer((request, response) => {
  if (request.url !== "/slow") response.writeHead(request.url === "/ill" ? 500 : 200).end();
});
const closed = await webServer(() => {});
await closed.close();
afterAll(() => web.close());
const TARGETS: Readonly<Record<string, string>> = {
  up: `${web.base}/`,
  down: `${closed.base}/`,
  ill: `${web.base}/ill`,
  slow: `${web.base}/slow`,
};

export type KindCase = {
  readonly adapter: string;
  readonly kind: KindOptions;
  /** Absent: that of the conformance suite. */
  start?(): Promise<Fixture>;
};

export async function startOf({ adapter, start }: KindCase): Promise<Fixture> {
  if (start !== undefined) return start();
  const options = await CONFORMANCE_OF[adapter]?.();
  if (options === undefined) throw new Error(`${adapter} has no fixture`);
  return options.start();
}

export const KIND_CASES: readonly KindCase[] = [
  {
    adapter: "cache",
    kind: {
      name: "key_value",
      verbs: {
        get: "get",
        set: { verb: "set", args: ({ key, value }) => ["default", key, value] },
        delete: "delete",
        set_for: "setex",
        get_in: "get",
        set_in: "set",
        set_forbidden: {
          verb: "set",
          args: ({ key, value }) => ["default", key, value],
          settings: { allow_write: false },
        },
      },
    },
  },
  {
    adapter: "memory",
    kind: {
      name: "record_store",
      verbs: {
        create: {
          verb: "put",
          args: ({ id, record }) => ["ops", "thing", id, record],
          result: (_answer, { id }) => id,
        },
        get: { verb: "get", args: ({ id }) => ["ops", "thing", id], result: (answer) => payloadOf(answer) },
        update: { verb: "patch", args: ({ id, changes }) => ["ops", "thing", id, changes] },
        delete: {
          verb: "delete",
          args: ({ id }) => ["ops", "thing", id],
          result: (answer) => (answer as { readonly deleted: boolean }).deleted,
        },
        list: {
          verb: "list",
          args: () => ["ops", "thing"],
          result: (answer) =>
            (answer as { readonly items: readonly { readonly record_id: string }[] }).items.map((one) => one.record_id),
        },
        version: {
          verb: "get",
          args: ({ id }) => ["ops", "thing", id],
          result: (answer) => (answer as { readonly record: { readonly version: number } }).record.version,
        },
        update_if: {
          verb: "patch",
          args: ({ id, changes, version }) => ["ops", "thing", id, changes, { if_version: version }],
        },
        get_in: {
          verb: "get",
          args: ({ group, id }) => ["ops", group, id],
          result: (answer) => payloadOf(answer),
        },
      },
    },
  },
  {
    adapter: "db",
    start: world({
      settings: (folder) => ({
        path: join(folder, "app.db"),
        store: "documents",
        entities: { Thing: {}, Other: {} },
      }),
    }),
    kind: {
      name: "record_store",
      verbs: {
        create: {
          verb: "C",
          args: ({ record }) => ["Thing", record],
          result: (answer) => (answer as { readonly id: Json }).id,
        },
        get: { verb: "G", args: ({ id }) => ["Thing", id] },
        update: { verb: "U", args: ({ id, changes }) => ["Thing", { id: id }, changes] },
        delete: { verb: "D", args: ({ id }) => ["Thing", id] },
        list: {
          verb: "F",
          args: () => ["Thing"],
          result: (answer) => (answer as readonly { readonly id: Json }[]).map(({ id }) => id),
        },
        get_in: { verb: "G", args: ({ group, id }) => [group, id] },
      },
      lacks: { version: "objects have no version", update_if: "objects have no version" },
    },
  },
  {
    adapter: "queue",
    kind: {
      name: "queue",
      verbs: {
        put: "Put",
        take: {
          verb: "take",
          args: ({ queue, lease_s }) => [queue, { lease_s: lease_s }],
          result: (answer) =>
            (answer as readonly { readonly message_id: string; readonly lease: string; readonly payload: Json }[]).map(
              ({ payload, message_id, lease }) => ({ payload, receipt: { message_id, lease } }),
            ),
        },
        ack: { verb: "ack", args: ({ queue, receipt }) => [queue, ...leaseOf(receipt)] },
        nack: { verb: "nack", args: ({ queue, receipt }) => [queue, ...leaseOf(receipt)] },
        length: { verb: "len", result: (answer) => (answer as { readonly ready: number }).ready },
      },
    },
  },
  {
    adapter: "sqlite",
    kind: {
      name: "sql",
      verbs: {
        query: "query",
        execute: "execute",
        execute_forbidden: { verb: "execute", settings: { allow_write: false } },
        query_two: { verb: "query", settings: { max_rows: 2 } },
      },
    },
  },
  {
    adapter: "email",
    async start() {
      const smtp = await recordingServer();
      const fixture = await world({
        settings: () => ({ accounts: { default: { from: "Robot <robot@x.test>", smtp: smtp.section } } }),
        places: (folder) => ({ stateDir: folder }),
        observe: () => smtp.mails.map(({ recipients, raw }) => ({ recipients: [...recipients], raw })),
      })();
      const stop = async (): Promise<void> => {
        await fixture.stop();
        await smtp.close();
      };
      return { ...fixture, stop };
    },
    kind: {
      name: "mail",
      verbs: {
        send: "send",
        send_header: {
          verb: "send",
          args: ({ to, name, value }) => [to, "Report", "text", { headers: { [String(name)]: value } }],
        },
        send_forbidden: { verb: "send", settings: { allow_send: false } },
      },
      sent: (observed) =>
        (observed as readonly { readonly recipients: Json; readonly raw: string }[]).map(({ recipients, raw }) => ({
          recipients,
          text: raw,
        })),
    },
  },
  {
    adapter: "calendar",
    kind: {
      name: "calendar",
      verbs: {
        list: "list",
        create: "create",
        get: "get",
        update: "update",
        delete: "delete",
        update_if: {
          verb: "update",
          args: ({ id, changes, etag }) => [id, changes, { etag: etag }],
        },
        delete_if: { verb: "delete", args: ({ id, etag }) => [id, { etag: etag }] },
      },
    },
  },
  {
    adapter: "http",
    start: world({}),
    kind: {
      name: "http_client",
      verbs: {
        get: { verb: "Get", args: ({ url }) => [url], settings: onlyHost },
        get_other: { verb: "Get", args: ({ other }) => [other], settings: onlyHost },
        get_header: {
          verb: "Get",
          args: ({ url, name, value }) => [url, { [String(name)]: value }],
          settings: onlyHost,
        },
      },
    },
  },
  {
    adapter: "svc",
    start: world({
      settings: () => ({
        services: Object.fromEntries(
          Object.entries(TARGETS).map(([name, url]) => [name, { probes: [{ http: { url, timeout_ms: 300 } }] }]),
        ),
      }),
    }),
    kind: {
      name: "probe",
      verbs: probing((role) => ({ verb: "status", args: () => [role] })),
    },
  },
  {
    adapter: "extras",
    start: world({
      settings: (folder) => ({
        allow_hosts: Object.values(TARGETS).map((url) => new URL(url).host),
        probe_roots: [folder],
      }),
      observe: (folder) => tree(folder),
    }),
    kind: {
      name: "probe",
      verbs: probing((role) => ({
        verb: "http_status",
        args: () => [TARGETS[role] ?? "http://127.0.0.2/", { timeout_s: 0.4 }],
      })),
    },
  },
];

function probing(mapping: (role: string) => RoleMapping): Readonly<Record<string, RoleMapping>> {
  return Object.fromEntries([...Object.keys(TARGETS), "unknown"].map((role) => [role, mapping(role)]));
}

/** The record in an answer of memory.get. */
function payloadOf(answer: Json): Json {
  return (answer as { readonly record: { readonly payload: Json } | null }).record?.payload ?? null;
}

function leaseOf(receipt: Json): readonly [Json, Json] {
  const { message_id, lease } = receipt as { readonly message_id: string; readonly lease: string };
  return [message_id, lease];
}

function onlyHost({ host }: RoleInput): JsonObject {
  return { allow_hosts: [host] };
}
