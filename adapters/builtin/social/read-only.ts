/** Accounts that can only be read: whatever the source of their posts is, they are looked through from the newest on. */
import type { VerbContext } from "../../definition/define.ts";
import {
  holdsText,
  isSince,
  type MentionsQuery,
  type Post,
  type Profile,
  type Provider,
  type SearchQuery,
} from "./provider.ts";

export type PostSource = {
  /** Newest first; no more is fetched than is taken. */
  posts(ctx: VerbContext): AsyncIterable<Post>;
  profile(ctx: VerbContext): Promise<Profile>;
};

/** The feed has no mentions of an account, so every post counts as one. */
export class ReadOnlyAccount implements Provider {
  readonly writer = null;
  readonly #source: PostSource;

  constructor(source: PostSource) {
    this.#source = source;
  }

  async mentions({ text, sinceId, limit }: MentionsQuery, ctx: VerbContext): Promise<readonly Post[]> {
    const found: Post[] = [];
    // A post that is no longer there is older than all that are.
    for await (const post of this.#source.posts(ctx)) {
      if (post.id === sinceId) break;
      if (holdsText(post, text)) found.push(post);
      if (found.length === limit) break;
    }
    return found;
  }

  async search({ text, sinceMs, limit }: SearchQuery, ctx: VerbContext): Promise<readonly Post[]> {
    const found: Post[] = [];
    for await (const post of this.#source.posts(ctx)) {
      if (holdsText(post, text) && isSince(post, sinceMs)) found.push(post);
      if (found.length === limit) break;
    }
    return found;
  }

  timeline(limit: number, ctx: VerbContext): Promise<readonly Post[]> {
    return this.mentions({ text: null, sinceId: null, limit }, ctx);
  }

  async get(id: string, ctx: VerbContext): Promise<Post | null> {
    for await (const post of this.#source.posts(ctx)) if (post.id === id) return post;
    return null;
  }

  profile(ctx: VerbContext): Promise<Profile> {
    return this.#source.profile(ctx);
  }
}
