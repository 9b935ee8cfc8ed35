/** Copies of large objects in pieces, for instructions that put a member into one: the only task of their instruction. */
import type { Json, JsonObject } from "../../compiler/json.ts";
import { Pace, type Task } from "../tasks/task.ts";
import { putPathTask } from "../values/paths.ts";
import { shallowCopy } from "../values/values.ts";
import type { FrameState } from "./frame-state.ts";
import { finish, measured } from "./long-work.ts";

/** Bytes of an object that is copied in one go: some thousand members. */
export const LARGE_OBJECT = 64 * 1024;

/** A copy that carries no size. */
export function copied(m: FrameState, source: JsonObject): { [key: string]: Json } {
  return finish(m, () => copyTask(m, source));
}

function* copyTask(m: FrameState, source: JsonObject): Task<{ [key: string]: Json }> {
  const pace = new Pace(m.meter);
  const { copy } = yield* shallowCopy(source, pace);
  pace.end();
  return copy;
}

/** A put below a path. */
export function longPut(m: FrameState, root: Json, path: Json, value: Json): Json {
  return finish(m, () => {
    const pace = new Pace(m.meter);
    return measured(putPathTask(root, path, value, pace), m);
  });
}
