/** Who vouches for credentials. */
import type { Claims, Reason } from "./claims.ts";

export type Provider = {
  /**
   * The claims of a valid token, or why it is not valid. Rejects with AdapterError when that cannot be determined, so that
   * doubt is never taken for validity. `nowMs`: wall time.
   */
  claims(token: string, call: { readonly signal: AbortSignal; readonly nowMs: number }): Promise<Claims | Reason>;
};
