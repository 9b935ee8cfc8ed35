/**
 * Bytecode → source of a module of functions, one for each routine. First the states at all labels are found that control can bring there from
 * the places where the program was seen; then the text is written. Loops are nested stretches of code and all other jumps lead forward, so
 * the structure of the source is that of the bytecode: a jump is a break out of the block that ends at its target, and each level of loops begins
 * with a switch over the places inside where it can be entered.
 */
import type { Region } from "../../../../compiler/bytecode/verify/scan.ts";
import { step } from "./instructions.ts";
import type { Places } from "./places.ts";
import { Held, heldAs, type State } from "./states.ts";
import { type Flow, type Named, type Observed, Writer } from "./writer.ts";

/** Where generated code can be entered. `slots` and `held`: what registers it expects; `registers`: of the loops around it. */
export type Entry = {
  readonly routine: number;
  readonly slots: readonly number[];
  readonly held: readonly Held[];
  readonly registers: readonly number[];
};

export type Translated = {
  readonly source: string;
  readonly entries: ReadonlyMap<number, Entry>;
  /** Values of the names `k…`. */
  readonly keys: readonly string[];
  /** Words of the largest function on the stack of the process, at most. */
  readonly frameWords: number;
};

/** States only lose knowledge, so the analysis ends; more passes than this are a defect. */
const MAX_PASSES = 200;

/** `seeds`: by pc of the head of a block, the state in which it was seen. */
export function translate(places: Places, observed: Observed, seeds: ReadonlyMap<number, State>): Translated {
  const flow: Flow = { states: [], returned: [], changed: true };
  for (const [pc, state] of seeds) flow.states[pc] = state.slice();
  const named: Named = { constants: new Set(), natives: new Set(), keys: [] };
  const writers = (): Writer[] => places.calls.map((_, routine) => new Writer(places, observed, flow, routine, named));
  const analysis = writers();
  for (let passes = 0; flow.changed; passes++) {
    if (passes === MAX_PASSES) throw new Error("the states of a program do not settle");
    flow.changed = false;
    for (const writer of analysis) writeRoutine(writer);
  }
  const emission = writers();
  const functions = emission.map((writer) => {
    writer.text.isWriting = true;
    writeRoutine(writer);
    return writer.text.finish();
  });
  const frameWords = Math.max(...emission.map(({ text }) => text.frameWords));
  return { source: moduleOf(functions, named), entries: entriesOf(places, flow), keys: named.keys, frameWords };
}

function moduleOf(functions: readonly string[], { constants, natives, keys }: Named): string {
  return [
    ...[...constants].map((slot) => `const c${slot}=C[${slot}];`),
    ...keys.map((_, at) => `const k${at}=K[${at}];`),
    ...[...natives].map((op) => `const x${op}=N[${op}];`),
    ...functions,
    `return [${functions.map((_, routine) => `r${routine}`).join(",")}];`,
  ].join("\n");
}

function entriesOf(places: Places, { states }: Flow): Map<number, Entry> {
  const { scan, code } = places;
  const entries = new Map<number, Entry>();
  for (let pc = 0; pc < code.length; pc++) {
    const state = states[pc];
    if (places.isHead[pc] !== 1 || state === undefined) continue;
    const slots: number[] = [];
    for (let slot = 0; slot < scan.variables; slot++) if (heldAs(state, slot) !== Held.Memory) slots.push(slot);
    entries.set(pc, {
      routine: scan.routineOf[scan.indexAt[pc] as number] as number,
      slots,
      held: slots.map((slot) => heldAs(state, slot)),
      registers: places.registersAt(pc),
    });
  }
  return entries;
}

function writeRoutine(w: Writer): void {
  const { scan } = w.places;
  const first = scan.routineOf.indexOf(w.routine);
  let end = first;
  while (end < scan.count && scan.routineOf[end] === w.routine) end += 1;
  if (reaches(w, first, end)) writeLevel(w, first, end);
}

