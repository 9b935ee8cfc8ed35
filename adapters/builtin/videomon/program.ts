/**
 * The database of videomon: what feeds said, and how figures grew. Runs in the SQLite helper. A poll is one transaction, so that a
 * reader sees all of it or nothing. Times are milliseconds since 1970.
 */
import type { Database } from "better-sqlite3";
import type { FeedVideo } from "../../content/feed/feed.ts";
import { program, reading, statement, writing } from "../../store/sqlite/program.ts";

const SCHEMA = `
CREATE TABLE IF NOT EXISTS channels(
  name TEXT PRIMARY KEY, title TEXT, url TEXT, etag TEXT, last_modified TEXT,
  polled_ms INTEGER, error_count INTEGER NOT NULL DEFAULT 0,
  next_ms INTEGER NOT NULL DEFAULT 0 -- not asked again before
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS videos(
  channel TEXT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL, url TEXT, published_ms INTEGER, updated_ms INTEGER,
  description TEXT, thumbnail TEXT, duration_s REAL, views INTEGER, likes INTEGER, first_seen_ms INTEGER NOT NULL,
  sort_ms INTEGER NOT NULL, -- when it was published; first seen, when the feed does not say
  folded TEXT NOT NULL, -- title and description as they are searched
  PRIMARY KEY(channel, id)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS videos_newest ON videos(sort_ms DESC);
CREATE INDEX IF NOT EXISTS videos_id ON videos(id);
CREATE TABLE IF NOT EXISTS snapshots(
  channel TEXT NOT NULL, video_id TEXT NOT NULL, -- '': the channel as a whole
  at_ms INTEGER NOT NULL, views INTEGER, likes INTEGER, subscribers INTEGER,
  PRIMARY KEY(channel, video_id, at_ms)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS snapshots_at ON snapshots(at_ms);
CREATE TABLE IF NOT EXISTS polls(
  id INTEGER PRIMARY KEY, channel TEXT NOT NULL, polled_ms INTEGER NOT NULL, video_count INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS polls_channel ON polls(channel, polled_ms);
CREATE INDEX IF NOT EXISTS polls_at ON polls(polled_ms);
`;

const DAY_MS = 86_400_000;
/** Reports and figures are kept so long; videos for good. */
const KEPT_MS = 400 * DAY_MS;
/** Old rows that one poll removes at most, so that no poll takes long because of them. */
const FORGET_AT_ONCE = 1_000;

type Timed = { readonly now: number };
/** null: all channels. */
type Asked = { readonly channels: readonly string[] | null };
type Named = { readonly channel: string };

/** What is known of a channel before it is polled. */
export type ChannelState = {
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly polledMs: number | null;
  readonly errorCount: number;
  readonly nextMs: number;
  /** Of the last report. */
  readonly videoCount: number;
};
export type ChannelFigures = { readonly subscribers: number | null; readonly views: number | null };

type PollRecord = Named &
  Timed & {
    /** null: the server says that nothing changed. */
    readonly feed: {
      readonly title: string | null;
      readonly url: string | null;
      readonly videos: readonly FeedVideo[];
    } | null;
    readonly etag: string | null;
    readonly lastModified: string | null;
    readonly figures: ChannelFigures;
    readonly nextMs: number;
  };

export type StoredVideo = FeedVideo & { readonly channel: string; readonly firstSeenMs: number };
type PollOutcome = { readonly added: readonly StoredVideo[]; readonly total: number };

const VIDEO = `channel, id, title, url, published_ms AS publishedMs, updated_ms AS updatedMs, description, thumbnail,
  duration_s AS durationS, views, likes, first_seen_ms AS firstSeenMs`;
const ASKED = "(@channels IS NULL OR channel IN (SELECT value FROM json_each(@channels)))";

function list(channels: readonly string[] | null): string | null {
  return channels === null ? null : JSON.stringify(channels);
}

/** How text is compared: without letter case, in one form of composed characters. */
function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

function state(db: Database, { channel }: Named): ChannelState | null {
  const row = statement<Omit<ChannelState, "videoCount">>(
    db,
    `SELECT etag, last_modified AS lastModified, polled_ms AS polledMs, error_count AS errorCount, next_ms AS nextMs
     FROM channels WHERE name = ?`,
  ).get(channel);
  return row === undefined ? null : { ...row, videoCount: lastCount(db, channel) };
}

function lastCount(db: Database, channel: string): number {
  const row = statement<{ count: number }>(
    db,
    "SELECT video_count AS count FROM polls WHERE channel = ? ORDER BY polled_ms DESC, id DESC LIMIT 1",
  ).get(channel);
  return row?.count ?? 0;
}

