/**
 * The one table of pure functions: canonical name and form → implementation. Call form (`X`, nested calls, conditions)
 * and verb form (`R core.…`) differ only as docs/runtime.md (functions) says. Names, aliases and parameters:
 * `compiler/functions.ts`. Host functions (`now iso uuid env sleep`, `iso_ts` without argument) belong to the
 * dispatcher.
 */
import type { FunctionGroup, PureFunction } from "./arguments.ts";
import { dateFunctions } from "./dates/functions.ts";
import { formatFunctions } from "./format.ts";
import { hashFunctions } from "./hash.ts";
import { jsonFunctions } from "./json/functions.ts";
import { listFunctions } from "./list.ts";
import { accessFunctions } from "./lists/access.ts";
import { byFieldFunctions } from "./lists/by-field.ts";
import { setFunctions } from "./lists/sets.ts";
import { logicCallForms, logicFunctions } from "./logic.ts";
import { numberCallForms, numberFunctions } from "./number.ts";
import { objectFunctions } from "./object.ts";
import { textFunctions } from "./text.ts";
import { patternFunctions } from "./texts/patterns.ts";
import { wordFunctions } from "./texts/words.ts";
import { timeFunctions } from "./time.ts";

export { unmetered, type WorkMeter } from "../tasks/work-meter.ts";
export type { PureFunction } from "./arguments.ts";

function tableOf(groups: readonly FunctionGroup[]): ReadonlyMap<string, PureFunction> {
  return new Map(groups.flatMap((group) => Object.entries(group)));
}

const VERB_FORM = tableOf([
  numberFunctions,
  logicFunctions,
  textFunctions,
  formatFunctions,
  hashFunctions,
  listFunctions,
  objectFunctions,
  jsonFunctions,
  timeFunctions,
  accessFunctions,
  byFieldFunctions,
  setFunctions,
  wordFunctions,
  dateFunctions,
  patternFunctions,
]);

const CALL_FORM: ReadonlyMap<string, PureFunction> = new Map([
  ...VERB_FORM,
  ...tableOf([numberCallForms, logicCallForms]),
]);

/** The pure function with that canonical name; undefined for host functions and unknown names. */
export function functionOf(name: string, form: "call" | "verb"): PureFunction | undefined {
  return (form === "call" ? CALL_FORM : VERB_FORM).get(name);
}
