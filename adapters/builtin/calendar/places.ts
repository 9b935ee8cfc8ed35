/**
 * The calendars of one run: those that the operator's accounts have on their servers, found at the first call, and feeds. A calendar is
 * known by the name that the server shows for it, or the last part of its address; those of other accounts than `default` have the name
 * of the account before it.
 */
import type { AdapterError } from "../../../vm/errors/failures.ts";
import { orNull } from "../../content/or-null.ts";
import type { VerbContext } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import type { HttpScope, HttpService } from "../../guard/http/http.ts";
import { refuseUnlisted } from "../../store/names.ts";
import { UTC, type Zone } from "./events/time.ts";
import { type Collection, DavServer, scopeFor } from "./server/dav.ts";
import type { AccountConfig, CalendarSettings } from "./settings.ts";
import { zoneCalled } from "./zone-names.ts";

const DEFAULT_ACCOUNT = "default";
const MAX_CALENDARS = 200;

type Common = { readonly name: string; readonly zone: Zone; readonly readOnly: boolean };
export type DavPlace = Common & {
  readonly kind: "dav";
  readonly server: DavServer;
  readonly collection: Collection;
  readonly config: AccountConfig;
};
export type FeedPlace = Common & { readonly kind: "feed"; readonly url: string; readonly scope: HttpScope };
export type Place = DavPlace | FeedPlace;

export class Places {
  readonly #settings: CalendarSettings;
  readonly #servers = new Map<string, DavServer>();
  readonly #feeds = new Map<string, FeedPlace>();
  readonly #found = new Map<string, Promise<readonly DavPlace[]>>();

  constructor(settings: CalendarSettings, http: HttpService) {
    this.#settings = settings;
    for (const [name, config] of Object.entries(settings.accounts))
      this.#servers.set(name, new DavServer(http, config));
    for (const [name, url] of Object.entries(settings.feeds)) {
      const scope = scopeFor(http, url);
      this.#feeds.set(name, { kind: "feed", name, url, scope, zone: UTC, readOnly: true });
    }
  }

