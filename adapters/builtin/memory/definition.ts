/**
 * Adapter memory: durable records by namespace, kind and id (docs/adapters/memory.md). What arguments look like stands in `arguments.ts`,
 * what settings permit in `settings.ts`, what is stored and how in `adapters/store`.
 */
import { badArguments } from "../../definition/bind.ts";
import { anyJson, arg, defineAdapter, verbsFor, z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { argsHash } from "../../store/ledger.ts";
import { givenObject, idName, name, refuseReadOnly } from "../../store/names.ts";
import type { RecordHead, RecordStore, StoredRecord } from "../../store/record.ts";
import { cursorBehind, filterPart, filters, metadata, readCursor, time, timeToLive, unpacked } from "./arguments.ts";
import { admitted, bounds, defaultTtl, openedRecords, recordKey, settings, writableKey } from "./settings.ts";

const verb = verbsFor<typeof settings, RecordStore>();

const timing = { timeoutMs: 5_000, maxTimeoutMs: 30_000 } as const;
const reading = { ...timing, effect: "io-read", kind: "memory_read", determinism: "state" } as const;
const writing = { ...timing, effect: "io-write", kind: "memory_write", determinism: "state" } as const;

const NAMESPACE = { form: "namespace" } as const;
const recordArgs = [arg("namespace", z.string(), NAMESPACE), arg("kind", name()), arg("id", idName())] as const;
const optionalTtl = arg("ttl_seconds", timeToLive().optional());
const optionalMetadata = arg("metadata", metadata().optional());
const ifVersion = z.number().int().min(1).optional();
const RESULT_BYTES = 8 * 1024 * 1024;

const written = z.object({ ok: z.literal(true), updated_at: z.string() });
const head = z.object({
  record_kind: z.string(),
  record_id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  ttl_seconds: z.number().nullable(),
});
const whole = z.object({
  namespace: z.string(),
  ...head.shape,
  payload: anyJson(),
  metadata: z.record(z.string(), anyJson()).nullable(),
  version: z.number(),
});

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

function shownHead(record: RecordHead) {
  return {
    record_kind: record.kind,
    record_id: record.id,
    created_at: timeText(record.createdMs),
    updated_at: timeText(record.updatedMs),
    ttl_seconds: record.ttlSeconds,
  };
}

function shown(record: StoredRecord) {
  const { namespace, payload, metadata, version } = record;
  return { namespace, ...shownHead(record), payload, metadata, version };
}

export const memoryAdapter = defineAdapter<typeof settings, RecordStore>({
  apiVersion: 1,
  concurrent: true,
  name: "memory",
  version: "1.0.0",
  summary: "Durable records by namespace, kind and id, with metadata, lifetimes and logs.",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "local_state",
  sandboxSafe: true,
  networkFacing: false,
  durable: true,
  maturity: "stable",
  needs: ["store"],
  settings,
  open: ({ settings, host, run }) => openedRecords(settings, host, run),
  verbs: {
    put: verb({
      exact: true,
      ...writing,
      summary: "Writes a record, over one that is there.",
      idempotent: true,
      args: z.tuple([...recordArgs, arg("payload", givenObject()), optionalTtl, optionalMetadata]),
      options: z.strictObject({ if_version: ifVersion, if_absent: z.boolean().default(false) }),
      result: written.extend({ created: z.boolean(), version: z.number() }),
      examples: [
        {
          source: 'R memory.put "workflow" "job.state" "j1" {"step": 2} 3600 ->m',
          result: { ok: true, created: true, updated_at: "2030-01-01T00:00:00.000Z", version: 1 },
        },
      ],
      async run({ args: [namespace, kind, id, given, ttl, metadata], options, settings, instance, ctx }) {
        const key = writableKey(settings, [namespace, kind, id]);
        const { created, updatedMs, version } = await instance.put(
          {
            ...key,
            ...bounds(settings),
            ...unpacked(given, metadata),
            ttlSeconds: ttl ?? defaultTtl(settings, namespace),
            ifAbsent: options.if_absent,
            ifVersion: options.if_version ?? null,
          },
          ctx,
        );
        return { ok: true, created, updated_at: timeText(updatedMs), version };
      },
    }),
    get: verb({
      ...reading,
      summary: "Returns a record, or that it does not exist.",
      args: z.tuple([...recordArgs]),
      options: z.strictObject({ tail: z.number().int().min(0).optional(), touch: z.boolean().default(false) }),
      result: z.object({ found: z.boolean(), record: whole.nullable() }),
      maxResultBytes: RESULT_BYTES,
      examples: [{ source: 'R memory.get "workflow" "job.state" "j2" ->m', result: { found: false, record: null } }],
      async run({ args, options, settings, instance, ctx }) {
        const key = options.touch ? writableKey(settings, args) : recordKey(settings, args);
        const record = await instance.get({ ...key, tail: options.tail ?? null, touch: options.touch }, ctx);
        if (record === null) return { found: false, record: null };
        return { found: true, record: shown(record) };
      },
    }),
    append: verb({
      exact: true,
      ...writing,
      summary: "Adds an entry to a log, which is made when it is missing.",
      idempotent: "keyed",
      args: z.tuple([
        ...recordArgs,
        arg("entry", givenObject()),
        // null is a value here: it takes the lifetime away.
        arg("ttl_seconds", timeToLive().nullable().optional()),
        optionalMetadata,
      ]),
      options: z.strictObject({ idempotency_key: idName().optional() }),
      result: written.extend({ entries: z.number() }),
      examples: [
        {
          source: 'R memory.append "daily_log" "visits" "2030-01-01" {"page": "home"} ->m',
          result: { ok: true, updated_at: "2030-01-01T00:00:00.000Z", entries: 1 },
        },
      ],
      async run({ args: [namespace, kind, id, entry, ttl, meta], settings, instance, ctx }) {
        const key = writableKey(settings, [namespace, kind, id]);
        const { updatedMs, entries } = await instance.append(
          {
            ...key,
            ...bounds(settings),
            entry,
            ttlSeconds: ttl,
            newTtlSeconds: defaultTtl(settings, namespace),
            metadata: meta ?? null,
            once: {
              key: ctx.idempotencyKey,
              argsHash: argsHash([namespace, kind, id, entry, ttl === undefined ? "kept" : ttl, meta ?? null]),
            },
          },
          ctx,
        );
        return { ok: true, updated_at: timeText(updatedMs), entries };
      },
    }),
    list: verb({
      ...reading,
      summary: "The records of a namespace without their payloads, by kind and id.",
      args: z.tuple([
        arg("namespace", z.string(), NAMESPACE),
        arg("kind", z.string().optional()),
        arg("id_prefix", z.string().optional()),
        arg("updated_since", time().optional()),
        arg("filters", filters().optional()),
      ]),
      options: z.strictObject({ include_expired: z.boolean().default(false), cursor: z.string().optional() }),
      result: z.object({ items: z.array(head), next_cursor: z.string().nullable() }),
      maxResultBytes: RESULT_BYTES,
      examples: [
        {
          source: 'R memory.list "long_term" "fact" null null {"tags_all": ["eu"], "limit": 20} ->l',
          result: { items: [], next_cursor: null },
        },
      ],
      async run({ args: [namespace, kind, prefix, since, given = {}], options, settings, instance, ctx }) {
        const part = filterPart(given, since);
        if (options.cursor !== undefined && part.offset > 0) {
          throw badArguments([{ path: "/options/cursor", expected: "no offset together with a cursor", got: "both" }]);
        }
        const { items, more } = await instance.list(
          {
            ...part,
            namespace: admitted(settings, namespace),
            kind: kind || null,
            idPrefix: prefix ?? "",
            includeExpired: options.include_expired,
            after: options.cursor === undefined ? null : readCursor(options.cursor),
          },
          ctx,
        );
        const last = items.at(-1);
        return {
          items: items.map(shownHead),
          next_cursor: more && last !== undefined ? cursorBehind(last) : null,
        };
      },
    }),
    delete: verb({
      ...writing,
      summary: "Removes a record and says whether it was there.",
      idempotent: true,
      args: z.tuple([...recordArgs]),
      result: z.object({ ok: z.literal(true), deleted: z.boolean() }),
      examples: [{ source: 'R memory.delete "workflow" "job.state" "j2" ->m', result: { ok: true, deleted: false } }],
      async run({ args, settings, instance, ctx }) {
        return { ok: true, deleted: await instance.delete(writableKey(settings, args), ctx) };
      },
    }),
    prune: verb({
      ...writing,
      summary: "Removes expired records of one namespace or of all, and says how many.",
      idempotent: true,
      args: z.tuple([arg("namespace", z.string().optional(), NAMESPACE)]),
      result: z.object({ ok: z.literal(true), pruned: z.number() }),
      examples: [{ source: "R memory.prune ->m", result: { ok: true, pruned: 0 } }],
      async run({ args: [namespace], settings, instance, ctx }) {
        refuseReadOnly(settings.allow_write);
        // Without a namespace: all that this run may touch.
        const namespaces = namespace ? [admitted(settings, namespace)] : (settings.allow_namespaces ?? null);
        return { ok: true, pruned: await instance.prune(namespaces, ctx) };
      },
    }),
    patch: verb({
      exact: true,
      ...writing,
      summary: "Changes members of a record's payload with a merge patch (RFC 7396).",
      idempotent: true,
      args: z.tuple([...recordArgs, arg("patch", givenObject())]),
      options: z.strictObject({ if_version: ifVersion }),
      result: written.extend({ version: z.number() }),
      errors: ["ADAPTER_NOT_FOUND"],
      async run({ args: [namespace, kind, id, patch], options, settings, instance, ctx }) {
        const key = writableKey(settings, [namespace, kind, id]);
        const changed = await instance.patch(
          { ...key, ...bounds(settings), patch, ifVersion: options.if_version ?? null },
          ctx,
        );
        if (changed === null) throw adapterError("ADAPTER_NOT_FOUND", "unknown record");
        return { ok: true, updated_at: timeText(changed.updatedMs), version: changed.version };
      },
    }),
    count: verb({
      ...reading,
      summary: "How many records a namespace has, of one kind or of all.",
      args: z.tuple([arg("namespace", z.string(), NAMESPACE), arg("kind", z.string().optional())]),
      result: z.number(),
      examples: [{ source: 'R memory.count "long_term" "fact" ->n', result: 0 }],
      run({ args: [namespace, kind], settings, instance, ctx }) {
        return instance.count({ namespace: admitted(settings, namespace), kind: kind || null }, ctx);
      },
    }),
  },
});
