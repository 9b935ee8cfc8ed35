/**
 * Adapter queue: handing work to other programs (docs/adapters/queue.md). Workflows put; taking is for hosts and consumers that the operator
 * allows it.
 */

import { join } from "node:path";
import { exactJson } from "../../../vm/inputs/exact-text.ts";
import { anyJson, arg, defineAdapter, type SettingsOf, setting, verbsFor, z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { argsHash } from "../../store/ledger.ts";
import { givenValue, idName, milliseconds, refuseUnlisted } from "../../store/names.ts";
import { realPlace } from "../../store/place.ts";
import type { QueueStore } from "../../store/queue.ts";
import { storesOf } from "../../store/stores.ts";
import { messageId } from "./message-id.ts";

const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
const DAY_MS = 24 * 3600 * 1000;
const YEAR_S = 366 * 24 * 3600;

/** Where the service delivers the messages of a queue to. */
const target = z.union([
  z.strictObject({ http: z.strictObject({ url: z.url(), auth_secret: z.string().optional() }) }),
  z.strictObject({ email: z.strictObject({ account: z.string(), to: z.string() }) }),
]);

const settings = {
  allow_queues: setting.list("exact", ["queue"]).describe("queues that may be used; dead letters by their own name"),
  allow_take: setting.allow(false).describe("whether `take`, `ack` and `nack` are allowed"),
  max_depth: setting.most(100_000).describe("messages of one queue, its dead letters included"),
  max_message_bytes: setting.most(262_144, MAX_MESSAGE_BYTES).describe("size of one payload as JSON"),
  path: setting
    .operator(z.string().optional())
    .describe(
      "the file; without it `queue.db` in the state directory. Without any, messages end with the process, with a warning",
    ),
  targets: setting
    .operator(z.record(z.string(), target).default({}))
    .describe(
      'where messages of a queue are to be delivered: `{"<queue>": {"http": {"url", "auth_secret"}}}` or `{"email": {"account", "to"}}`',
    ),
};
type Settings = SettingsOf<typeof settings>;
const verb = verbsFor<typeof settings, QueueStore>();

const timing = { timeoutMs: 2_000, maxTimeoutMs: 60_000 } as const;
const writing = { ...timing, effect: "io-write", kind: "queue", determinism: "state" } as const;

const NAME = "1 to 64 letters, digits, dots, _ and -";
const queueName = arg("queue", z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, NAME), { role: "queue" });
/** Dead letters may be read under their queue's name, whatever its length. */
export const anyQueueName = arg("queue", z.string().regex(/^[A-Za-z0-9._-]{1,64}(\.dead)?$/, NAME), { role: "queue" });
const leaseArgs = [anyQueueName, arg("message_id", z.string()), arg("lease", z.string())] as const;
const done = z.object({ ok: z.literal(true) });

function seconds() {
  return z.number().min(0).max(YEAR_S);
}

function admitted(settings: Settings, queue: string): string {
  refuseUnlisted(settings.allow_queues, queue, "allow_queues");
  return queue;
}

function takeable(settings: Settings, queue: string): string {
  if (!settings.allow_take) throw adapterError("ADAPTER_NOT_ALLOWED", "taking messages needs allow_take");
  return admitted(settings, queue);
}

