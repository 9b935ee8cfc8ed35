/** A social account with a server of its own, for the rules that every adapter keeps. */
import type { Json, JsonObject } from "../../../../compiler/json.ts";
import { filled, socialWorld, TOKEN, TOKEN_SECRET } from "./world.ts";

export type SocialFixture = {
  readonly settings: JsonObject;
  readonly secrets: Readonly<Record<string, string>>;
  /** What stands on the server. */
  observe(): Json;
  close(): Promise<void>;
};

export async function socialFixture(): Promise<SocialFixture> {
  const world = await socialWorld();
  world.mentions = filled(world, 3, (at) => `hello ${at}`);
  return {
    settings: { accounts: { default: world.account } },
    secrets: { [TOKEN_SECRET]: TOKEN },
    observe: () => [...world.statuses.values()].map(({ id, text }) => [id, text]),
    close: () => world.server.close(),
  };
}

/** One program for every verb. */
export const SOCIAL_PROGRAMS: readonly { readonly verb: string; readonly source: string }[] = Object.entries({
  G: 'R social.G "hello" {"limit": 2} ->r',
  mentions: 'R social.mentions {"since_id": "100"} ->r',
  search: 'R social.search "hello" {"limit": 2} ->r',
  timeline: 'R social.timeline {"limit": 2} ->r',
  post: 'R social.post "Build 42 is out" {"visibility": "unlisted"} ->r',
  reply: 'R social.reply "100" "Thank you." ->r',
  get: 'R social.get "101" ->r',
  delete: 'R social.delete "102" ->r',
  profile: "R social.profile ->r",
}).map(([verb, step]) => ({ verb, source: `L1:\n  ${step}\n  J r\n` }));
