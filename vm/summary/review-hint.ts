/** What a person should review before continuing, from the facts of a result alone. */
import { type AdapterCatalog, findAdapter, findVerb } from "../../compiler/catalog.ts";
import type { SummaryStatus } from "./result-facts.ts";
import { membersOf, type ResultFacts, type SucceededCall, textOf, textsOf } from "./result-facts.ts";

/** null: nothing known. */
export function reviewHint(status: SummaryStatus, facts: ResultFacts, catalog: AdapterCatalog): string | null {
  if (status === "ok") return sideEffects(facts.calls, catalog);
  if (status === "policy_violation") return policyHint(facts.policyErrors);
  if (facts.error === "adapter_not_available") return missingAdapter(facts);
  const [, limit] = /^(max_\w+)_exceeded$/.exec(facts.error) ?? [];
  return limit === undefined ? null : limitHint(limit, facts);
}

/** `review side effects: fs.write ×2` */
function sideEffects(calls: readonly SucceededCall[], catalog: AdapterCatalog): string | null {
  const times = new Map<string, number>();
  for (const call of calls) {
    const adapter = findAdapter(catalog, call.adapter);
    const verb = adapter === undefined ? undefined : findVerb(adapter, call.verb);
    if (adapter === undefined || verb === undefined || !verb.destructive) continue;
    const name = `${adapter.name}.${verb.name}`;
    times.set(name, (times.get(name) ?? 0) + 1);
  }
  const shown = [...times].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`));
  return shown.length === 0 ? null : `review side effects: ${shown.join(", ")}`;
}

/** `review adapters: http; tiers: network` */
function policyHint(errors: readonly unknown[]): string | null {
  const details = errors.map((error) => membersOf(membersOf(error)["data"]));
  const named = (member: string): string =>
    [...new Set(textsOf(details.map((data) => data[member])))].sort().join(", ");
  const adapters = named("adapter");
  const tiers = named("privilege_tier");
  const parts = [adapters === "" ? [] : `adapters: ${adapters}`, tiers === "" ? [] : `tiers: ${tiers}`].flat();
  return parts.length === 0 ? null : `review ${parts.join("; ")}`;
}

/** `enable http` */
function missingAdapter({ data, requiredAdapters }: ResultFacts): string | null {
  const adapters = textOf(data["adapter"]) ?? requiredAdapters.join(", ");
  return adapters === "" ? null : `enable ${adapters}`;
}

/** `max_steps 500 was not enough` */
function limitHint(limit: string, { data, limits }: ResultFacts): string {
  const figure = data["limit"] ?? limits[limit];
  return typeof figure === "number" ? `${limit} ${figure} was not enough` : `${limit} was not enough`;
}
