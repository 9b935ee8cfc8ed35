/** What went wrong with a request, in the service's own words. */
import type { Refused } from "../api.ts";
import { address, place } from "../router.ts";

export function FaultNotice({ fault }: { readonly fault: Refused | null }) {
  if (fault === null) return null;
  const [list = "", ...of] = place.value.path;
  return (
    <p class="notice bad" role="alert">
      <strong>{fault.message}</strong> <code>{fault.code}</code>{" "}
      {fault.code.endsWith("_not_found") && of.length > 0 ? <a href={address([list])}>See all {list}</a> : null}
    </p>
  );
}
