/** The initial frame of a run from `--frame JSON|@FILE|@-` and `--frame-set NAME=JSON`. */
import { type Json, type JsonObject, setMember } from "../compiler/json.ts";
import { usageFault } from "./faults.ts";
import { decode, MAX_IR_BYTES, readStdin, readTextFile, tooLarge } from "./input.ts";
import type { CliIo } from "./io.ts";
import { jsonPlace } from "./json-place.ts";

const MAX_FRAME_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 512;
const MAX_NAMED_INTEGERS = 5;

type GivenFrame = { readonly frame: JsonObject; readonly warnings: readonly string[] };

/** A frame as text, and where it came from: null for the command line itself. */
type FrameText = { readonly file: string | null; readonly text: string };

/** The frame piped in by `--frame @-`, for a program that comes from somewhere else. */
export async function readPipedFrame(io: CliIo, program: string | undefined): Promise<FrameText> {
  if (program === undefined || program === "-")
    throw usageFault("--frame @- and the program cannot both come from standard input");
  const bytes = await readStdin(io);
  if (bytes.length > MAX_IR_BYTES) throw tooLarge("<stdin>", MAX_IR_BYTES);
  return { file: "<stdin>", text: withoutMark(decode("<stdin>", bytes)) };
}

export function readFrame(
  cwd: string,
  given: string | FrameText | undefined,
  set: readonly string[] | undefined,
): GivenFrame {
  const frame: { [key: string]: Json } = {};
  const warnings: string[] = [];
  if (given !== undefined) {
    const source = typeof given === "string" ? frameText(cwd, given) : given;
    const value = parseJson("--frame", source);
    if (value === null || typeof value !== "object" || Array.isArray(value)) {
      throw usageFault(
        `option --frame needs a JSON object${source.file === null ? "" : `: ${source.file} holds none`}`,
      );
    }
    for (const [name, member] of Object.entries(value)) setMember(frame, name, member);
    warnings.push(...precisionWarnings("--frame", source.text));
  }
  for (const assignment of set ?? []) {
    const cut = assignment.indexOf("=");
    if (cut < 1) throw usageFault("option --frame-set needs NAME=JSON");
    const text = assignment.slice(cut + 1);
    setMember(frame, assignment.slice(0, cut), parseJson("--frame-set", { file: null, text }));
    warnings.push(...precisionWarnings("--frame-set", text));
  }
  return { frame, warnings: [...new Set(warnings)] };
}

function frameText(cwd: string, given: string): FrameText {
  if (!given.startsWith("@")) return { file: null, text: given };
  const file = given.slice(1);
  return { file, text: withoutMark(readTextFile(cwd, file, MAX_FRAME_BYTES)) };
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "");

/** Whole numbers beyond 2^53 lose digits the moment they are read, so they are found in the text. */
function precisionWarnings(flag: string, text: string): string[] {
  const found: string[] = [];
  const token = /"|-?[0-9][0-9.eE+-]*/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [word] = match;
    if (word === '"') token.lastIndex = endOfText(text, match.index);
    else if (/^-?[0-9]+$/.test(word) && !Number.isSafeInteger(Number(word))) found.push(word);
    if (found.length === MAX_NAMED_INTEGERS) break;
  }
  return found.map((word) => {
    const shown = word.length > 40 ? `${word.slice(0, 40)}…` : word;
    return `number_precision: ${flag}: ${shown} is beyond 2^53 and becomes ${Number(word)}; give it as text to keep its digits`;
  });
}

function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function parseJson(flag: string, { file, text }: FrameText): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (file !== null) throw usageFault(`option ${flag}: ${file} is not JSON at ${jsonPlace(text)}`);
    throw usageFault(`option ${flag}: the value is not JSON at ${jsonPlace(text)}`, [
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
