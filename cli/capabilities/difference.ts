/**
 * What changed between a saved capabilities document and that of this build: adapters, facts and verbs that were added, removed or changed. The
 * version of the runtime does not count, nor do the results of `--check` on one machine.
 */
import type { CapabilitiesDocument, CapabilityEntry } from "../../compiler/catalog/capabilities.ts";
import { canonicalJson } from "../../compiler/ir/canonical.ts";
import { isObject, type Json, type Members } from "../../compiler/json.ts";

/** `was` or `is` is missing where there was or is nothing. */
export type Difference = { readonly path: string; readonly was?: Json; readonly is?: Json };

/** `saved`: any JSON. Returns null when it is not a capabilities document. */
export function capabilityDifferences(saved: unknown, current: CapabilitiesDocument): readonly Difference[] | null {
  if (!isObject(saved) || !isObject(saved["adapters"])) return null;
  const before = saved["adapters"];
  const names = [...new Set([...Object.keys(before), ...Object.keys(current.adapters)])].sort();
  return names.flatMap((name) => {
    const [was, is] = [own(before, name), own(current.adapters, name)];
    const path = `/adapters/${name}`;
    if (!isObject(was) || !isObject(is)) return difference(path, was, is);
    return entryDifferences(path, was, is as CapabilityEntry);
  });
}

function entryDifferences(path: string, was: Members, is: CapabilityEntry): readonly Difference[] {
  const { verbs, ...facts } = is;
  const changed = Object.entries(facts).flatMap(([fact, value]) =>
    difference(`${path}/${fact}`, own(was, fact), value),
  );
  const before: readonly unknown[] = Array.isArray(was["verbs"]) ? was["verbs"] : [];
  const gone = before.filter((verb) => typeof verb === "string" && !verbs.includes(verb));
  const come = verbs.filter((verb) => !before.includes(verb));
  return [
    ...changed,
    ...gone.map((verb) => ({ path: `${path}/verbs`, was: verb as string })),
    ...come.map((verb) => ({ path: `${path}/verbs`, is: verb })),
  ];
}

function difference(path: string, was: unknown, is: unknown): readonly Difference[] {
  // Both come from JSON.
  const [before, after] = [was, is] as readonly (Json | undefined)[];
  if (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after)) return [];
  if (before === undefined && after === undefined) return [];
  return [{ path, ...(before === undefined ? {} : { was: before }), ...(after === undefined ? {} : { is: after }) }];
}

function own(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
