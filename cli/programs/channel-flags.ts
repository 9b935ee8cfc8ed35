/** Flags of a version next to the current one, as PUT /programs/{name}/next takes them. */
import { usageFault } from "../session/faults.ts";

/** Throws CliFault. */
export function percentOf(flag: string, text: string): number {
  if (/^(?:[0-9]{1,2}|100)$/.test(text)) return Number(text);
  throw usageFault(`option ${flag} needs a whole number from 0 to 100, found '${text}'`);
}

export type NextFlags = {
  readonly weight: string | undefined;
  readonly key: string | undefined;
  readonly abortPercent: string | undefined;
  readonly abortOf: string | undefined;
};

/** Throws CliFault. */
export function nextBody(version: number, { weight, key, abortPercent, abortOf }: NextFlags): object {
  if (weight === undefined) throw usageFault("next needs --weight PERCENT");
  if ((abortPercent === undefined) !== (abortOf === undefined))
    throw usageFault("--abort-percent and --abort-of belong together");
  return {
    version,
    weight: percentOf("--weight", weight),
    ...(key === undefined ? {} : { key: keyOf(key) }),
    ...(abortPercent === undefined || abortOf === undefined
      ? {}
      : { abort: { failures_percent: percentOf("--abort-percent", abortPercent), of: runsOf(abortOf) } }),
  };
}

function keyOf(text: string): object {
  const [, kind = "", name = ""] = /^(header|query):(.+)$/.exec(text) ?? [];
  if (kind === "") throw usageFault(`option --key needs header:NAME or query:NAME, found '${text}'`);
  return { [kind]: name };
}

function runsOf(text: string): number {
  if (/^(?:[1-9][0-9]{0,2}|1000)$/.test(text)) return Number(text);
  throw usageFault(`option --abort-of needs a whole number from 1 to 1000, found '${text}'`);
}
