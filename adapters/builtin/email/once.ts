/**
 * Calls that must not act twice: the ledger knows which were begun and how they ended, the Message-ID made of the key tells mail servers
 * and people that a second copy is the same message, and the day's quota counts what was really sent.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Json } from "../../../compiler/json.ts";
import type { VerbContext } from "../../definition/define.ts";
import type { HostPlaces } from "../../definition/host-services.ts";
import type { SqliteService } from "../../engine/sqlite/sqlite.ts";
import { adapterError } from "../../errors.ts";
import type { KeyValueStore } from "../../store/key-value.ts";
import { argsHash, type KeyedCall } from "../../store/ledger.ts";
import { SqliteKeyValueStore } from "../../store/sqlite/key-value.ts";
import { ledgerOf } from "../../store/stores.ts";
import type { Account } from "./account.ts";
import { isUndecided } from "./mail-errors.ts";
import { domainOf, type Mailbox } from "./message/addresses.ts";

export type Keyed = {
  readonly verb: "send" | "reply" | "draft" | "move";
  /** What the call was asked to do. */
  readonly asked: Json;
};

/** The answer of `act`; for a key that was seen before the answer of then. `again`: an attempt before may have had its effect. */
export async function once<T extends Json>(
  { verb, asked }: Keyed,
  ctx: VerbContext,
  act: (again: boolean) => Promise<T>,
): Promise<T> {
  const ledger = ledgerOf(ctx.host);
  const keyed: KeyedCall = { scope: `email.${verb}`, key: ctx.idempotencyKey, argsHash: argsHash(asked) };
  const known = await ledger.begin(keyed, ctx);
  // A result under this scope was written by this very verb.
  if (known.state === "done") return known.result as T;
  const again = known.state === "started";
  let result: T;
  try {
    result = await act(again);
  } catch (thrown) {
    if (!again && !isUndecided(thrown)) await ledger.abandon(keyed, ctx).catch(() => ctx.log("email_ledger_behind"));
    throw thrown;
  }
  // The message is on its way: a ledger that fails now must not make the call look failed.
  await ledger.complete(keyed, result, ctx).catch(() => ctx.log("email_ledger_behind"));
  return result;
}

/** The same for every attempt with the same key. */
export function messageIdFor({ verb }: Keyed, from: Mailbox, ctx: VerbContext): string {
  const hash = createHash("sha256").update(`email.${verb}\n${ctx.idempotencyKey}`, "utf8").digest("hex");
  // 128 bits keep apart whatever is sent, and the header on one line.
  return `<${hash.slice(0, 32)}@${domainOf(from)}>`;
}

const TWO_DAYS_S = 2 * 24 * 3600;
const ROOM = { maxEntries: 100_000, maxBytes: 64 * 1024 * 1024 } as const;

/** Counts one message of the account's day; it is given back when `send` fails for certain. Throws ADAPTER_QUOTA. */
export async function withinQuota<T>(account: Account, ctx: VerbContext, send: () => Promise<T>): Promise<T> {
  const store = countersOf(ctx.host);
  const day = new Date(ctx.now()).toISOString().slice(0, 10);
  const count = (by: number): Promise<number> => {
    const place = { namespace: "email.sent", key: `${account.name} ${day}` };
    const unrepeated = { key: ctx.uuid(), argsHash: "" };
    return store.increment({ ...place, ...ROOM, by, ttlSeconds: TWO_DAYS_S, once: unrepeated }, ctx);
  };
  const giveBack = (): Promise<unknown> => count(-1).catch(() => ctx.log("email_quota_behind"));
  const most = account.config.daily_quota;
  if ((await count(1)) > most) {
    await giveBack();
    const message = `the mail account may send ${most} messages a day (daily_quota) and has sent them today`;
    throw adapterError("ADAPTER_QUOTA", message, { data: { daily_quota: most } });
  }
  try {
    return await send();
  } catch (thrown) {
    if (!isUndecided(thrown)) await giveBack();
    throw thrown;
  }
}

const ofService = new WeakMap<SqliteService, KeyValueStore>();

/** A database of its own, as programs can write to the cache. Without a state directory it ends with the service. */
function countersOf({
  sqlite,
  places,
}: {
  readonly sqlite: SqliteService;
  readonly places: HostPlaces;
}): KeyValueStore {
  let store = ofService.get(sqlite);
  if (store === undefined) {
    const path = places.stateDir === null ? ":memory:" : join(places.stateDir, "email.db");
    store = new SqliteKeyValueStore(sqlite.open({ path, program: "cache", durability: "full" }), null);
    ofService.set(sqlite, store);
  }
  return store;
}
