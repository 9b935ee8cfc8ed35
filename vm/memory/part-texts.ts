/** Texts of containers that stand for a key, a path or a part of a text: large ones are made in pieces. */
import type { Json } from "../../compiler/json.ts";
import { Pace, type Task } from "../tasks/task.ts";
import { textTask } from "../values/text.ts";
import { MAX_TEXT_UNITS, SIZE, type Sized, tooLarge } from "../values/values.ts";
import type { FrameState } from "./frame-state.ts";
import { finish } from "./long-work.ts";

/** Bytes of a container whose text is made at once. */
const SMALL_PART = 4096;

export function isLargePart(value: Json): boolean {
  return typeof value === "object" && value !== null && ((value as Sized)[SIZE] ?? SMALL_PART + 1) > SMALL_PART;
}

export function* joinedText(parts: readonly Json[], m: FrameState): Task<string> {
  const pace = new Pace(m.meter);
  let text = "";
  for (const part of parts) {
    const next = yield* textTask(part, pace);
    if (text.length + next.length > MAX_TEXT_UNITS) throw tooLarge();
    text += next;
  }
  pace.end();
  return text;
}

/** A key or path with large containers in it as text, made in pieces: the only task of its instruction. */
export function pathText(m: FrameState, path: Json): Json {
  if (!Array.isArray(path)) return isLargePart(path) ? finish(m, () => joinedText([path], m)) : path;
  return isLargePart(path) && path.some(isLargePart) ? finish(m, () => pathTexts(path, m)) : path;
}

function* pathTexts(path: readonly Json[], m: FrameState): Task<string[]> {
  const texts: string[] = [];
  for (const part of path) texts.push(yield* joinedText([part], m));
  return texts;
}
