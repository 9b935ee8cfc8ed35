/** Where a run of Python functions stands, with what their variables hold. */
import { type Json, setMember } from "../../../compiler/json.ts";
import { shownValue } from "../../recording/shown-value.ts";
import type { BegunCall, RunPlace } from "../../run.ts";
import type { PyException } from "../exceptions.ts";
import { PyFunction } from "../kinds/callable.ts";
import type { Value } from "../object.ts";
import { functionFrames, siteAt } from "./errors.ts";
import type { Frame, FunctionFrame } from "./frames.ts";
import { isWritten, shownAny, tooLarge, unitsLeft } from "./shown.ts";
import type { PyState } from "./state.ts";

/** Functions that are shown: of more, the innermost. */
const MOST_PLACES = 50;
/** Bytes of one variable, and of all of them. */
const MOST_OF_ONE = 64 * 1024;
const MOST_BYTES = 1024 * 1024;

/** Outermost first. `raised`: where it was raised; null: where the run stands. */
export function placesIn(s: PyState, raised: PyException | null): readonly RunPlace[] {
  const room = { bytes: MOST_BYTES };
  const frames = functionFrames((raised?.raisedIn ?? s.frame) as Frame | null).slice(0, MOST_PLACES);
  const places = frames.map((frame, at) => {
    const site = siteAt(s.program.code, (at === 0 ? raised?.raisedAt : null) ?? frame.pc);
    const variables: { [name: string]: Json } = {};
    for (const [name, value] of namedValues(frame)) setMember(variables, name, shownWithin(value, room));
    return { name: frame.routine.name, line: site?.line ?? null, file: site?.file ?? null, variables };
  });
  return places.reverse();
}

/** Of lambdas and generators in brackets, which have none: what they call says more. */
const WITHOUT_NAME = /<[a-z]+>$/;

/** The outermost function under way that has a name, with its parameters as they are now. */
export function begunIn(s: PyState): BegunCall | null {
  const frame = functionFrames(s.frame as Frame | null).findLast(({ routine }) => !WITHOUT_NAME.test(routine.name));
  if (frame === undefined) return null;
  const room = { bytes: MOST_OF_ONE };
  const held = new Map(namedValues(frame));
  const args = frame.routine.params.map(({ name }): Json => {
    const value = held.get(name);
    return value === undefined ? { $python: "…" } : shownWithin(value, room);
  });
  return { name: frame.routine.name.slice(frame.routine.name.lastIndexOf(".") + 1), args };
}

/** Of the variables that are shown with each step of a trace: elements and characters of one, and of all of them. */
const MOST_UNITS = 2048;
const MOST_UNITS_OF_ALL = 8192;

/** What a function holds, for one step of many: what is large is only counted as far as the bound, so a step costs the same however much there is. */
export function variablesOf(frame: FunctionFrame): { readonly [name: string]: Json } {
  const variables: { [name: string]: Json } = {};
  let room = MOST_UNITS_OF_ALL;
  for (const [name, value] of namedValues(frame)) {
    const most = Math.min(MOST_UNITS, room);
    const left = unitsLeft(value, most);
    room -= most - Math.max(0, left);
    setMember(variables, name, left < 0 ? tooLarge(value) : shownAny(value));
  }
  return variables;
}

/** Variables that are set, without those that hold functions. */
function namedValues({ routine, registers, cells }: FunctionFrame): readonly (readonly [string, Value])[] {
  const captured = [...routine.cells, ...routine.free].map((name, at) => [name, cells[at]?.value] as const);
  const own = routine.variables.map((name, at) => [name, registers[at]] as const);
  const inCells = new Set(captured.map(([name]) => name));
  return [...own.filter(([name]) => !inCells.has(name)), ...captured].flatMap(([name, value]) =>
    value === undefined || value instanceof PyFunction || !isWritten(name) ? [] : [[name, value] as const],
  );
}

function shownWithin(value: Value, room: { bytes: number }): Json {
  const shown = shownValue(shownAny(value), Math.min(MOST_OF_ONE, room.bytes));
  room.bytes = Math.max(0, room.bytes - JSON.stringify(shown).length);
  return shown;
}
