/** Settings of videomon: the channels that the operator watches, and which of them a run may ask about. */
import { type SettingsOf, setting, z } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";

const address = z.url({ protocol: /^https?$/ });
/** Members on the way to a number in the answer of a statistics server, with dots between them. */
const memberPath = z.string().min(1);

const channel = z.strictObject({
  feed: address,
  /** Further hosts to which the feed may redirect; its own always may. */
  allow_hosts: z.array(z.string()).default([]),
  stats: z
    .strictObject({
      url: address,
      auth_secret: z.string().optional(),
      map: z.strictObject({ subscribers: memberPath.optional(), views: memberPath.optional() }),
    })
    .optional(),
  /** Least time between two requests for the feed. */
  poll_min_s: z.number().nonnegative().default(300),
});
export type Channel = z.output<typeof channel>;

export const videomonSettings = {
  channels: setting
    .operator(z.record(z.string().min(1).max(100), channel).default({}))
    .describe("name → channel, see below"),
  allow_channels: setting.list().describe("channels that a run may ask about"),
  allow_poll: setting.allow(true).describe("whether `poll` is allowed"),
  db_path: setting
    .operator(z.string().startsWith("/").optional())
    .describe(
      "the database; without it `videomon.db` in the state directory. Without any, what was polled ends with the run, with a warning",
    ),
};
export type VideomonSettings = SettingsOf<typeof videomonSettings>;

/** The channels that a call asks about; null: all that are known. Throws ADAPTER_NOT_ALLOWED. */
export function askedChannels(settings: VideomonSettings, name: string | undefined): readonly string[] | null {
  const { allow_channels: allowed } = settings;
  if (name === undefined) return allowed ?? null;
  if (allowed !== undefined && !allowed.includes(name))
    throw adapterError("ADAPTER_NOT_ALLOWED", "the channel is not on allow_channels");
  return [name];
}

/** The channels to poll, by name: one that is named, or all that may be. Throws ADAPTER_NOT_ALLOWED and ADAPTER_NOT_FOUND. */
export function polledChannels(settings: VideomonSettings, name: string | undefined): ReadonlyMap<string, Channel> {
  if (!settings.allow_poll) throw adapterError("ADAPTER_NOT_ALLOWED", "polling is not allowed");
  const asked = askedChannels(settings, name);
  const found = Object.entries(settings.channels).filter(([one]) => asked?.includes(one) ?? true);
  if (name !== undefined && found.length === 0) throw adapterError("ADAPTER_NOT_FOUND", "no such channel is watched");
  return new Map(found);
}
