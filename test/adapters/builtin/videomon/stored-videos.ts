/** A database of videomon as polls would have left it. */
import Database from "better-sqlite3";
import { videomonOperations, videomonProgram } from "../../../../adapters/builtin/videomon/program.ts";
import type { FeedVideo } from "../../../../adapters/content/feed/feed.ts";

export function feedVideo(id: string, more: Partial<FeedVideo> = {}): FeedVideo {
  return {
    id,
    title: `Video ${id}`,
    url: `https://video.example/${id}`,
    publishedMs: null,
    updatedMs: null,
    description: null,
    thumbnail: null,
    durationS: null,
    views: null,
    likes: null,
    ...more,
  };
}

/** Polls `channel` once at `now` in the file at `path`, which is made when it is missing. */
export function storePoll(path: string, channel: string, videos: readonly FeedVideo[], now: number): void {
  const db = new Database(path);
  try {
    db.exec(videomonProgram.schema);
    const feed = { title: channel, url: null, videos };
    const figures = { subscribers: null, views: null };
    videomonOperations.record.run(db, { channel, now, feed, figures, etag: null, lastModified: null, nextMs: now });
  } finally {
    db.close();
  }
}

/** Videos that were published this many hours before `now`. */
export function storeVideosPublished(path: string, hoursAgo: readonly number[], now: number): void {
  const videos = hoursAgo.map((hours, at) => feedVideo(`v${at + 1}`, { publishedMs: now - hours * 3_600_000 }));
  storePoll(path, "main", videos, now);
}
