/** The initial frame of a run from `--frame JSON|@FILE|@-` and `--frame-set NAME=JSON`. */
import { isObject, type Json, type JsonObject, setMember } from "../../compiler/json.ts";
import { isPython } from "../../grammar/surface.ts";
import { keepComposed, keepText, memberTexts } from "../../vm/inputs/exact-text.ts";
import { givenInComments } from "../../vm/testing/program-comments.ts";
import { lostIntegers, precisionWarning } from "../../vm/values/exact-numbers.ts";
import { type CliFault, usageFault } from "../session/faults.ts";
import type { CliIo } from "../session/io.ts";
import { decode, MAX_IR_BYTES, readStdin, readTextFile, tooLarge } from "./input.ts";
import { jsonPlace } from "./json-place.ts";

const MAX_FRAME_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 512;

type GivenFrame = { readonly frame: JsonObject; readonly warnings: readonly string[] };
/** `lost`: why the frame is refused where whole numbers must not lose digits; null: none does. */
type ReadFrame = GivenFrame & { readonly lost: CliFault | null };

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

/** `strict`: a whole number that would lose digits is refused. */
export function readFrame(
  cwd: string,
  given: string | FrameText | undefined,
  set: readonly string[] | undefined,
  strict = false,
): GivenFrame {
  const { lost, ...read } = readAnyFrame(cwd, given, set);
  if (strict && lost !== null) throw lost;
  return read;
}

/** For a program that is not known yet: one of the Python form loses no digits. */
export function readAnyFrame(
  cwd: string,
  given: string | FrameText | undefined,
  set: readonly string[] | undefined,
): ReadFrame {
  const frame: { [key: string]: Json } = {};
  const pieces = new Map<string, string>();
  const warnings: string[] = [];
  let lost: CliFault | null = null;
  if (given !== undefined) {
    const source = typeof given === "string" ? frameText(cwd, given) : given;
    const value = parseJson("option --frame", source);
    if (value === null || typeof value !== "object" || Array.isArray(value)) {
      throw usageFault(
        `option --frame needs a JSON object${source.file === null ? "" : `: ${source.file} holds none`}`,
      );
    }
    for (const [name, member] of Object.entries(value)) setMember(frame, name, member);
    keepText(value, source.text);
    for (const [name, text] of memberTexts(value)) pieces.set(name, text);
    warnings.push(...precisionWarnings("option --frame", source.text));
    lost = precisionFault("option --frame", source.text);
  }
  for (const assignment of set ?? []) {
    const cut = assignment.indexOf("=");
    if (cut < 1) throw usageFault("option --frame-set needs NAME=JSON");
    const text = assignment.slice(cut + 1);
    const name = assignment.slice(0, cut);
    setMember(frame, name, parseJson("option --frame-set", { file: null, text }));
    pieces.set(name, text);
    warnings.push(...precisionWarnings("option --frame-set", text));
    lost ??= precisionFault("option --frame-set", text);
  }
  keepComposed(frame, pieces);
  return { frame, warnings: [...new Set(warnings)], lost };
}

/** The frame that a program states in its comments, as `wf run` without a frame uses it; null: it states none. */
export function readCommentFrame(name: string, source: string, strict: boolean): GivenFrame | null {
  const frame: { [key: string]: Json } = {};
  const pieces = new Map<string, string>();
  const losesDigits = !isPython(source);
  const warnings: string[] = [];
  const given = givenInComments(source);
  for (const { variable, comment, json } of given) {
    const place = `${name}: the comment '# ${comment}'`;
    const value = parseJson(place, { file: null, text: json });
    keepText(value, json);
    const texts = variable === null ? memberTexts(value) : new Map([[variable, json]]);
    for (const [key, text] of texts) pieces.set(key, text);
    if (variable !== null) setMember(frame, variable, value);
    else if (isObject(value)) for (const [key, member] of Object.entries(value)) setMember(frame, key, member);
    if (!losesDigits) continue;
    const lost = strict ? precisionFault(place, json) : null;
    if (lost !== null) throw lost;
    warnings.push(...precisionWarnings(place, json));
  }
  keepComposed(frame, pieces);
  return given.length === 0 ? null : { frame, warnings: [...new Set(warnings)] };
}

function frameText(cwd: string, given: string): FrameText {
  if (!given.startsWith("@")) return { file: null, text: given };
  const file = given.slice(1);
  return { file, text: withoutMark(readTextFile(cwd, file, MAX_FRAME_BYTES)) };
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "");

/** Whole numbers beyond 2^53 lose digits the moment they are read, so they are found in the text. */
function precisionWarnings(place: string, text: string): string[] {
  const flag = place.replace(/^option /, "");
  return lostIntegers(text).map((word) => precisionWarning(flag, { written: word, becomes: Number(word) }));
}

/** The first of them as a refusal. */
function precisionFault(place: string, text: string): CliFault | null {
  const [first] = precisionWarnings(place, text);
  const flag = place.replace(/^option /, "");
  return first === undefined ? null : usageFault(first.replace(`number_precision: ${flag}`, place));
}

/** `place`: what holds the text, as messages name it. */
function parseJson(place: string, { file, text }: FrameText): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (file !== null) throw usageFault(`${place}: ${file} is not JSON at ${jsonPlace(text)}`);
    throw usageFault(`${place}: the value is not JSON at ${jsonPlace(text)}`, [
      `text needs quotes inside: ${place !== "option --frame-set" ? `'{"name":"Ann"}'` : `'name="Ann"'`}`,
    ]);
  }
  if (depthOf(value) > MAX_DEPTH) throw usageFault(`${place}: the value nests deeper than ${MAX_DEPTH}`);
  return asJson(place, value);
}

/** Copies a parsed value of bounded depth; JSON.parse turns `1e999` into Infinity, the only result that is not JSON. */
function asJson(place: string, value: unknown): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw usageFault(`${place}: a number is out of range`);
    return value;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => asJson(place, item));
  const copy: { [key: string]: Json } = {};
  if (typeof value === "object")
    for (const [key, member] of Object.entries(value)) setMember(copy, key, asJson(place, member));
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
