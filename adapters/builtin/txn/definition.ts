/** The txn adapter: one transaction over the calls of a run to one database. The databases are those of `sqlite` and `db`. */
import { arg, defineAdapter, id, setting, verbsFor, z } from "../../definition/define.ts";
import type { TransactionMode } from "../../engine/sqlite/sqlite.ts";
import { RESOURCES, Transactions } from "./transactions.ts";

const MAX_NAME = 128;
/** How long begin, commit and rollback themselves may take; `timeout_s` bounds the transaction. */
const STEP_MS = 10_000;

const settings = { timeout_s: setting.most(30, 300).describe("seconds that a transaction may be open") };
const verb = verbsFor<typeof settings, Transactions>();

const MODES: Readonly<Record<"readwrite" | TransactionMode, TransactionMode>> = {
  readwrite: "deferred",
  deferred: "deferred",
  immediate: "immediate",
  readonly: "readonly",
};

const name = arg("name", id().pipe(z.string().min(1).max(MAX_NAME)).optional());
const ended = z.strictObject({ ok: z.literal(true), name: z.string(), at: z.iso.datetime() });
const common = {
  effect: "io-write",
  kind: "txn",
  determinism: "state",
  timeoutMs: STEP_MS,
  maxTimeoutMs: STEP_MS,
} as const;

export const txnAdapter = defineAdapter<typeof settings, Transactions>({
  apiVersion: 1,
  name: "txn",
  version: "1.0.0",
  summary: "A transaction over the run's calls to one database.",
  support: "core",
  lane: "canonical",
  privilege: "local_state",
  sandboxSafe: false,
  networkFacing: false,
  durable: false,
  maturity: "beta",
  settings,
  open: ({ run }) => new Transactions(run),
  verbs: {
    begin: verb({
      ...common,
      summary: "Opens a transaction; until its end the run's calls to the database belong to it.",
      args: z.tuple([name]),
      options: z.strictObject({
        resource: z.enum(RESOURCES).optional(),
        mode: z.enum(["readwrite", "deferred", "immediate", "readonly"]).default("readwrite"),
        timeout_s: z.number().positive().optional(),
      }),
      result: z.string().describe("an id, as text"),
      errors: ["ADAPTER_CONFLICT", "ADAPTER_NOT_CONFIGURED", "ADAPTER_BUSY"],
      run: async ({ args: [given], options, settings: { timeout_s }, instance, ctx }) => {
        const lifetimeMs = Math.min(options.timeout_s ?? timeout_s, timeout_s) * 1_000;
        const { resource = null } = options;
        await instance.begin(given ?? "default", { resource, mode: MODES[options.mode], lifetimeMs }, ctx);
        return ctx.uuid();
      },
    }),
    commit: verb({
      ...common,
      summary: "Keeps what the transaction changed.",
      args: z.tuple([name]),
      result: ended,
      errors: ["ADAPTER_CONFLICT", "ADAPTER_TRANSPORT", "ADAPTER_BUSY", "ADAPTER_QUOTA"],
      run: async ({ args: [given = "default"], instance, ctx }) => {
        await instance.commit(given, ctx);
        return { ok: true, name: given, at: new Date(ctx.now()).toISOString() };
      },
    }),
    rollback: verb({
      ...common,
      summary: "Undoes what the transaction changed.",
      args: z.tuple([name]),
      result: ended,
      errors: ["ADAPTER_CONFLICT"],
      run: async ({ args: [given = "default"], instance, ctx }) => {
        await instance.rollback(given);
        return { ok: true, name: given, at: new Date(ctx.now()).toISOString() };
      },
    }),
  },
});