/** Whether control comes to any of the instructions. */
function reaches({ places, flow }: Writer, first: number, end: number): boolean {
  for (let at = first; at < end; at++) if (flow.states[places.scan.heads[at] as number] !== undefined) return true;
  return false;
}

/** A stretch of a level: instructions from a label on, or a loop. `end`: the instruction after it. */
type Part = { readonly name: string; readonly at: number; readonly end: number; readonly loop: Region | null };

/** The parts of the instructions from `first` to before `end`, which are one routine or the body of one loop. */
function partsOf(places: Places, first: number, end: number): Part[] {
  const { scan, isLabel } = places;
  const parts: Part[] = [];
  let from = first;
  const close = (at: number): void => {
    parts.push({ name: `t${scan.heads[from]}`, at: from, end: at, loop: null });
  };
  for (let at = first; at < end; at++) {
    const pc = scan.heads[at] as number;
    if (isLabel[pc] === 1 && at > from) {
      close(at);
      from = at;
    }
    const loop = places.regionAt(pc);
    if (loop === undefined) continue;
    close(at + 1);
    const after = (scan.indexAt[loop.end] as number) + 1;
    parts.push({ name: `z${pc}`, at: at + 1, end: after, loop });
    from = after;
    at = after - 1;
  }
  if (from < end) close(end);
  return parts;
}

/** Returns the state with which control leaves the level at its end. */
function writeLevel(w: Writer, first: number, end: number): State | null {
  const { places, flow } = w;
  const parts = partsOf(places, first, end);
  const [, ...later] = parts;
  w.put(
    later
      .map(({ name }) => `${name}:{`)
      .reverse()
      .join(""),
  );
  const cases = later.map((part) => ({ part, heads: headsIn(w, part) })).filter(({ heads }) => heads.length > 0);
  if (cases.length > 0) {
    const text = cases.map(({ part, heads }) => `${heads.map((pc) => `case ${pc + 1}:`).join("")}break ${part.name};`);
    w.put(`if(e!==0)switch(e){${text.join("")}default:e=0;}\n`);
  } else if (headsIn(w, parts[0] as Part).length > 0) w.put("e=0;");
  let state: State | null = null;
  for (const [index, part] of parts.entries()) {
    const pc = places.scan.heads[part.at] as number;
    if (part.loop === null) {
      if (state !== null) w.edge(state, pc);
      if (index > 0) w.put("}\n");
      if (index > 0 && headsIn(w, part).length > 0) w.put("e=0;");
      state = writeStretch(w, flow.states[pc]?.slice() ?? null, part);
      continue;
    }
    if (state !== null) w.edge(state, pc);
    w.put("}\n");
    state = reaches(w, part.at, part.end) ? writeLoop(w, part, part.loop) : null;
  }
  return state;
}

function writeLoop(w: Writer, part: Part, loop: Region): State | null {
  w.put(`i${loop.init}:for(;;){`);
  const state = writeLevel(w, part.at, part.end);
  w.put(`break i${loop.init};}\n`);
  return state;
}

function writeStretch(w: Writer, given: State | null, { at: first, end }: Part): State | null {
  const { heads, indexAt } = w.places.scan;
  let state = given;
  for (let at = first; at < end && state !== null; ) {
    const stepped = step(w, state, heads[at] as number);
    state = stepped.state;
    at = indexAt[stepped.next] ?? end;
  }
  return state;
}

/** Heads of blocks in a part that control comes to: a stretch has its first instruction alone. */
function headsIn({ places, flow }: Writer, { at: first, end, loop }: Part): number[] {
  const heads: number[] = [];
  for (let at = first; at < (loop === null ? first + 1 : end); at++) {
    const pc = places.scan.heads[at] as number;
    if (places.isHead[pc] === 1 && flow.states[pc] !== undefined) heads.push(pc);
  }
  return heads;
}
