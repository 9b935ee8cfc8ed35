/** What went wrong with a request, in the service's own words. */
import type { Refused } from "../api.ts";

export function FaultNotice({ fault }: { readonly fault: Refused | null }) {
  if (fault === null) return null;
  return (
    <p class="notice bad" role="alert">
      <strong>{fault.message}</strong> <code>{fault.code}</code>
    </p>
  );
}
