/**
 * Limits and adapter names of the command line: `--max-*`, `--cleanup-*`, `--enable-adapter`, `--allow-adapter`. Without a profile the base is the
 * contract's resource floor, and the flags replace its values.
 */
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import { nearest } from "../../compiler/diagnostics.ts";
import { leastOf, RESOURCE_FLOOR } from "../../vm/grant/limits.ts";
import { LIMIT_KEYS, type LimitKey, type Limits } from "../../vm/run.ts";
import { usageFault } from "../session/faults.ts";

export type LimitFlags = Readonly<Partial<Record<LimitKey, string | undefined>>>;

export function flagOf(key: LimitKey): string {
  return `--${key.replaceAll("_", "-")}`;
}

/** The limits of a run without a profile, and a warning for every value that was ignored. `configured` replaces values of the floor. */
export function readLimits(
  flags: LimitFlags,
  configured: Limits = {},
): { readonly limits: Limits; readonly warnings: readonly string[] } {
  const { limits, warnings } = givenLimitFlags(flags);
  return { limits: { ...RESOURCE_FLOOR, ...configured, ...limits }, warnings };
}

/** Only the limits that flags give. */
export function givenLimitFlags(flags: LimitFlags): { readonly limits: Limits; readonly warnings: readonly string[] } {
  const limits: { -readonly [K in LimitKey]?: number } = {};
  const warnings: string[] = [];
  for (const key of LIMIT_KEYS) {
    const given = flags[key];
    if (given === undefined) continue;
    const value = wholeNumber(flagOf(key), given);
    const least = leastOf(key);
    if (value < least) warnings.push(`limit_ignored: ${key} ${value} is below ${least} and counts as not given`);
    else limits[key] = value;
  }
  return { limits, warnings };
}

/** A whole number within the safe range; anything else is a usage error that names the flag. */
export function wholeNumber(flag: string, text: string): number {
  const value = Number(text);
  if (!/^[+-]?[0-9]{1,16}$/.test(text) || !Number.isSafeInteger(value)) {
    throw usageFault(`option ${flag} needs a whole number, found '${text}'`);
  }
  return value === 0 ? 0 : value;
}

/** Splits a repeatable list flag at commas and drops empty parts. */
export function listOf(values: readonly string[] | undefined): string[] {
  return (values ?? [])
    .flatMap((value) => value.split(","))
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** Adapter names of a flag, or of operands (null): known to the catalog, lower case, each once. */
export function adapterNames(
  flag: string | null,
  values: readonly string[] | undefined,
  catalog: AdapterCatalog,
): string[] {
  const names = listOf(values).map((word) => word.toLowerCase());
  for (const name of names) {
    if (catalog.adapter(name) !== undefined) continue;
    const near = nearest(name, catalog.names());
    const place = flag === null ? "" : `option ${flag}: `;
    throw usageFault(`${place}unknown adapter '${name}'${near === null ? "" : `; did you mean ${near}?`}`, [
      `known adapters: ${catalog.names().join(" ")}`,
    ]);
  }
  return [...new Set(names)];
}