function record(db: Database, input: PollRecord): PollOutcome {
  const { channel, now, feed, figures, nextMs } = input;
  forget(db, now);
  statement(
    db,
    `INSERT INTO channels(name, etag, last_modified, polled_ms, next_ms) VALUES (@channel, @etag, @lastModified, @now, @nextMs)
     ON CONFLICT(name) DO UPDATE SET polled_ms = @now, error_count = 0, next_ms = @nextMs,
       etag = @etag, last_modified = @lastModified`,
  ).run({ channel, now, nextMs, etag: input.etag, lastModified: input.lastModified });
  const added = feed === null ? [] : takeFeed(db, channel, feed, now);
  const total = feed === null ? lastCount(db, channel) : feed.videos.length;
  snapshotChannel(db, channel, figures, now);
  statement(db, "INSERT INTO polls(channel, polled_ms, video_count) VALUES (?, ?, ?)").run(channel, now, total);
  return { added, total };
}

function takeFeed(
  db: Database,
  channel: string,
  { title, url, videos }: NonNullable<PollRecord["feed"]>,
  now: number,
): readonly StoredVideo[] {
  statement(db, "UPDATE channels SET title = ?, url = ? WHERE name = ?").run(title, url, channel);
  const known = statement(db, "SELECT 1 FROM videos WHERE channel = ? AND id = ?");
  const added: StoredVideo[] = [];
  for (const video of videos) {
    if (known.get(channel, video.id) === undefined) added.push({ ...video, channel, firstSeenMs: now });
    writeVideo(db, channel, video, now);
    if (video.views !== null || video.likes !== null) snapshotVideo(db, channel, video, now);
  }
  return added;
}

/** Figures that a feed leaves out keep what was known. */
function writeVideo(db: Database, channel: string, video: FeedVideo, now: number): void {
  statement(
    db,
    `INSERT INTO videos(channel, id, title, url, published_ms, updated_ms, description, thumbnail, duration_s, views, likes,
       first_seen_ms, sort_ms, folded)
     VALUES (@channel, @id, @title, @url, @publishedMs, @updatedMs, @description, @thumbnail, @durationS, @views, @likes,
       @now, coalesce(@publishedMs, @now), @folded)
     ON CONFLICT(channel, id) DO UPDATE SET title = @title, url = @url, published_ms = @publishedMs,
       updated_ms = @updatedMs, description = @description, thumbnail = @thumbnail, duration_s = @durationS,
       views = coalesce(@views, views), likes = coalesce(@likes, likes),
       sort_ms = coalesce(@publishedMs, first_seen_ms), folded = @folded`,
  ).run({ ...video, channel, now, folded: folded(`${video.title}\n${video.description ?? ""}`) });
}

/** A row for every change only: most figures stand still most of the time. */
function snapshotVideo(db: Database, channel: string, { id, views, likes }: FeedVideo, now: number): void {
  const last = statement<{ views: number | null; likes: number | null }>(
    db,
    "SELECT views, likes FROM snapshots WHERE channel = ? AND video_id = ? ORDER BY at_ms DESC LIMIT 1",
  ).get(channel, id);
  if (last !== undefined && last.views === views && last.likes === likes) return;
  statement(db, "INSERT OR REPLACE INTO snapshots(channel, video_id, at_ms, views, likes) VALUES (?, ?, ?, ?, ?)").run(
    channel,
    id,
    now,
    views,
    likes,
  );
}

/** The views of a channel are those of its videos, unless a source reports more. */
function snapshotChannel(db: Database, channel: string, { subscribers, views }: ChannelFigures, now: number): void {
  statement(
    db,
    `INSERT OR REPLACE INTO snapshots(channel, video_id, at_ms, views, subscribers)
     VALUES (@channel, '', @now, coalesce(@views, (SELECT sum(views) FROM videos WHERE channel = @channel)), @subscribers)`,
  ).run({ channel, now, views, subscribers });
}

function forget(db: Database, now: number): void {
  const before = now - KEPT_MS;
  statement(
    db,
    `DELETE FROM snapshots WHERE (channel, video_id, at_ms) IN
       (SELECT channel, video_id, at_ms FROM snapshots WHERE at_ms < ? LIMIT ${FORGET_AT_ONCE})`,
  ).run(before);
  statement(db, `DELETE FROM polls WHERE id IN (SELECT id FROM polls WHERE polled_ms < ? LIMIT ${FORGET_AT_ONCE})`).run(
    before,
  );
}

function failed(db: Database, { channel, nextMs }: Named & { readonly nextMs: number }): null {
  statement(
    db,
    `INSERT INTO channels(name, error_count, next_ms) VALUES (@channel, 1, @nextMs)
     ON CONFLICT(name) DO UPDATE SET error_count = error_count + 1, next_ms = @nextMs`,
  ).run({ channel, nextMs });
  return null;
}

type PollReport = {
  readonly id: number;
  readonly channel: string;
  readonly polledMs: number;
  readonly videoCount: number;
};

function polls(db: Database, { channels, limit }: Asked & { readonly limit: number }): readonly PollReport[] {
  return statement<PollReport>(
    db,
    `SELECT id, channel, polled_ms AS polledMs, video_count AS videoCount FROM polls WHERE ${ASKED}
     ORDER BY polled_ms DESC, id DESC LIMIT @limit`,
  ).all({ channels: list(channels), limit });
}

