/**
 * Verbs that write. The order is fixed: what settings forbid, then the ledger, then files, and the server last; so nothing that is refused
 * leaves a trace outside, and nothing is posted twice under one key.
 */
import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import type { VerbContext } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { argsHash, type KeyedCall } from "../../store/ledger.ts";
import { ledgerOf } from "../../store/stores.ts";
import type { Account, Accounts } from "./accounts.ts";
import { loadMedia, type MediaList } from "./media.ts";
import { type PostId, writtenId } from "./post-id.ts";
import type { Visibility, Writer } from "./provider.ts";
import type { SocialSettings } from "./settings.ts";

export type Writing = { readonly accounts: Accounts; readonly settings: SocialSettings; readonly ctx: VerbContext };

export type PostRequest = {
  readonly verb: "post" | "reply";
  readonly text: string;
  readonly replyTo: PostId | undefined;
  readonly account: string | undefined;
  readonly visibility: Visibility | undefined;
  readonly language: string | undefined;
  readonly scheduledAt: string | undefined;
  readonly media: MediaList;
};

export async function publish(request: PostRequest, call: Writing): Promise<JsonObject> {
  const { text, replyTo, media } = request;
  const { account, writer } = writable(call.accounts.holding(replyTo, request.account), call.settings);
  if (text.trim() === "" && media.length === 0) throw badText("text, or media");
  const most = account.config.max_post_chars;
  if ([...text].length > most) throw badText(`at most ${most} characters`);
  const { ctx } = call;
  return once(request, account, ctx, async (key) => {
    const draft = {
      text,
      replyTo: replyTo?.id ?? null,
      visibility: request.visibility ?? null,
      language: request.language ?? null,
      scheduledAt: request.scheduledAt ?? null,
      media: await loadMedia(media, ctx),
    };
    const { id, url, createdAt } = await writer.publish(draft, key, ctx);
    return { id: writtenId(account.name, id), url, created_at: createdAt };
  });
}

export async function remove({ account, id }: PostId, { accounts, settings, ctx }: Writing): Promise<JsonObject> {
  const { writer } = writable(accounts.get(account), settings);
  return { deleted: await writer.remove(id, ctx) };
}

/** Throws ADAPTER_NOT_CONFIGURED and ADAPTER_WRITE_FORBIDDEN. */
function writable(account: Account, { allow_post }: SocialSettings): { account: Account; writer: Writer } {
  const { writer } = account.provider;
  if (writer === null) throw adapterError("ADAPTER_NOT_CONFIGURED", "the social account can only be read");
  if (!allow_post || !account.config.allow_post)
    throw adapterError("ADAPTER_WRITE_FORBIDDEN", "posting is not allowed");
  return { account, writer };
}

function badText(expected: string): AdapterError {
  const data = { issues: [{ path: "/text", expected, got: "another" }] };
  return adapterError("ADAPTER_BAD_ARGS", `argument /text: expected ${expected}`, { data });
}

/** The server may have done what was asked, although the call failed so. */
const UNDECIDED: ReadonlySet<string> = new Set([
  "ADAPTER_TRANSPORT",
  "ADAPTER_TIMEOUT",
  "ADAPTER_CANCELLED",
  "ADAPTER_UNAVAILABLE",
  "ADAPTER_BAD_DATA",
]);

/** The answer of `act`; for a key that was seen before the answer of then. An attempt of which nothing is known is made again. */
async function once(
  request: PostRequest,
  account: Account,
  ctx: VerbContext,
  act: (key: string) => Promise<JsonObject>,
): Promise<JsonObject> {
  const ledger = ledgerOf(ctx.host);
  const scope = `social.${request.verb}`;
  // Made of checked arguments, which are JSON; members that were not given drop out.
  const asked = JSON.parse(JSON.stringify({ ...request, account: account.name })) as Json;
  const keyed: KeyedCall = { scope, key: ctx.idempotencyKey, argsHash: argsHash(asked) };
  const known = await ledger.begin(keyed, ctx);
  // A result under this scope was written by this very function.
  if (known.state === "done") return known.result as JsonObject;
  let result: JsonObject;
  try {
    result = await act(createHash("sha256").update(`${scope}\n${ctx.idempotencyKey}`, "utf8").digest("hex"));
  } catch (thrown) {
    const decided = thrown instanceof AdapterError && !UNDECIDED.has(thrown.code);
    if (decided && known.state === "new") await ledger.abandon(keyed, ctx).catch(() => ctx.log("social_ledger_behind"));
    throw thrown;
  }
  // It is posted: a ledger that fails now must not make the call look failed.
  await ledger.complete(keyed, result, ctx).catch(() => ctx.log("social_ledger_behind"));
  return result;
}
