/** What stands in the address of a link: 32 random bytes, kept only as their hash. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** A page that is older is asked for again. */
const PAGE_MS = 15 * 60_000;

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Null: no link has such a token. */
export function hashOfToken(token: string): string | null {
  return TOKEN.test(token) ? createHash("sha256").update(token, "utf8").digest("hex") : null;
}

/**
 * Proves that who posts has read the page: only its holder knows the token that is the key, so any replica can tell, and none has to keep it.
 * `now`: milliseconds since 1970.
 */
export function pageNonce(token: string, now: number): string {
  const issued = Math.floor(now).toString(36);
  return `${issued}.${createHmac("sha256", token).update(`page of an approval ${issued}`).digest("base64url")}`;
}

export function isPageNonce(token: string, nonce: string, now: number): boolean {
  const issued = /^([0-9a-z]{1,10})\./.exec(nonce)?.[1];
  if (issued === undefined) return false;
  const at = Number.parseInt(issued, 36);
  const wanted = Buffer.from(pageNonce(token, at));
  const given = Buffer.from(nonce);
  const isIt = wanted.length === given.length && timingSafeEqual(wanted, given);
  return isIt && at <= now + PAGE_MS && now - at <= PAGE_MS;
}

const MOST_UNKNOWN = 20;
const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/** Counts unknown tokens by address: a client that tries many is not answered for a while. */
export class Guesses {
  readonly #byAddress = new Map<string, { count: number; readonly until: number }>();

  /** Seconds until the address is answered again; 0: at once. */
  blockedFor(address: string, now: number): number {
    const known = this.#byAddress.get(address);
    if (known === undefined || known.until <= now || known.count < MOST_UNKNOWN) return 0;
    return Math.max(1, Math.ceil((known.until - now) / 1000));
  }

  unknown(address: string, now: number): void {
    const known = this.#byAddress.get(address);
    if (known !== undefined && known.until > now) {
      known.count += 1;
      return;
    }
    this.#byAddress.delete(address);
    this.#byAddress.set(address, { count: 1, until: now + WINDOW_MS });
    const [oldest] = this.#byAddress.keys();
    if (this.#byAddress.size > MAX_ADDRESSES && oldest !== undefined) this.#byAddress.delete(oldest);
  }
}
