/** Which findings of a long list are shown: errors before warnings before hints, and never a failed program without an error. */

import type { Diagnostic, Severity } from "../../grammar/diagnostic.ts";
import { counted } from "./terminal/table.ts";

const BY_SEVERITY: readonly Severity[] = ["error", "warning", "hint"];

/**
 * At most `max` findings of the given lists (one per program, each in reading order). Lists that fit stay as they are. Otherwise each list
 * starts with its errors, and the first error of a program is shown even beyond `max`, because a failure without a reason is useless.
 */
export function shownDiagnostics(
  lists: readonly (readonly Diagnostic[])[],
  max: number,
): readonly (readonly Diagnostic[])[] {
  const total = lists.reduce((sum, list) => sum + list.length, 0);
  if (total <= max) return lists;
  const kept = new Set<Diagnostic>();
  for (const list of lists) {
    const first = list.find(({ severity }) => severity === "error");
    if (first !== undefined) kept.add(first);
  }
  for (const severity of BY_SEVERITY) {
    for (const one of lists.flat()) if (kept.size < max && one.severity === severity) kept.add(one);
  }
  return lists.map((list) =>
    BY_SEVERITY.flatMap((severity) => list.filter((one) => one.severity === severity && kept.has(one))),
  );
}

/** The findings of `all` that are not in `shown`. */
export function leftOut(all: readonly Diagnostic[], shown: readonly Diagnostic[]): readonly Diagnostic[] {
  const kept = new Set(shown);
  return all.filter((one) => !kept.has(one));
}

/** `2 errors, 14 warnings`; severities without a finding are not named. */
export function severityCounts(diagnostics: readonly Diagnostic[]): string {
  return BY_SEVERITY.flatMap((severity) => {
    const count = diagnostics.filter((one) => one.severity === severity).length;
    return count === 0 ? [] : [counted(count, severity)];
  }).join(", ");
}
