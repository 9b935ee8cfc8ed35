/** The initial frame of a run from `--frame JSON|@FILE` and `--frame-set NAME=JSON`. */
import { type Json, type JsonObject, setMember } from "../compiler/json.ts";
import { usageFault } from "./faults.ts";
import { readTextFile } from "./input.ts";

const MAX_FRAME_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 512;

export function readFrame(cwd: string, given: string | undefined, set: readonly string[] | undefined): JsonObject {
  const frame: { [key: string]: Json } = {};
  if (given !== undefined) {
    const text = given.startsWith("@") ? readTextFile(cwd, given.slice(1), MAX_FRAME_BYTES) : given;
    const value = parseJson("--frame", text);
    if (value === null || typeof value !== "object" || Array.isArray(value)) {
      throw usageFault("option --frame needs a JSON object");
    }
    for (const [name, member] of Object.entries(value)) setMember(frame, name, member);
  }
  for (const assignment of set ?? []) {
    const cut = assignment.indexOf("=");
    if (cut < 1) throw usageFault("option --frame-set needs NAME=JSON");
    setMember(frame, assignment.slice(0, cut), parseJson("--frame-set", assignment.slice(cut + 1)));
  }
  return frame;
}

function parseJson(flag: string, text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usageFault(`option ${flag}: the value is not JSON`, [
      `text needs quotes inside: ${flag === "--frame" ? `'{"name":"Ann"}'` : `'name="Ann"'`}`,
    ]);
  }
  if (depthOf(value) > MAX_DEPTH) throw usageFault(`option ${flag}: the value nests deeper than ${MAX_DEPTH}`);
  return asJson(flag, value);
}

/** Copies a parsed value of bounded depth; JSON.parse of `1e999` gives Infinity, the one thing in it that is no JSON. */
function asJson(flag: string, value: unknown): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw usageFault(`option ${flag}: a number is out of range`);
    return value;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => asJson(flag, item));
  const copy: { [key: string]: Json } = {};
  if (typeof value === "object")
    for (const [key, member] of Object.entries(value)) setMember(copy, key, asJson(flag, member));
  return copy;
}

function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  let depth = 0;
  while (level.length > 0 && depth <= MAX_DEPTH) {
    const below: unknown[] = [];
    for (const item of level) {
      if (item !== null && typeof item === "object") for (const member of Object.values(item)) below.push(member);
    }
    if (below.length > 0 || level.some((item) => item !== null && typeof item === "object")) depth += 1;
    level = below;
  }
  return depth;
}
