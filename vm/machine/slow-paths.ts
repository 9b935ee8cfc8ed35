/**
 * Slow paths of the loop: everything an instruction does beyond its test for numbers, texts and plain keys. Each gets the
 * machine and the pc; failures are thrown.
 */
import { INSTRUCTIONS } from "../../compiler/bytecode/opcodes.ts";
import type { Aux } from "../../compiler/bytecode/program.ts";
import type { Json } from "../../compiler/json.ts";
import { unknownCoreFunction } from "../calls/call-errors.ts";
import { timed } from "../calls/call-times.ts";
import { limitFailure, unknownFunctionFailure, whileLimitFailure } from "../errors/fatal-failures.ts";
import { functionOf, type PureFunction } from "../functions/table.ts";
import { book, bookUnset, bookValue, Mark } from "../memory/accounting.ts";
import { argument, operand, operands } from "../memory/containers.ts";
import { closeFrame, openFrame } from "../memory/frames.ts";
import { called, finish, measured } from "../memory/long-work.ts";
import { Pace, type Task } from "../tasks/task.ts";
import { charge, chargeText } from "../tasks/work-meter.ts";
import { compareLenient, equal, equalTask } from "../values/compare.ts";
import { filterTask, sortTask } from "../values/filter-sort.ts";
import { walk } from "../values/paths.ts";
import { textOf, textTask } from "../values/text.ts";
import { isContainer, truthy } from "../values/values.ts";
import { admitted } from "./call-checks.ts";
import { rowOf } from "./fuel.ts";
import { journalledCore } from "./journal-hooks.ts";
import type { Machine } from "./machine.ts";
import { observedCore } from "./observer-hooks.ts";
import { longCore } from "./slices/long-core.ts";

function required(name: string): PureFunction {
  const found = functionOf(name, "call");
  if (found === undefined) throw new Error(`the function table has no ${name}`);
  return found;
}

/** Implementations of the instructions that stand for one function, by opcode. */
const DIRECT: readonly (PureFunction | undefined)[] = INSTRUCTIONS.map((instruction) => {
  const name = { Truthy: "bool", Select: "ite" }[instruction.name] ?? instruction.name.toLowerCase();
  const direct = "Add Sub Mul Div IDiv Mod Lt Lte Gt Gte Eq Ne And Or Not Truthy Select Len".split(" ");
  return direct.includes(instruction.name) ? required(name) : undefined;
});

/** Instructions `d a…` that stand for one function. */
export function direct(m: Machine, pc: number): void {
  const { code } = m.tables;
  const op = code[pc] as number;
  const count = (INSTRUCTIONS[op]?.words.length ?? 1) - 1;
  const implementation = DIRECT[op];
  if (implementation === undefined) throw new Error("not a function instruction");
  if (m.task !== null) {
    bookValue(m, code[pc + 1] as number, resumed(m));
    return;
  }
  const args: Json[] = [];
  for (let i = 0; i < count; i++) args.push(argument(m, pc + 2 + i));
  bookValue(m, code[pc + 1] as number, called(m, implementation, args));
}

/** `Select d a b c` whose operand at word `at` was chosen: what it holds keeps its size and its mark. */
export function select(m: Machine, pc: number, at: number): void {
  const { code, unset_at } = m.tables;
  const d = code[pc + 1] as number;
  let slot = code[at] as number;
  if (m.V[slot] === undefined) slot = unset_at[at] as number;
  book(m, d, m.V[slot] as Json, m.SZ[slot] as number);
  m.OWN[d] = m.OWN[slot] as number;
}

/** The two halves of fused instructions whose operands are not numbers: `d a b` at `at`. */
export function addAt(m: Machine, at: number): void {
  const sum = required("add")([argument(m, at + 1), argument(m, at + 2)], m.meter);
  bookValue(m, m.tables.code[at] as number, sum);
}

export function lessAt(m: Machine, at: number): boolean {
  const [a, b] = [argument(m, at + 1), argument(m, at + 2)];
  if (typeof a === "string" && typeof b === "string") charge(m.meter, Math.min(a.length, b.length));
  const less = compareLenient(a, b) < 0;
  bookValue(m, m.tables.code[at] as number, less);
  return less;
}

export function textEqual(m: Machine, pc: number): void {
  const a = operand(m, pc + 2);
  const b = operand(m, pc + 3);
  const same =
    isContainer(a) || isContainer(b) ? finish(m, () => equalTexts(a, b, m)) : sameTexts(m, textOf(a), textOf(b));
  bookValue(m, m.tables.code[pc + 1] as number, same);
}

