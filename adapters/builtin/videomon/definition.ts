/**
 * The videomon adapter: new videos and figures of watched channels (docs/adapters/videomon.md). Only `poll` uses the network; all other
 * verbs read what it stored. Here stands what it promises to programs.
 */
import { arg, defineAdapter, id, type VerbContext, verbsFor, z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { type PollAnswer, pollAll } from "./polling.ts";
import type { StoredVideo } from "./program.ts";
import { askedChannels, polledChannels, type VideomonSettings, videomonSettings } from "./settings.ts";
import { openVideoStore, type VideoStore } from "./store.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_HOURS = 100 * 366 * 24;
/** A first poll can find 5,000 videos. */
const MAX_POLL_BYTES = 64 * 1024 * 1024;
const MAX_LIST_BYTES = 16 * 1024 * 1024;

const verb = verbsFor<typeof videomonSettings, VideoStore>();

const timing = { timeoutMs: 10_000, maxTimeoutMs: 60_000 } as const;
const reading = { ...timing, effect: "io-read", kind: "db_read", determinism: "state" } as const;

const count = z.number().int().nonnegative();
const time = z.iso.datetime();
const hours = z.number().positive().max(MAX_HOURS);
const limit = (fallback: number) => z.number().int().min(1).max(1000).default(fallback);
const channel = arg("channel", z.string());
const anyChannel = arg("channel", z.string().optional());

const videoShape = z.strictObject({
  id: z.string(),
  channel: z.string(),
  title: z.string(),
  url: z.string().nullable(),
  published_at: time.nullable(),
  updated_at: time.nullable(),
  description: z.string().nullable(),
  thumbnail: z.string().nullable(),
  duration_s: z.number().nullable(),
  views: count.nullable(),
  likes: count.nullable(),
  first_seen_at: time,
});
const videoList = z.array(videoShape);

const EXAMPLE = {
  id: "v-1",
  channel: "main",
  title: "First steps",
  url: "https://video.example/v-1",
  published_at: "2030-01-01T00:00:00.000Z",
  updated_at: null,
  description: null,
  thumbnail: null,
  duration_s: 95,
  views: 1200,
  likes: null,
  first_seen_at: "2030-01-01T00:05:00.000Z",
};

export const videomonAdapter = defineAdapter<typeof videomonSettings, VideoStore>({
  apiVersion: 1,
  name: "videomon",
  version: "1.0.0",
  summary: "New videos and figures of watched channels, from their feeds.",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "network",
  sandboxSafe: false,
  networkFacing: true,
  durable: false,
  maturity: "beta",
  needs: ["http", "sqlite"],
  settings: videomonSettings,
  settingAliases: { channels: "allow_channels" },
  open: ({ settings, host, run }) => openVideoStore(settings, host, run),
  close: (store) => store.close(),
  verbs: {
    poll: verb({
      ...timing,
      summary: "Asks the feed of one channel, or of all, for what is new.",
      effect: "io-write",
      kind: "http",
      determinism: "external",
      idempotent: true,
      destructive: false,
      args: z.tuple([anyChannel]),
      result: z.array(
        z.strictObject({
          channel: z.string(),
          new: videoList,
          total: count,
          not_modified: z.boolean(),
          polled_at: time.nullable(),
          error: z.string().nullable(),
        }),
      ),
      maxResultBytes: MAX_POLL_BYTES,
      errors: [
        "ADAPTER_NOT_FOUND",
        "ADAPTER_RATE_LIMITED",
        "ADAPTER_UNAVAILABLE",
        "ADAPTER_HTTP_STATUS",
        "ADAPTER_HOST_BLOCKED",
        "ADAPTER_ADDRESS_BLOCKED",
        "ADAPTER_TOO_MANY_REDIRECTS",
      ],
      examples: [
        {
          source: 'R videomon.poll "main" ->reports',
          result: [
            {
              channel: "main",
              new: [EXAMPLE],
              total: 12,
              not_modified: false,
              polled_at: "2030-01-01T00:05:00.000Z",
              error: null,
            },
          ],
        },
      ],
      async run({ args: [name], settings, instance, ctx }) {
        const answers = await pollAll(polledChannels(settings, name), { store: instance, ctx });
        return answers.map(shownAnswer);
      },
    }),
    F: verb({
      ...reading,
      summary: "The latest polls, newest first.",
      args: z.tuple([]),
      options: z.strictObject({ limit: limit(20) }),
      result: z.array(z.strictObject({ id: count, channel: z.string(), polled_at: time, video_count: count })),
      examples: [
        {
          source: 'R videomon.F {"limit": 1} ->polls',
          result: [{ id: 1, channel: "main", polled_at: "2030-01-01T00:05:00.000Z", video_count: 12 }],
        },
      ],
      async run({ options, settings, instance, ctx }) {
        const channels = askedChannels(settings, undefined);
        const polls = await instance.call("polls", { channels, limit: options.limit }, ctx);
        return polls.map(({ id, channel, polledMs, videoCount }) => {
          return { id, channel, polled_at: timeText(polledMs), video_count: videoCount };
        });
      },
    }),
    videos: verb({
      ...reading,
      summary: "Videos of one channel or of all, newest first.",
      args: z.tuple([anyChannel]),
      options: z.strictObject({ limit: limit(50), since: z.iso.datetime({ offset: true }).optional() }),
      result: videoList.describe("videos, newest first"),
      maxResultBytes: MAX_LIST_BYTES,
      examples: [{ source: 'R videomon.videos "main" {"limit": 1} ->list', result: [EXAMPLE] }],
      async run({ args: [name], options, settings, instance, ctx }) {
        const sinceMs = options.since === undefined ? null : Date.parse(options.since);
        const channels = askedChannels(settings, name);
        const found = await instance.call("videos", { channels, limit: options.limit, sinceMs, text: null }, ctx);
        return found.map(shownVideo);
      },
    }),
    recent: verb({
      ...reading,
      summary: "How many videos were published in the last hours; first seen, where no feed says when.",
      args: z.tuple([arg("hours", hours.optional()), anyChannel]),
      result: count.describe("how many videos were published in that time; first seen, where no feed says when"),
      examples: [{ source: 'R videomon.recent 48 "main" ->n', result: 3 }],
      run({ args: [hours = 24, name], settings, instance, ctx }) {
        const channels = askedChannels(settings, name);
        return instance.call("countSince", { channels, sinceMs: ctx.now() - hours * HOUR_MS }, ctx);
      },
    }),
    video: verb({
      ...reading,
      summary: "A video by its id, or null.",
      args: z.tuple([arg("id", id())]),
      result: videoShape.nullable().describe("a video, or null"),
      examples: [{ source: 'R videomon.video "v-1" ->video', result: EXAMPLE }],
      async run({ args: [id], settings, instance, ctx }) {
        const found = await instance.call("video", { channels: askedChannels(settings, undefined), id }, ctx);
        return found === null ? null : shownVideo(found);
      },
    }),
    profile: verb({
      ...reading,
      summary: "What is known of a channel.",
      args: z.tuple([channel]),
      result: z.strictObject({
        name: z.string(),
        title: z.string().nullable(),
        url: z.string().nullable(),
        subscribers: count.nullable(),
        videos: count,
        last_published_at: time.nullable(),
      }),
      errors: ["ADAPTER_NOT_FOUND"],
      examples: [
        {
          source: 'R videomon.profile "main" ->about',
          result: {
            name: "main",
            title: "Main channel",
            url: "https://video.example/main",
            subscribers: null,
            videos: 12,
            last_published_at: "2030-01-01T00:00:00.000Z",
          },
        },
      ],
      run: ({ args: [name], settings, instance, ctx }) => profile(name, settings, instance, ctx),
    }),
    search: verb({
      ...reading,
      summary: "Videos whose title or description holds a text, in any letter case, newest first.",
      args: z.tuple([arg("text", z.string().min(1).max(1000))]),
      options: z.strictObject({ channel: z.string().optional(), limit: limit(50) }),
      result: videoList.describe("videos whose title or description holds the text, in any letter case"),
      maxResultBytes: MAX_LIST_BYTES,
      examples: [{ source: 'R videomon.search "first" {"channel": "main"} ->list', result: [EXAMPLE] }],
      async run({ args: [text], options, settings, instance, ctx }) {
        const channels = askedChannels(settings, options.channel);
        const query = { channels, limit: options.limit, sinceMs: null, text };
        return (await instance.call("videos", query, ctx)).map(shownVideo);
      },
    }),
    trending: verb({
      ...reading,
      summary: "The videos whose views grow fastest.",
      args: z.tuple([]),
      options: z.strictObject({ hours: hours.default(24), limit: limit(10) }),
      result: z
        .array(videoShape.extend({ views_per_hour: z.number() }))
        .describe("videos with `views_per_hour`, fastest first"),
      maxResultBytes: MAX_LIST_BYTES,
      examples: [{ source: 'R videomon.trending {"hours": 6} ->list', result: [{ ...EXAMPLE, views_per_hour: 12.5 }] }],
      async run({ options, settings, instance, ctx }) {
        const channels = askedChannels(settings, undefined);
        const sinceMs = ctx.now() - options.hours * HOUR_MS;
        const found = await instance.call("trending", { channels, sinceMs, limit: options.limit }, ctx);
        return found.map(({ viewsPerHour, ...video }) => ({ ...shownVideo(video), views_per_hour: viewsPerHour }));
      },
    }),
    analytics: verb({
      ...reading,
      summary: "The figures of a channel, one entry for each day (UTC) on which it was polled.",
      args: z.tuple([channel]),
      options: z.strictObject({ days: z.number().int().min(1).max(400).default(30) }),
      result: z
        .array(
          z.strictObject({
            at: time,
            views: count.nullable(),
            subscribers: count.nullable(),
            videos: count.nullable(),
          }),
        )
        .describe("`[{at, views, subscribers, videos}]`, the last figures of each day (UTC)"),
      examples: [
        {
          source: 'R videomon.analytics "main" ->days',
          result: [{ at: "2030-01-01T00:05:00.000Z", views: 40000, subscribers: 310, videos: 12 }],
        },
      ],
      async run({ args: [name], options, settings, instance, ctx }) {
        askedChannels(settings, name);
        const sinceMs = ctx.now() - options.days * DAY_MS;
        const days = await instance.call("analytics", { channel: name, sinceMs }, ctx);
        return days.map(({ atMs, ...figures }) => ({ at: timeText(atMs), ...figures }));
      },
    }),
  },
});

async function profile(name: string, settings: VideomonSettings, store: VideoStore, ctx: VerbContext) {
  askedChannels(settings, name);
  const found = await store.call("profile", { channel: name }, ctx);
  if (found === null && !Object.hasOwn(settings.channels, name))
    throw adapterError("ADAPTER_NOT_FOUND", "no such channel is watched");
  return {
    name,
    title: found?.title ?? null,
    url: found?.url ?? null,
    subscribers: found?.subscribers ?? null,
    videos: found?.videos ?? 0,
    last_published_at: timeOrNull(found?.lastPublishedMs ?? null),
  };
}

function shownAnswer({ channel, added, total, notModified, polledMs, error }: PollAnswer) {
  return {
    channel,
    new: added.map(shownVideo),
    total,
    not_modified: notModified,
    polled_at: timeOrNull(polledMs),
    error,
  };
}

function shownVideo(video: StoredVideo) {
  const { id, channel, title, url, description, thumbnail, views, likes } = video;
  return {
    id,
    channel,
    title,
    url,
    published_at: timeOrNull(video.publishedMs),
    updated_at: timeOrNull(video.updatedMs),
    description,
    thumbnail,
    duration_s: video.durationS,
    views,
    likes,
    first_seen_at: timeText(video.firstSeenMs),
  };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : timeText(ms);
}
