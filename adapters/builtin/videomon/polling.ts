/**
 * Polling: when a channel may be asked again, what is asked, and what is kept of it. A channel that fails is left alone for longer and
 * longer, so that no workflow in a loop becomes a burden to somebody's server.
 */
import { AdapterError } from "../../../vm/errors/failures.ts";
import type { VerbContext } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { earlySignal } from "../../guard/early-signal.ts";
import { type HttpService, neededHttp } from "../../guard/http/http.ts";
import { feedScope, fetchFeed, fetchFigures } from "./fetching.ts";
import type { ChannelState, StoredVideo } from "./program.ts";
import type { Channel } from "./settings.ts";
import type { VideoStore } from "./store.ts";

/** Channels that are asked at the same time. */
const AT_ONCE = 4;
/** The first pause after a failure, doubled by every further one. */
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 6 * 3_600_000;
/** As long as a server may ask to wait. */
const MAX_WAIT_MS = 24 * 3_600_000;
/** Left of the call's time to remember that a server did not answer. */
const RESERVE_MS = 500;

export type PollAnswer = {
  readonly channel: string;
  readonly added: readonly StoredVideo[];
  readonly total: number;
  readonly notModified: boolean;
  /** null: never. */
  readonly polledMs: number | null;
  /** Code of what went wrong, where several channels are polled. */
  readonly error: string | null;
};

type Polling = { readonly store: VideoStore; readonly ctx: VerbContext };

/** One channel fails with its error; of several each says its own, and only if none works the first error is thrown. */
export async function pollAll(
  channels: ReadonlyMap<string, Channel>,
  polling: Polling,
): Promise<readonly PollAnswer[]> {
  const waiting = [...channels];
  const answers = new Map<string, PollAnswer>();
  const failures: AdapterError[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, channel] = next;
      try {
        answers.set(name, await pollOne(name, channel, polling));
      } catch (thrown) {
        if (!(thrown instanceof AdapterError) || thrown.code === "ADAPTER_CANCELLED") throw thrown;
        failures.push(thrown);
        answers.set(name, failedAnswer(name, thrown));
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const [first] = failures;
  if (first !== undefined && failures.length === channels.size) throw first;
  return [...channels.keys()].flatMap((name) => answers.get(name) ?? []);
}

function failedAnswer(channel: string, { code }: AdapterError): PollAnswer {
  return { channel, added: [], total: 0, notModified: false, polledMs: null, error: code };
}

async function pollOne(name: string, channel: Channel, { store, ctx }: Polling): Promise<PollAnswer> {
  const state = await store.call("state", { channel: name }, ctx);
  const pauseMs = (state?.nextMs ?? 0) - ctx.now();
  // A longer pause than any that is made is from before the clock was set back.
  if (state !== null && pauseMs > 0 && pauseMs <= longestPauseMs(state, channel)) {
    if (state.errorCount > 0)
      throw adapterError("ADAPTER_RATE_LIMITED", "the channel failed before and is left alone", {
        retryAfterMs: pauseMs,
      });
    const { videoCount: total, polledMs } = state;
    return { channel: name, added: [], total, notModified: true, polledMs, error: null };
  }
  try {
    return await asked(name, channel, state, { store, ctx });
  } catch (thrown) {
    const pause = pauseAfter(thrown, state, channel);
    if (pause !== null) await store.call("failed", { channel: name, nextMs: ctx.now() + pause }, ctx);
    throw thrown;
  }
}

function longestPauseMs({ errorCount }: ChannelState, channel: Channel): number {
  const afterSuccess = channel.poll_min_s * 1000;
  return errorCount === 0 ? afterSuccess : Math.max(afterSuccess, MAX_PAUSE_MS, MAX_WAIT_MS);
}

async function asked(
  name: string,
  channel: Channel,
  state: ChannelState | null,
  { store, ctx }: Polling,
): Promise<PollAnswer> {
  const http = neededHttp(ctx.host.http, "polling needs");
  const { fetched, figures } = await fetchBoth(channel, state, http, earlySignal(ctx, RESERVE_MS), ctx);
  const now = ctx.now();
  const { added, total } = await store.call(
    "record",
    { ...fetched, channel: name, now, figures, nextMs: now + channel.poll_min_s * 1000 },
    ctx,
  );
  return { channel: name, added, total, notModified: fetched.feed === null, polledMs: now, error: null };
}

async function fetchBoth(
  channel: Channel,
  state: ChannelState | null,
  http: HttpService,
  signal: AbortSignal,
  ctx: VerbContext,
) {
  const scope = feedScope(http, channel);
  try {
    const fetched = await fetchFeed(channel, state, scope, { host: ctx.host, signal, nowMs: ctx.now() });
    return { fetched, figures: await fetchFigures(channel, http, signal, ctx) };
  } finally {
    await scope.close();
  }
}

/** Of this side: the channel is not to blame. */
const OWN_TROUBLE: ReadonlySet<string> = new Set(["ADAPTER_CANCELLED", "ADAPTER_BUSY", "ADAPTER_NOT_CONFIGURED"]);

/** How long a channel is left alone after a failure; null: not at all. */
function pauseAfter(thrown: unknown, state: ChannelState | null, channel: Channel): number | null {
  if (!(thrown instanceof AdapterError) || OWN_TROUBLE.has(thrown.code)) return null;
  const doubled = FIRST_PAUSE_MS * 2 ** Math.min(state?.errorCount ?? 0, 20);
  const pause = Math.max(channel.poll_min_s * 1000, Math.min(doubled, MAX_PAUSE_MS));
  return Math.max(pause, Math.min(thrown.retryAfterMs ?? 0, MAX_WAIT_MS));
}
