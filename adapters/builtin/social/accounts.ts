/** The accounts of one run: which of the operator's a call may use, each with its provider, opened at its first use. */
import { adapterError } from "../../errors.ts";
import type { HttpService } from "../../guard/http/http.ts";
import { refuseUnlisted } from "../../store/names.ts";
import { feedSource } from "./feed.ts";
import { HttpProvider } from "./http-provider.ts";
import { Mastodon } from "./mastodon.ts";
import { outboxSource } from "./outbox.ts";
import { DEFAULT_ACCOUNT, type PostId } from "./post-id.ts";
import type { Provider } from "./provider.ts";
import { ReadOnlyAccount } from "./read-only.ts";
import { AccountServer } from "./server.ts";
import type { AccountConfig, SocialSettings } from "./settings.ts";

export type Account = {
  readonly name: string;
  readonly config: AccountConfig;
  readonly provider: Provider;
  readonly server: AccountServer;
};

export class Accounts {
  readonly #settings: SocialSettings;
  readonly #http: HttpService;
  readonly #open = new Map<string, Account>();

  constructor(settings: SocialSettings, http: HttpService) {
    this.#settings = settings;
    this.#http = http;
  }

  /** Without a name: `default`, or the only one. Throws ADAPTER_NOT_ALLOWED, ADAPTER_NOT_CONFIGURED, ADAPTER_BAD_ARGS. */
  get(asked?: string): Account {
    const { accounts, allow_accounts } = this.#settings;
    const name = asked ?? (Object.hasOwn(accounts, DEFAULT_ACCOUNT) ? DEFAULT_ACCOUNT : this.#only());
    const config = Object.hasOwn(accounts, name) ? accounts[name] : undefined;
    if (config === undefined) throw adapterError("ADAPTER_NOT_CONFIGURED", "unknown social account");
    refuseUnlisted(allow_accounts, name, "allow_accounts");
    const account = this.#open.get(name) ?? this.#opened(name, config);
    this.#open.set(name, account);
    return account;
  }

  /** The account that is asked for, else that of a post the call names; both must be the same one. */
  holding(post: PostId | undefined, asked: string | undefined): Account {
    const account = this.get(asked ?? post?.account);
    if (post !== undefined && this.get(post.account) !== account)
      throw adapterError("ADAPTER_BAD_ARGS", "the post belongs to another account");
    return account;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ server }) => server.close()));
  }

  #only(): string {
    const { accounts, allow_accounts } = this.#settings;
    const names = Object.keys(accounts).filter((name) => allow_accounts?.includes(name) ?? true);
    const [name, ...more] = names;
    if (name === undefined) throw adapterError("ADAPTER_NOT_CONFIGURED", "no social account is configured");
    if (more.length > 0)
      throw adapterError("ADAPTER_BAD_ARGS", "there are several social accounts; name one as account");
    return name;
  }

  #opened(name: string, config: AccountConfig): Account {
    const server = new AccountServer(this.#http, config);
    return { name, config, server, provider: providerOf(config, server) };
  }
}

function providerOf({ provider, endpoints }: AccountConfig, server: AccountServer): Provider {
  if (endpoints !== undefined) return new HttpProvider(server, endpoints);
  if (provider === "mastodon") return new Mastodon(server);
  return new ReadOnlyAccount(provider === "rss" ? feedSource(server) : outboxSource(server));
}
