/** Why a job failed, without any value: from its result, of which only what the machine itself wrote is taken. */
import { isObject, type Json } from "../../compiler/json.ts";
import type { Cause } from "./notice.ts";

const WORD = /^[A-Za-z_][A-Za-z0-9_.]{0,127}$/;

/** `code`: of the job, where its result is gone. */
export function causeOf(result: string | null, code: string): Cause {
  const found = result === null ? null : parsed(result);
  if (!isObject(found)) return { code };
  const body = found as { readonly [name: string]: Json };
  const error = isObject(body["error_structured"])
    ? (body["error_structured"] as { readonly [name: string]: Json })
    : {};
  const exception = word(body["exception"]) ?? word(error["exception"]);
  const at = word(error["label"]) ?? word(error["function"]);
  const { line } = error;
  return {
    code: word(error["code"]) ?? code,
    ...(exception === null ? {} : { exception }),
    ...(at === null ? {} : { at }),
    ...(typeof line === "number" && Number.isInteger(line) ? { line } : {}),
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function word(value: Json | undefined): string | null {
  return typeof value === "string" && WORD.test(value) ? value : null;
}

/** In words, for a subject and a line. */
export function causeWords({ code, exception, at, line }: Cause): string {
  const place = at === undefined ? "" : ` in ${at}${line === undefined ? "" : `, line ${line}`}`;
  return `${exception === undefined ? code : `${exception} (${code})`}${place}`;
}
