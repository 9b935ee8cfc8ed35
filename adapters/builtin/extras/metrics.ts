/**
 * Summaries of runs as files: what workflows write at their end, and what a dashboard or another workflow reads of them. Any object can be
 * written; reading expects the counters of docs/adapters/extras.md.
 */
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import { badArguments } from "../../definition/bind.ts";
import type { VerbContext } from "../../definition/define.ts";
import { adapterError } from "../../errors.ts";
import { type FileRoot, parsePath, type Segments } from "../../guard/files/path.ts";
import { readFile } from "../../guard/files/read.ts";
import { atPlace } from "../../guard/files/walk.ts";
import { portionsOf, replaceFile } from "../../guard/files/write.ts";
import { prometheusText } from "./prometheus.ts";
import type { ExtrasCall } from "./settings.ts";

const MAX_BYTES = 1024 * 1024;

/** Throws ADAPTER_NOT_FOUND without the file, ADAPTER_BAD_DATA when it is not a summary. */
export async function readMetrics(path: string, { instance, ctx }: ExtrasCall): Promise<JsonObject> {
  parsePath(path);
  const bytes = await readFile(await instance.summaryRoot(), path, MAX_BYTES, ctx.signal);
  const summary = parsedObject(bytes);
  const runs = counter(summary, "run_count");
  const succeeded = counter(summary, "ok_count");
  return {
    run_count: runs,
    ok_count: succeeded,
    error_count: counter(summary, "error_count"),
    ok_ratio: runs === 0 ? null : succeeded / runs,
    runtime_versions: versions(summary),
    result_kinds: counters(summary, "result_kinds"),
    trace_op_counts: counters(summary, "trace_op_counts"),
    label_counts: counters(summary, "label_counts"),
    timestamps_present: hasTimestamps(summary),
  };
}

function parsedObject(bytes: Uint8Array): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw adapterError("ADAPTER_BAD_DATA", "the summary is not JSON", { cause });
  }
  if (!isObject(value)) throw badSummary("is not an object");
  return value;
}

function member(summary: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(summary, name) ? summary[name] : undefined;
}

function counter(summary: JsonObject, name: string): number {
  const value = member(summary, name);
  if (value === undefined) return 0;
  if (typeof value !== "number") throw badSummary("has a counter that is not a number");
  return value;
}

function counters(summary: JsonObject, name: string): JsonObject {
  const value = member(summary, name);
  if (value === undefined) return {};
  if (!isObject(value) || !Object.values(value).every((count) => typeof count === "number"))
    throw badSummary("has a counter that is not a number");
  return value;
}

function versions(summary: JsonObject): Json {
  const value = member(summary, "runtime_versions") ?? [];
  if (!Array.isArray(value)) throw badSummary("has runtime_versions that are not a list");
  return value;
}

/** Whether the summary says when its runs were: a filled `timestamps`, or that it has some. */
function hasTimestamps(summary: JsonObject): boolean {
  const value = member(summary, "timestamps");
  if (value === undefined || value === null) return member(summary, "timestamps_present") === true;
  return typeof value === "object" ? Object.keys(value).length > 0 : value !== "" && value !== false;
}

function badSummary(what: string) {
  return adapterError("ADAPTER_BAD_DATA", `the summary ${what}`);
}

/** Bytes of the JSON file. With `prometheus` the numbers are also written in the text format of Prometheus. */
export async function writeMetrics(
  name: string,
  summary: JsonObject,
  prometheus: boolean,
  { instance, ctx }: ExtrasCall,
): Promise<number> {
  const segments = parsePath(name);
  const last = segments.at(-1);
  if (last === undefined) throw badArguments([{ path: "/0", expected: "the name of a file", got: "string" }]);
  const root = await instance.summaryRoot();
  const place = (extension: string) => [...segments.slice(0, -1), `${last}.${extension}`];
  const bytes = await writeText(root, place("json"), `${JSON.stringify(summary)}\n`, ctx);
  if (prometheus) await writeText(root, place("prom"), prometheusText(segments.join("/"), summary), ctx);
  return bytes;
}

async function writeText(root: FileRoot, path: Segments, text: string, ctx: VerbContext): Promise<number> {
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_BYTES)
    throw adapterError("ADAPTER_TOO_LARGE", `a summary has at most ${MAX_BYTES} bytes`, {
      data: { max_bytes: MAX_BYTES },
    });
  return atPlace(root, path, { purpose: "write", make: true }, (place) =>
    replaceFile(place, portionsOf(bytes), ctx, { create: false }),
  );
}