function sameTexts(m: Machine, a: string, b: string): boolean {
  if (a.length === b.length) chargeText(m.meter, a);
  return a === b;
}

function* equalTexts(a: Json, b: Json, m: Machine): Task<boolean> {
  const pace = new Pace(m.meter);
  const text = yield* textTask(a, pace);
  const same = sameTexts(m, text, yield* textTask(b, pace));
  pace.end();
  return same;
}

/** The slot no longer owns its container. The mark of a text stays. */
function disown(m: Machine, slot: number): void {
  if (m.OWN[slot] === Mark.Owned) m.OWN[slot] = Mark.None;
}

/** Of which one is a container or a long text. */
export function deepEqual(a: Json, b: Json, m: Machine): boolean {
  return isContainer(a) && isContainer(b) ? finish(m, () => equalTask(a, b, m.meter)) : equal(a, b, m.meter);
}

/** The result of the task that the instruction was left with. */
export function resumed(m: Machine): Json {
  return finish<Json>(m, () => {
    throw new Error("nothing was begun");
  });
}

/** Truthiness of the operand at word `at`. */
export function truthyAt(m: Machine, at: number): boolean {
  return truthy(operand(m, at));
}

export function path(m: Machine, pc: number): void {
  const { code, aux, unset_at } = m.tables;
  const root = m.V[code[pc + 2] as number];
  const entry = aux[code[pc + 3] as number];
  const segments = entry?.kind === "path" ? entry.segments : [];
  // Without segments the value itself is handed on, and has two holders.
  if (segments.length === 0) disown(m, code[pc + 2] as number);
  const value = root === undefined ? (m.V[unset_at[pc + 2] as number] as Json) : walk(root, segments, m.meter);
  bookValue(m, code[pc + 1] as number, value);
}

/** `Fn d x n a…` */
export function pureFunction(m: Machine, pc: number): void {
  const { code } = m.tables;
  const implementation = m.functions[code[pc + 2] as number];
  if (implementation === undefined) throw new Error("an unknown function was emitted as Fn");
  const value = m.task === null ? called(m, implementation, operands(m, pc + 3)) : resumed(m);
  bookValue(m, code[pc + 1] as number, value);
}

/** `CoreCall d x n a…`: counted, gated and timed like every call, answered at once. */
export function coreCall(m: Machine, pc: number): void {
  const { code, aux } = m.tables;
  const d = code[pc + 1] as number;
  const value = m.task === null ? begunCore(m, pc, aux[code[pc + 2] as number] as FunctionAux) : resumed(m);
  if (d >= 0) bookValue(m, d, value);
}

type FunctionAux = Extract<Aux, { kind: "fn" }>;

function begunCore(m: Machine, pc: number, { written }: FunctionAux): Json {
  const args = operands(m, pc + 3);
  admitted(m, pc, { adapter: "core", verb: written, args }, true);
  return coreAnswer(m, pc, written, args, m.functions[m.tables.code[pc + 2] as number]);
}

/** The value of an admitted call of a pure function, between two readings of the clock. */
export function coreAnswer(
  m: Machine,
  pc: number,
  written: string,
  args: readonly Json[],
  implementation: PureFunction | undefined,
): Json {
  const task = implementation?.task?.(args, m.meter) ?? null;
  if (task !== null) return finish(m, () => longCore(m, pc, { verb: written, args, task }));
  const { clock } = m.options.deps;
  const before = clock.now();
  m.checkTimeAt(before);
  let after = before;
  let value: Json;
  try {
    value = coreValue(m, pc, written, args, implementation);
  } finally {
    // A call that fails was a call all the same.
    after = clock.now();
    timed(m, "core", after - before);
  }
  m.checkTimeAt(after);
  return value;
}

function coreValue(
  m: Machine,
  pc: number,
  written: string,
  args: readonly Json[],
  implementation: PureFunction | undefined,
): Json {
  const journal = m.options.journal ?? null;
  const { observer } = m.options;
  if (observer !== undefined) return observedCore(m, observer, pc, { verb: written, args, implementation });
  if (journal !== null) return journalledCore(m, journal, pc, { verb: written, args, implementation });
  if (implementation === undefined) throw unknownCoreFunction(written);
  return implementation(args, m.meter);
}

/** `Begin x v a…`: the variables that the call which follows begins with. */
export function begin(m: Machine, pc: number): void {
  const entry = m.tables.aux[m.tables.code[pc + 1] as number];
  if (entry?.kind !== "inputs") throw new Error("a call has no inputs");
  const { slots } = m.program;
  openFrame(
    m,
    entry.names.map((name) => slots.get(name) as number),
    operands(m, pc + 2),
  );
}

