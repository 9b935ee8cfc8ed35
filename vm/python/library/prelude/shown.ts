/** `progress` and `set_state`: what a run shows of itself (`vm/recording/shown-state.ts`). */
import { MAX_STATE_BYTES, MAX_STATE_NAMES } from "../../../recording/shown-state.ts";
import { raised, VALUE_ERROR } from "../../exceptions.ts";
import { writeJson } from "../../json/write.ts";
import { PyFloat } from "../../kinds/float.ts";
import type { Context, Value } from "../../object.ts";
import { textLength } from "../../operators/texts.ts";
import type { Functions } from "./kinds.ts";

const MAX_NAME = 64;
const MAX_TEXT = 1000;

function progress(ctx: Context, value: Value, text: string | null): Value {
  const share = value instanceof PyFloat ? value.value : Number(value);
  if (!(share >= 0 && share <= 1)) throw raised(VALUE_ERROR, "progress() takes a number from 0 to 1");
  ctx.charge(1 + (text?.length ?? 0));
  if (text !== null && textLength(text) > MAX_TEXT)
    throw raised(VALUE_ERROR, `the text of progress() has at most ${MAX_TEXT} characters`);
  ctx.shown?.showProgress({ value: writeJson(value, ctx), text });
  return null;
}

function setState(ctx: Context, name: string, value: Value): Value {
  ctx.charge(1 + name.length);
  if (name === "" || textLength(name) > MAX_NAME)
    throw raised(VALUE_ERROR, `names of set_state() have 1 to ${MAX_NAME} characters`);
  const text = writeJson(value, ctx);
  if (ctx.shown?.set(name, text) === false) throw noRoomForState();
  return null;
}

export function noRoomForState() {
  return raised(VALUE_ERROR, `set_state() keeps at most ${MAX_STATE_NAMES} names and ${MAX_STATE_BYTES} bytes`);
}

export const SHOWN: Functions = { progress: ["number str?", progress], set_state: ["str any", setState] };