  /** All that the caller may see. Throws ADAPTER_NOT_CONFIGURED and NOT_ALLOWED rather than giving none. */
  async all(ctx: VerbContext): Promise<readonly Place[]> {
    const { calendars } = this.#settings;
    if (this.#servers.size + this.#feeds.size === 0)
      throw adapterError("ADAPTER_NOT_CONFIGURED", "no calendar account and no feed is configured");
    if (calendars?.length === 0) throw adapterError("ADAPTER_NOT_ALLOWED", "no calendar is on calendars");
    const accounts = await Promise.all([...this.#servers.keys()].map((account) => this.#calendarsOf(account, ctx)));
    const known = [...accounts.flat(), ...this.#feeds.values()];
    const admitted = known.filter(({ name }) => calendars === undefined || calendars.includes(name));
    if (admitted.length > 0) return admitted;
    if (known.length > 0) throw adapterError("ADAPTER_NOT_ALLOWED", "no calendar is on calendars");
    throw adapterError("ADAPTER_NOT_CONFIGURED", "the accounts have no calendars");
  }

  /** One by its name. Throws ADAPTER_NOT_ALLOWED and NOT_CONFIGURED. */
  async get(name: string, ctx: VerbContext): Promise<Place> {
    refuseUnlisted(this.#settings.calendars, name, "calendars");
    const place = this.#feeds.get(name) ?? (await this.#davPlace(name, ctx));
    if (place === undefined) throw adapterError("ADAPTER_NOT_CONFIGURED", "unknown calendar");
    return place;
  }

  /** The calendar of new events: the one that is named, else the first of the first account. Throws ADAPTER_WRITE_FORBIDDEN too. */
  async writable(name: string | undefined, ctx: VerbContext): Promise<DavPlace> {
    if (!this.#settings.allow_write) throw forbidden("writing is not allowed");
    const places = name === undefined ? await this.all(ctx) : [await this.get(name, ctx)];
    const place = places.find((one): one is DavPlace => one.kind === "dav" && !one.readOnly);
    if (place === undefined) throw forbidden("the calendar can only be read");
    return place;
  }

  async close(): Promise<void> {
    const scopes = [...this.#feeds.values()].map(({ scope }) => scope);
    await Promise.all([...this.#servers.values(), ...scopes].map((one) => one.close()));
  }

  async #davPlace(name: string, ctx: VerbContext): Promise<DavPlace | undefined> {
    const slash = name.indexOf("/");
    const named = slash < 0 ? DEFAULT_ACCOUNT : name.slice(0, slash);
    // A slash may be part of the name of a calendar too.
    for (const account of this.#servers.has(named) ? [named] : [DEFAULT_ACCOUNT]) {
      if (!this.#servers.has(account)) continue;
      const found = (await this.#calendarsOf(account, ctx)).find((one) => one.name === name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** They are asked for once in a run, unless that fails. */
  #calendarsOf(account: string, ctx: VerbContext): Promise<readonly DavPlace[]> {
    const known = this.#found.get(account);
    if (known !== undefined) return known;
    const finding = this.#find(account, ctx);
    this.#found.set(account, finding);
    finding.catch(() => this.#found.delete(account));
    return finding;
  }

  async #find(account: string, ctx: VerbContext): Promise<readonly DavPlace[]> {
    const server = this.#servers.get(account);
    const config = this.#settings.accounts[account];
    if (server === undefined || config === undefined) return [];
    const collections = (await discovered(server, ctx)).filter((one) => one.isCalendar && one.takesEvents);
    if (collections.length > MAX_CALENDARS)
      throw adapterError("ADAPTER_TOO_LARGE", "the account has more calendars than can be listed");
    const titles = collections.map(({ title }) => title);
    const places = collections.map((collection): DavPlace => {
      // Names that are shown may repeat; those of addresses do not.
      const { title, url, readOnly } = collection;
      const unique = title !== null && titles.indexOf(title) === titles.lastIndexOf(title);
      const name = nameIn(account, unique ? title : lastSegment(url));
      const zone = zoneCalled(config.time_zone ?? collection.timeZone ?? "") ?? UTC;
      return { kind: "dav", name, zone, readOnly, server, collection, config };
    });
    const chosen = config.calendars?.map((wanted) => ({ ...placeOf(places, wanted), name: nameIn(account, wanted) }));
    return chosen ?? places;
  }
}

function nameIn(account: string, name: string): string {
  return account === DEFAULT_ACCOUNT ? name : `${account}/${name}`;
}

/** By what the server shows, or the last part of the address. */
function placeOf(places: readonly DavPlace[], wanted: string): DavPlace {
  const found = places.find(({ collection: { title, url } }) => [title, lastSegment(url)].includes(wanted));
  if (found === undefined)
    throw adapterError("ADAPTER_NOT_CONFIGURED", "the account does not have all the calendars that the operator names");
  return found;
}

/** What lies in the home of the account's calendars, found from its address on (RFC 6764). */
async function discovered(server: DavServer, ctx: VerbContext): Promise<readonly Collection[]> {
  const [self] = (await orNull(server.collections(server.url, "0", ctx))) ?? [];
  if (self?.isCalendar) return [self];
  const home = await homeOf(server, self ?? (await wellKnown(server, ctx)), ctx);
  // An address that names neither may be the home itself.
  return server.collections(home ?? server.url, "1", ctx);
}

async function homeOf(server: DavServer, from: Collection | undefined, ctx: VerbContext): Promise<URL | null> {
  if (from === undefined) return null;
  if (from.home !== null) return server.linked(from.home, from.url);
  if (from.principal === null) return null;
  const [principal] = await server.collections(server.linked(from.principal, from.url), "0", ctx);
  return principal === undefined || principal.home === null ? null : server.linked(principal.home, principal.url);
}

async function wellKnown(server: DavServer, ctx: VerbContext): Promise<Collection | undefined> {
  const address = new URL("/.well-known/caldav", server.url);
  return (await orNull(server.collections(address, "0", ctx)))?.[0];
}

function lastSegment({ pathname }: URL): string {
  const segment = pathname.split("/").findLast((part) => part !== "") ?? "";
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function forbidden(message: string): AdapterError {
  return adapterError("ADAPTER_WRITE_FORBIDDEN", message);
}
