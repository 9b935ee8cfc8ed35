/** Adapter `db`: named entities in a database of the operator's, without SQL in programs (docs/adapters/db.md). */
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import { anyJson, arg, defineAdapter, verbsFor, z } from "../../definition/define.ts";
import { type DbInstance, openDb } from "./open.ts";
import { settings } from "./settings.ts";
import { createObject, findObjects, getObject, removeObjects, updateObjects } from "./verbs.ts";

const SUMMARY = "Named entities in the operator's database, without SQL in programs";

const verb = verbsFor<typeof settings, DbInstance>();
const TIME = { timeoutMs: 5_000, maxTimeoutMs: 60_000 } as const;
const SQL_CODES = ["ADAPTER_SQL_ERROR", "ADAPTER_SQL_CONSTRAINT", "ADAPTER_TABLE_BLOCKED"] as const;
const WRITE_CODES = [...SQL_CODES, "ADAPTER_WRITE_FORBIDDEN"] as const;

/** A place for the examples: documents in memory need no tables. */
const EXAMPLE = { path: ":memory:", store: "documents", entities: { User: {} } };

/** Checked without a copy: a copy would lose a member named `__proto__`. */
const object = z.custom<JsonObject>(isObject, "an object");
const entity = arg("entity", z.string(), { class: "word", role: "table" });
const filter = z.union([z.literal("*"), z.null(), object], 'an object, null or "*"');
const count = z.number().int().min(0);
const timeout = z.number().positive().optional();

export const dbAdapter = defineAdapter<typeof settings, DbInstance>({
  apiVersion: 1,
  name: "db",
  version: "1.0.0",
  summary: SUMMARY,
  support: "core",
  lane: "canonical",
  privilege: "local_state",
  sandboxSafe: false,
  networkFacing: false,
  durable: true,
  maturity: "stable",
  needs: ["sqlite", "store"],
  settings,
  open: openDb,
  check: ({ instance, signal }) => instance.store.ping({ timeoutMs: TIME.timeoutMs, signal }),
  close: (instance) => instance.close(),
  verbs: {
    F: verb({
      exact: true,
      summary: "The objects of an entity that a filter describes.",
      effect: "io-read",
      kind: "db_read",
      determinism: "state",
      ...TIME,
      errors: SQL_CODES,
      args: z.tuple([entity, arg("filter", filter.optional())]),
      options: z.strictObject({
        fields: z.array(z.string()).min(1).optional(),
        order_by: z.array(z.string()).max(16).optional(),
        limit: z.number().int().min(1).optional(),
        offset: count.optional(),
        timeout_s: timeout,
      }),
      result: z.array(z.record(z.string(), anyJson())).describe("list of objects"),
      examples: [
        {
          source: 'R db.F User {"age": {"gte": 18}} {"order_by": ["-age"], "limit": 10} ->us',
          settings: EXAMPLE,
          result: [],
        },
      ],
      run: ({ args: [name, where], options, settings, instance, ctx }) =>
        findObjects({ settings, store: instance.store, call: ctx }, name, where, options),
    }),
    G: verb({
      exact: true,
      summary: "One object by its id, or null.",
      effect: "io-read",
      kind: "db_read",
      determinism: "state",
      ...TIME,
      errors: SQL_CODES,
      args: z.tuple([entity, arg("id", z.union([z.string(), z.number()], "text or a number"))]),
      result: z.union([z.null(), z.record(z.string(), anyJson())]).describe("the object, or null"),
      examples: [{ source: "R db.G User 7 ->u", settings: EXAMPLE, result: null }],
      run: ({ args: [name, id], settings, instance, ctx }) =>
        getObject({ settings, store: instance.store, call: ctx }, name, id),
    }),
    P: creation("Another name of C."),
    C: creation("Stores a new object and answers with it, its id included."),
    U: verb({
      exact: true,
      summary: "Changes members of the objects that a filter describes, or of the one with the object's id.",
      effect: "io-write",
      kind: "db_write",
      idempotent: false,
      determinism: "state",
      ...TIME,
      errors: WRITE_CODES,
      args: z.tuple([entity, arg("filter", filter), arg("object", object.optional())]),
      options: z.strictObject({
        expected_count: count.optional(),
        detail: z.boolean().optional(),
        allow_all: z.boolean().optional(),
        timeout_s: timeout,
      }),
      result: z
        .union([count, z.strictObject({ matched: count, changed: count })])
        .describe("how many rows the filter matched; with `detail` `{matched, changed}`"),
      examples: [{ source: 'R db.U User {"name": "bob"} {"age": 20} ->n', settings: EXAMPLE, result: 0 }],
      run: ({ args: [name, where, changes], options, settings, instance, ctx }) =>
        updateObjects({ settings, store: instance.store, call: ctx }, name, [where, changes], options),
    }),
    D: verb({
      exact: true,
      summary: "Deletes the object with an id, or those that a filter describes.",
      effect: "io-write",
      kind: "db_write",
      idempotent: false,
      determinism: "state",
      ...TIME,
      errors: WRITE_CODES,
      args: z.tuple([entity, arg("filter", z.union([filter, z.string(), z.number()], "an id or a filter"))]),
      options: z.strictObject({
        expected_count: count.optional(),
        allow_all: z.boolean().optional(),
        timeout_s: timeout,
      }),
      result: z.union([z.boolean(), count]).describe("whether there was one; of a filter, how many were deleted"),
      examples: [{ source: "R db.D User 7 ->gone", settings: EXAMPLE, result: false }],
      run: ({ args: [name, where], options, settings, instance, ctx }) =>
        removeObjects({ settings, store: instance.store, call: ctx }, name, where, options),
    }),
  },
});

function creation(summary: string) {
  return verb({
    exact: true,
    summary,
    effect: "io-write",
    kind: "db_write",
    idempotent: "keyed",
    determinism: "state",
    ...TIME,
    errors: WRITE_CODES,
    args: z.tuple([entity, arg("object", object)]),
    options: z.strictObject({ idempotency_key: z.string().min(1).max(200).optional(), timeout_s: timeout }),
    result: z.record(z.string(), anyJson()).describe("the stored object with its id"),
    examples: [{ source: 'R db.C User {"name": "bob"} ->u', settings: EXAMPLE, result: { id: 1, name: "bob" } }],
    run: ({ args: [name, given], settings, instance, ctx }): Promise<Json> =>
      createObject({ settings, store: instance.store, call: ctx }, name, given),
  });
}
