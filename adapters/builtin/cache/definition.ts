/**
 * Adapter cache: short-lived values that all runs share (docs/adapters/cache.md). How positional arguments are read stands in `place.ts`,
 * what settings permit in `settings.ts`.
 */
import { anyJson, arg, defineAdapter, verbsFor, z } from "../../definition/define.ts";
import type { KeyValueStore } from "../../store/key-value.ts";
import { argsHash } from "../../store/ledger.ts";
import { givenValue, idName } from "../../store/names.ts";
import { DEFAULT_NAMESPACE, keyPlace, lifetime, setPlace } from "./place.ts";
import { admitted, capacity, openedCache, orMiss, refuseLarge, settings, writable } from "./settings.ts";

const verb = verbsFor<typeof settings, KeyValueStore>();

const timing = { timeoutMs: 2_000, maxTimeoutMs: 10_000 } as const;
const reading = { ...timing, effect: "io-read", kind: "cache_read", determinism: "state" } as const;
const writing = { ...timing, effect: "io-write", kind: "cache_write", determinism: "state" } as const;

const keyArgs = z.tuple([arg("namespace_or_key", idName()), arg("key", idName().optional())]);

export const cacheAdapter = defineAdapter<typeof settings, KeyValueStore>({
  apiVersion: 1,
  concurrent: true,
  name: "cache",
  version: "1.0.0",
  summary: "Short-lived values that all runs share, with or without a lifetime.",
  support: "core",
  lane: "canonical",
  privilege: "local_state",
  sandboxSafe: true,
  networkFacing: false,
  durable: false,
  maturity: "stable",
  needs: ["store"],
  settings,
  open: ({ settings, host }) => openedCache(settings, host),
  verbs: {
    get: verb({
      exact: true,
      ...reading,
      summary: "Returns the value of a key, or else the default or null.",
      args: keyArgs,
      options: z.strictObject({ default: anyJson().optional(), meta: z.boolean().default(false) }),
      result: anyJson().describe(
        "the value; without one null or the default. With `meta` `{found, value, expires_at, version}`",
      ),
      examples: [
        { source: 'R cache.get "users" "u1" ->user', result: null },
        { source: 'R cache.get "users" "u1" {"default": "unknown"} ->user', result: "unknown" },
      ],
      async run({ args, options, settings, instance, ctx }) {
        const entry = await orMiss(settings, null, instance.get(admitted(settings, keyPlace(args)), ctx));
        const value = entry === null ? (options.default ?? null) : entry.value;
        if (!options.meta) return value;
        const expires = entry?.expiresMs ?? null;
        return {
          found: entry !== null,
          value,
          expires_at: expires === null ? null : new Date(expires).toISOString(),
          version: entry?.version ?? null,
        };
      },
    }),
    set: verb({
      exact: true,
      ...writing,
      summary: "Stores a value, for ever or for a number of seconds.",
      idempotent: true,
      args: z.tuple([
        arg("namespace_or_key", idName()),
        arg("key_or_value", givenValue()),
        arg("value", givenValue().optional()),
        arg("ttl_s", lifetime().optional()),
      ]),
      options: z.strictObject({
        ttl_s: lifetime().optional(),
        if_absent: z.boolean().default(false),
        if_version: z.number().int().min(0).optional(),
      }),
      result: z.union([z.null(), z.boolean()]).describe("null; with `if_absent` whether it was written"),
      examples: [
        { source: 'R cache.set "users" "u7" {"name": "Ada"} 300 ->none', result: null },
        { source: 'R cache.set "users" "u8" {"name": "Ada"} 0 {"if_absent": true} ->new', result: true },
      ],
      async run({ args, options, settings, instance, ctx }) {
        const { ttlSeconds, value, ...place } = setPlace(args);
        refuseLarge(value, settings);
        const written = await instance.set(
          {
            ...writable(settings, place),
            ...capacity(settings),
            value,
            ttlSeconds: ttlSeconds ?? (options.ttl_s || null),
            ifAbsent: options.if_absent,
            ifVersion: options.if_version ?? null,
          },
          ctx,
        );
        return options.if_absent ? written : null;
      },
    }),
    setex: verb({
      exact: true,
      ...writing,
      summary: "Stores a value for a number of seconds.",
      idempotent: true,
      args: z.tuple([arg("key", idName()), arg("value", givenValue()), arg("ttl_s", lifetime())]),
      options: z.strictObject({ namespace: idName().default(DEFAULT_NAMESPACE) }),
      result: z.null(),
      examples: [{ source: 'R cache.setex "token" "t1" 60 ->none', result: null }],
      async run({ args: [key, value, seconds], options, settings, instance, ctx }) {
        refuseLarge(value, settings);
        const place = writable(settings, { namespace: options.namespace, key });
        const request = { ...place, ...capacity(settings), value, ttlSeconds: seconds || null };
        await instance.set({ ...request, ifAbsent: false, ifVersion: null }, ctx);
        return null;
      },
    }),
    has: verb({
      ...reading,
      summary: "Whether a key has a value, null included.",
      args: keyArgs,
      result: z.boolean().describe("whether there is an entry"),
      examples: [{ source: 'R cache.has "users" "u1" ->known', result: false }],
      run: ({ args, settings, instance, ctx }) =>
        orMiss(settings, false, instance.has(admitted(settings, keyPlace(args)), ctx)),
    }),
    incr: verb({
      ...writing,
      summary: "Adds to a number and gives the sum; no two callers get the same one.",
      idempotent: "keyed",
      args: keyArgs,
      options: z.strictObject({
        by: z.number().default(1),
        ttl_s: lifetime().optional(),
        idempotency_key: idName().optional(),
      }),
      result: z.number().describe("the new number"),
      examples: [{ source: 'R cache.incr "visits" "home" {"ttl_s": 3600} ->n', result: 1 }],
      run({ args, options, settings, instance, ctx }) {
        const place = writable(settings, keyPlace(args));
        const hash = argsHash([place.namespace, place.key, options.by, options.ttl_s ?? null]);
        return instance.increment(
          {
            ...place,
            ...capacity(settings),
            by: options.by,
            ttlSeconds: options.ttl_s || null,
            once: { key: ctx.idempotencyKey, argsHash: hash },
          },
          ctx,
        );
      },
    }),
    delete: verb({
      ...writing,
      summary: "Removes a key and says whether it had a value.",
      idempotent: true,
      args: keyArgs,
      result: z.boolean().describe("whether there was an entry"),
      examples: [{ source: 'R cache.delete "users" "u1" ->gone', result: false }],
      run: ({ args, settings, instance, ctx }) => instance.delete(writable(settings, keyPlace(args)), ctx),
    }),
    clear: verb({
      ...writing,
      summary: "Removes all keys of a namespace and says how many there were.",
      idempotent: true,
      args: z.tuple([arg("namespace", idName())]),
      result: z.number().describe("how many entries were removed"),
      examples: [{ source: 'R cache.clear "sessions" ->removed', result: 0 }],
      run({ args: [namespace], settings, instance, ctx }) {
        return instance.clear(writable(settings, { namespace, key: "" }).namespace, ctx);
      },
    }),
    keys: verb({
      ...reading,
      summary: "The keys of a namespace in order.",
      args: z.tuple([arg("namespace", idName())]),
      options: z.strictObject({
        prefix: z.string().default(""),
        limit: z.number().int().min(1).max(10_000).default(1_000),
      }),
      result: z.array(z.string()).describe("keys in order of their bytes"),
      maxResultBytes: 8 * 1024 * 1024,
      examples: [{ source: 'R cache.keys "sessions" {"prefix": "u"} ->keys', result: [] }],
      run({ args: [namespace], options, settings, instance, ctx }) {
        admitted(settings, { namespace, key: "" });
        return orMiss(settings, [], instance.keys({ namespace, ...options }, ctx));
      },
    }),
  },
});
