/** Who vouches for credentials. */
import type { Claims, Reason } from "./claims.ts";

export type Provider = {
  /**
   * What the token says, when it is genuine; else why not. Rejects with AdapterError when that cannot be told, so that
   * doubt is never taken for validity. `nowMs`: wall time.
   */
  claims(token: string, call: { readonly signal: AbortSignal; readonly nowMs: number }): Promise<Claims | Reason>;
};
