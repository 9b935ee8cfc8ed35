/** Where a replay leaves its log: the recorded call and the one the program asks for, side by side. */
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import type { RunError } from "../../../vm/run.ts";
import { cut, visible } from "../terminal/columns.ts";
import { table } from "../terminal/table.ts";

/** Lines below the place of the error; none for other errors. */
export function divergence(error: Pick<RunError, "data"> & { readonly code: string }, width: number): string[] {
  if (!error.code.startsWith("RUNTIME_REPLAY_")) return [];
  const { index, expected, got, path } = error.data;
  const cell = (text: string): string => cut(visible(text), Math.max(12, Math.floor((width - 18) / 2)));
  const rows = [
    ["", "recorded", "now"],
    ["call", callText(expected, "(end of the log)"), callText(got, "(end of the run)")],
  ];
  for (const member of ["args", "args_hash", "ok", "result", "result_hash", "error"]) {
    const pair = [memberText(expected, member), memberText(got, member)];
    if (pair.some((text) => text !== "")) rows.push([member, ...pair]);
  }
  if (typeof path === "string") rows.push([`at ${path}`, pointed(expected, path), pointed(got, path)]);
  const shown = rows.map(([name = "", left = "", right = ""]) => [name, cell(left), cell(right)]);
  return [
    `   = call ${typeof index === "number" ? index : "?"} of the log:`,
    ...table(shown, width - 5).map((line) => `     ${line}`),
  ];
}

function callText(call: Json | undefined, none: string): string {
  return isObject(call) ? `${String(call["adapter"])}.${String(call["verb"])}` : none;
}

function memberText(call: Json | undefined, member: string): string {
  return isObject(call) ? shown(own(call, member)) : "";
}

/** The value at a pointer, or nothing. */
function pointed(call: Json | undefined, path: string): string {
  let value = call;
  for (const part of path.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(value)) value = (value as readonly Json[])[Number(key)];
    else value = isObject(value) ? own(value, key) : undefined;
  }
  return value === undefined ? "(nothing)" : shown(value);
}

function own(holder: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function shown(value: Json | undefined): string {
  return value === undefined ? "" : JSON.stringify(value);
}