/** `End d a`: a, a temporary, is the result of the call. */
export function end(m: Machine, pc: number): void {
  const { code } = m.tables;
  closeFrame(m);
  const slot = code[pc + 2] as number;
  const d = code[pc + 1] as number;
  m.OWN[d] = Mark.None;
  book(m, d, operand(m, pc + 2), m.SZ[slot] as number);
}

export function filter(m: Machine, pc: number): void {
  const { code, aux } = m.tables;
  const entry = aux[code[pc + 3] as number] as Extract<Aux, { kind: "filt" }>;
  const list = operand(m, pc + 2);
  const kept = finish(m, () => measured(filterTask(list, entry.field, entry.cmp, operand(m, pc + 4), m.meter), m));
  bookValue(m, code[pc + 1] as number, kept);
}

export function sort(m: Machine, pc: number): void {
  const { code, aux } = m.tables;
  const entry = aux[code[pc + 3] as number] as Extract<Aux, { kind: "sort" }>;
  const list = operand(m, pc + 2);
  const sorted = finish(m, () => measured(sortTask(list, entry.field, entry.order, m.meter), m));
  bookValue(m, code[pc + 1] as number, sorted);
}

export function fail(m: Machine, pc: number): never {
  const entry = m.tables.aux[m.tables.code[pc + 1] as number];
  throw unknownFunctionFailure(entry?.kind === "unknown_fn" ? entry.name : "");
}

/** Entering depth `depth` for the first time: the limit, and the high-water mark. `which`: first or second label of the entry. */
export function deepen(m: Machine, pc: number, depth: number, which: 0 | 1, site: number): number {
  const { entries, labels, sites } = m.tables;
  const label = labels[entries[rowOf(entries, 3, pc) * 3 + 1 + which] as number];
  // A loop without after-label enters nothing on its way out.
  if (label === undefined) return m.depth;
  if (depth <= m.deepest) {
    m.depth = depth;
    return depth;
  }
  m.refused = { label, site };
  const from = sites[site];
  throw m.depthFailure(from === undefined ? {} : { from: { label: from.label, node: from.id, op: from.op } });
}

/** `LoopInit d l a t n k`: true when there is an element to begin with. `register`: counted from the outermost activation. */
export function loopInit(m: Machine, pc: number, register: number): boolean {
  const { code } = m.tables;
  const d = code[pc + 1] as number;
  const value = operand(m, pc + 3);
  const list = Array.isArray(value) ? (value as readonly Json[]) : [];
  disown(m, code[pc + 3] as number);
  if (list.length > m.maxIterations) {
    const data = { length: list.length };
    throw limitFailure("RUNTIME_MAX_LOOP_ITERS", "max_loop_iters", m.maxIterations, m.mostIterations(), data);
  }
  // Iterations of an empty body are not steps, but they are work.
  if (code[pc + 5] === 0) m.meter.charge(list.length);
  m.beginLoop(register);
  m.lists[register] = list;
  m.positions[register] = 0;
  m.bounds[register] = 0;
  m.kept[register] = m.V[d];
  m.keptSizes[register] = m.SZ[d] as number;
  m.OWN[d] = Mark.None;
  m.live[register] = 1;
  if (list.length === 0) {
    loopEnd(m, d, register);
    return false;
  }
  m.positions[register] = 1;
  bookValue(m, d, list[0] as Json);
  return true;
}

/** `WhileInit`: the register counts bodies up to the bound. A limit that no word holds is a constant (docs/bytecode.md). */
export function whileInit(m: Machine, register: number, limit: number, begins: boolean): void {
  const own = limit >= 0 ? limit : (m.tables.constants[-1 - limit] as number);
  m.beginLoop(register);
  m.bounds[register] = Math.min(own, m.maxIterations);
  m.keptSizes[register] = own;
  m.lists[register] = [];
  m.kept[register] = null;
  m.live[register] = 0;
  m.positions[register] = begins ? 1 : 0;
}

/** Puts the item variable back as it was before the loop. */
export function loopEnd(m: Machine, d: number, register: number): void {
  const kept = m.kept[register];
  m.live[register] = 0;
  m.lists[register] = [];
  m.kept[register] = null;
  m.OWN[d] = Mark.None;
  if (kept === undefined) bookUnset(m, d);
  else book(m, d, kept, m.keptSizes[register] as number);
}

/** `While` is true once more than its bound allows. */
export function whileLimit(m: Machine, register: number, site: number): Error {
  m.failedSite = site;
  return whileLimitFailure(m.keptSizes[register] as number, m.options.limits.max_loop_iters);
}