export const queueAdapter = defineAdapter<typeof settings, QueueStore>({
  apiVersion: 1,
  concurrent: true,
  name: "queue",
  version: "1.0.0",
  summary: "Durable queues that hand messages to other programs.",
  support: "core",
  lane: "canonical",
  privilege: "operator_sensitive",
  sandboxSafe: false,
  networkFacing: false,
  durable: true,
  maturity: "stable",
  needs: ["store"],
  settings,
  open({ settings, host, run }) {
    if (host.sharedDatabase !== undefined) return storesOf(host).queues(null);
    const { stateDir } = host.places;
    const path = settings.path ?? (stateDir === null ? null : join(stateDir, "queue.db"));
    if (path === null) run.warn("queue_not_durable: no state directory is configured, messages end with the process");
    return storesOf(host).queues(path === null ? null : realPlace(path, null));
  },
  verbs: {
    Put: verb({
      exact: true,
      ...writing,
      summary: "Puts a message into a queue.",
      idempotent: "keyed",
      args: z.tuple([queueName, arg("payload", givenValue())]),
      options: z.strictObject({
        delay_s: seconds().default(0),
        ttl_s: seconds().positive().optional(),
        priority: z.number().int().min(-1_000_000).max(1_000_000).default(0),
        dedupe_key: idName().optional(),
        idempotency_key: idName().optional(),
      }),
      result: z.object({ ok: z.literal(true), message_id: z.string(), queue_name: z.string(), error: z.null() }),
      examples: [
        {
          source: 'R queue.Put "jobs" {"kind": "resize"} {"delay_s": 5, "dedupe_key": "resize-1"} ->m',
          result: { ok: true, message_id: "01942000-0000-7000-8000-000000000000", queue_name: "jobs", error: null },
        },
      ],
      async run({ args: [name, payload], options, settings, instance, ctx }) {
        const queue = admitted(settings, name);
        if (Buffer.byteLength(exactJson(payload)) > settings.max_message_bytes) {
          const limit = settings.max_message_bytes;
          throw adapterError(
            "ADAPTER_TOO_LARGE",
            `the message is larger than ${limit} bytes (queue.max_message_bytes)`,
          );
        }
        const { delay_s, ttl_s, priority, dedupe_key } = options;
        const ttlMs = ttl_s === undefined ? null : milliseconds(ttl_s);
        const id = await instance.put(
          {
            queue,
            id: messageId(ctx.now(), ctx.uuid()),
            payload,
            priority,
            delayMs: milliseconds(delay_s),
            ttlMs,
            dedupe: dedupe_key === undefined ? null : { key: dedupe_key, windowMs: ttlMs ?? DAY_MS },
            maxDepth: settings.max_depth,
            once: {
              key: ctx.idempotencyKey,
              argsHash: argsHash([queue, payload, delay_s, ttlMs, priority, dedupe_key ?? null]),
            },
          },
          ctx,
        );
        return { ok: true, message_id: id, queue_name: queue, error: null };
      },
    }),
    len: verb({
      ...timing,
      effect: "io-read",
      kind: "queue",
      determinism: "state",
      summary: "How many messages of a queue are ready, delayed, leased and dead.",
      args: z.tuple([anyQueueName]),
      result: z.object({ ready: z.number(), delayed: z.number(), leased: z.number(), dead: z.number() }),
      examples: [{ source: 'R queue.len "jobs" ->n', result: { ready: 0, delayed: 0, leased: 0, dead: 0 } }],
      run: ({ args: [queue], settings, instance, ctx }) => instance.length(admitted(settings, queue), ctx),
    }),
    take: verb({
      ...writing,
      summary: "Leases messages of a queue; without ack in time they are delivered again.",
      idempotent: false,
      // How long a call may wait is said by wait_s.
      timeoutMs: 60_000,
      maxResultBytes: 3 * MAX_MESSAGE_BYTES,
      args: z.tuple([anyQueueName]),
      options: z.strictObject({
        max: z.number().int().min(1).max(100).default(1),
        lease_s: seconds().positive().default(30),
        wait_s: z.number().min(0).max(60).default(0),
      }),
      result: z.array(
        z.object({ message_id: z.string(), payload: anyJson(), attempts: z.number(), lease: z.string() }),
      ),
      examples: [{ source: 'R queue.take "jobs" {"max": 10} ->jobs', settings: { allow_take: true }, result: [] }],
      async run({ args: [queue], options, settings, instance, ctx }) {
        const messages = await instance.take(
          {
            queue: takeable(settings, queue),
            max: options.max,
            leaseMs: milliseconds(options.lease_s),
            lease: ctx.uuid(),
            waitMs: milliseconds(options.wait_s),
          },
          ctx,
        );
        return messages.map(({ id, ...message }) => ({ message_id: id, ...message }));
      },
    }),
    ack: verb({
      ...writing,
      summary: "Ends a lease: the message is done and removed.",
      idempotent: true,
      args: z.tuple([...leaseArgs]),
      options: z.strictObject({}),
      result: done,
      async run({ args: [queue, id, lease], settings, instance, ctx }) {
        await instance.acknowledge({ queue: takeable(settings, queue), id, lease }, ctx);
        return { ok: true };
      },
    }),
    nack: verb({
      ...writing,
      summary: "Ends a lease: the message is to be delivered again, at once or later.",
      idempotent: true,
      args: z.tuple([...leaseArgs]),
      options: z.strictObject({ delay_s: seconds().default(0) }),
      result: done,
      async run({ args: [queue, id, lease], options, settings, instance, ctx }) {
        const delayMs = milliseconds(options.delay_s);
        await instance.release({ queue: takeable(settings, queue), id, lease, delayMs }, ctx);
        return { ok: true };
      },
    }),
  },
});
