/** The built-in adapters that are of a kind: the verbs that play its roles, and the world they are tried in. */
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { BUILTIN_LOADERS } from "../../../adapters/registry.ts";
import type { Fixture } from "../../../adapters/testing/conformance.ts";
import type { KindOptions } from "../../../adapters/testing/kinds/suite.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { recordingServer } from "../email/smtp-world.ts";
import { CONFORMANCE_OF, world } from "../fixtures.ts";
import { socketServer, webServer } from "../http/servers.ts";

export type KindCase = {
  readonly adapter: keyof typeof BUILTIN_LOADERS & string;
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
        set: { verb: "set", args: ({ key, value }) => ["default", some(key), some(value)] },
        delete: "delete",
        set_for: "setex",
        get_in: "get",
        set_in: "set",
        set_forbidden: {
          verb: "set",
          args: ({ key, value }) => ["default", some(key), some(value)],
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
          args: ({ id, record }) => ["ops", "thing", some(id), some(record)],
          result: (_answer, { id }) => some(id),
        },
        get: { verb: "get", args: ({ id }) => ["ops", "thing", some(id)], result: (answer) => payloadOf(answer) },
        update: { verb: "patch", args: ({ id, changes }) => ["ops", "thing", some(id), some(changes)] },
        delete: {
          verb: "delete",
          args: ({ id }) => ["ops", "thing", some(id)],
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
          args: ({ id }) => ["ops", "thing", some(id)],
          result: (answer) => (answer as { readonly record: { readonly version: number } }).record.version,
        },
        update_if: {
          verb: "patch",
          args: ({ id, changes, version }) => ["ops", "thing", some(id), some(changes), { if_version: some(version) }],
        },
        get_in: {
          verb: "get",
          args: ({ group, id }) => ["ops", some(group), some(id)],
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
          args: ({ record }) => ["Thing", some(record)],
          result: (answer) => (answer as { readonly id: Json }).id,
        },
        get: { verb: "G", args: ({ id }) => ["Thing", some(id)] },
        update: { verb: "U", args: ({ id, changes }) => ["Thing", { id: some(id) }, some(changes)] },
        delete: { verb: "D", args: ({ id }) => ["Thing", some(id)] },
        list: {
          verb: "F",
          args: () => ["Thing"],
          result: (answer) => (answer as readonly { readonly id: Json }[]).map(({ id }) => id),
        },
        get_in: { verb: "G", args: ({ group, id }) => [some(group), some(id)] },
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
          args: ({ queue, lease_s }) => [some(queue), { lease_s: some(lease_s) }],
          result: (answer) =>
            (answer as readonly { readonly message_id: string; readonly lease: string; readonly payload: Json }[]).map(
              ({ payload, message_id, lease }) => ({ payload, receipt: { message_id, lease } }),
            ),
        },
        ack: { verb: "ack", args: ({ queue, receipt }) => [some(queue), ...leaseOf(receipt)] },
        nack: { verb: "nack", args: ({ queue, receipt }) => [some(queue), ...leaseOf(receipt)] },
        length: "len",
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
          args: ({ to, name, value }) => [some(to), "Report", "text", { headers: { [String(name)]: some(value) } }],
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
          args: ({ id, changes, etag }) => [some(id), some(changes), { etag: some(etag) }],
        },
        delete_if: { verb: "delete", args: ({ id, etag }) => [some(id), { etag: some(etag) }] },
      },
    },
  },
  {
    adapter: "http",
    start: world({}),
    kind: {
      name: "http_client",
      verbs: {
        get: { verb: "Get", args: ({ url }) => [some(url)], settings: onlyHost },
        get_other: { verb: "Get", args: ({ other }) => [some(other)], settings: onlyHost },
        get_header: {
          verb: "Get",
          args: ({ url, name, value }) => [some(url), { [String(name)]: some(value) }],
          settings: onlyHost,
        },
      },
    },
  },
  {
    adapter: "svc",
    async start() {
      const targets = await probeTargets();
      return world({
        settings: () => ({
          services: Object.fromEntries(
            Object.entries(targets).map(([name, url]) => [name, { probes: [{ http: { url, timeout_ms: 300 } }] }]),
          ),
        }),
      })();
    },
    kind: {
      name: "probe",
      verbs: Object.fromEntries(
        ["up", "down", "ill", "slow", "unknown"].map((role) => [role, { verb: "status", args: () => [role] }]),
      ),
    },
  },
  {
    adapter: "extras",
    async start() {
      const targets = await probeTargets();
      const allow_hosts = Object.values(targets).map((url) => new URL(url).host);
      return world({
        settings: () => ({ allow_hosts, compat: false, summary_root: JSON.stringify(targets) }),
      })();
    },
    kind: {
      name: "probe",
      verbs: {},
    },
  },
];