type VideoQuery = Asked & {
  readonly limit: number;
  readonly sinceMs: number | null;
  /** null: any. */
  readonly text: string | null;
};

function videos(db: Database, { channels, text, ...query }: VideoQuery): readonly StoredVideo[] {
  return statement<StoredVideo>(
    db,
    `SELECT ${VIDEO} FROM videos
     WHERE ${ASKED} AND (@sinceMs IS NULL OR sort_ms >= @sinceMs) AND (@text IS NULL OR instr(folded, @text) > 0)
     ORDER BY sort_ms DESC, channel, id LIMIT @limit`,
  ).all({ ...query, channels: list(channels), text: text === null ? null : folded(text) });
}

function countSince(db: Database, { channels, sinceMs }: Asked & { readonly sinceMs: number }): number {
  const row = statement<{ count: number }>(
    db,
    `SELECT count(*) AS count FROM videos WHERE ${ASKED} AND sort_ms >= @sinceMs`,
  ).get({ channels: list(channels), sinceMs });
  return row?.count ?? 0;
}

function video(db: Database, { channels, id }: Asked & { readonly id: string }): StoredVideo | null {
  const row = statement<StoredVideo>(
    db,
    `SELECT ${VIDEO} FROM videos WHERE ${ASKED} AND id = @id ORDER BY channel LIMIT 1`,
  ).get({ channels: list(channels), id });
  return row ?? null;
}

type ChannelProfile = {
  readonly title: string | null;
  readonly url: string | null;
  readonly subscribers: number | null;
  readonly videos: number;
  readonly lastPublishedMs: number | null;
};

function profile(db: Database, { channel }: Named): ChannelProfile | null {
  const row = statement<ChannelProfile>(
    db,
    `SELECT title, url,
       (SELECT subscribers FROM snapshots WHERE channel = @channel AND video_id = '' AND subscribers IS NOT NULL
        ORDER BY at_ms DESC LIMIT 1) AS subscribers,
       (SELECT count(*) FROM videos WHERE channel = @channel) AS videos,
       (SELECT max(published_ms) FROM videos WHERE channel = @channel) AS lastPublishedMs
     FROM channels WHERE name = @channel`,
  ).get({ channel });
  return row ?? null;
}

type TrendingVideo = StoredVideo & { readonly viewsPerHour: number };
type TrendingQuery = Asked & { readonly sinceMs: number; readonly limit: number };

/**
 * Growth from what was known at the beginning of the time (or first within it) to now. The figure of the last poll holds until the
 * channel was polled last.
 */
function trending(db: Database, { channels, sinceMs, limit }: TrendingQuery): readonly TrendingVideo[] {
  return statement<TrendingVideo>(
    db,
    `WITH known AS (
       SELECT v.*, c.polled_ms AS until_ms,
         coalesce(
           (SELECT max(at_ms) FROM snapshots s WHERE s.channel = v.channel AND s.video_id = v.id AND at_ms <= @sinceMs),
           (SELECT min(at_ms) FROM snapshots s WHERE s.channel = v.channel AND s.video_id = v.id)) AS from_ms
       FROM videos v JOIN channels c ON c.name = v.channel WHERE v.views IS NOT NULL),
     grown AS (
       SELECT k.*, (k.views - s.views) * 3600000.0 / (k.until_ms - max(k.from_ms, @sinceMs)) AS viewsPerHour
       FROM known k JOIN snapshots s ON s.channel = k.channel AND s.video_id = k.id AND s.at_ms = k.from_ms
       WHERE k.until_ms > max(k.from_ms, @sinceMs))
     SELECT ${VIDEO}, viewsPerHour FROM grown
     WHERE ${ASKED} AND viewsPerHour > 0 ORDER BY viewsPerHour DESC, channel, id LIMIT @limit`,
  ).all({ channels: list(channels), sinceMs, limit });
}

type DayFigures = {
  readonly atMs: number;
  readonly views: number | null;
  readonly subscribers: number | null;
  readonly videos: number | null;
};

/** The last figures of each day (UTC), oldest first. */
function analytics(db: Database, { channel, sinceMs }: Named & { readonly sinceMs: number }): readonly DayFigures[] {
  return statement<DayFigures>(
    db,
    `WITH days AS (
       SELECT max(at_ms) AS atMs, views, subscribers FROM snapshots
       WHERE channel = @channel AND video_id = '' AND at_ms >= @sinceMs GROUP BY at_ms / ${DAY_MS})
     SELECT atMs, views, subscribers,
       (SELECT video_count FROM polls WHERE channel = @channel AND polled_ms = atMs ORDER BY id DESC LIMIT 1) AS videos
     FROM days ORDER BY atMs`,
  ).all({ channel, sinceMs });
}

export const videomonOperations = {
  state: reading(state),
  record: writing(record),
  failed: writing(failed),
  polls: reading(polls),
  videos: reading(videos),
  countSince: reading(countSince),
  video: reading(video),
  profile: reading(profile),
  trending: reading(trending),
  analytics: reading(analytics),
};

export const videomonProgram = program(SCHEMA, videomonOperations);
