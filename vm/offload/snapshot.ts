/**
 * A suspended run as a JSON document, and back: another process with the same program continues where this one stopped, with
 * the same result. Sizes and ownership are not part of it, they are found again. A document from outside is checked
 * against the program before anything is taken from it.
 */
import * as z from "zod/mini";
import { INSTRUCTIONS, Op } from "../../compiler/bytecode/opcodes.ts";
import type { Program, VariantTables } from "../../compiler/bytecode/program.ts";
import { isObject, type Json } from "../../compiler/json.ts";
import { FatalFailure } from "../errors/failures.ts";
import { Rec, RecordKind, routineOf } from "../machine/control-stack.ts";
import { Machine } from "../machine/machine.ts";
import type { MachineOptions } from "../machine/options.ts";
import { Booked, containerSize, exactSize, fits, tooLarge } from "../memory/accounting.ts";
import { adopt } from "../memory/copy-in.ts";
import { openFrame } from "../memory/frames.ts";
import type { LimitKey } from "../run.ts";
import { checkedJson } from "../values/values.ts";

const whole = z.int().check(z.minimum(-1), z.maximum(Number.MAX_SAFE_INTEGER));
const duration = z.number().check(z.minimum(0));
/** Values keep every key, `__proto__` too, which zod's own object schemas drop: `checkedJson` reads them. */
const value = z.unknown();
const slotValues = z.array(z.tuple([whole, value]));

const shape = z.strictObject({
  format: z.literal("weft-snapshot"),
  version: z.literal(2),
  program: z.string(),
  entry: z.string(),
  variant: z.enum(["fast", "stepped"]),
  pc: whole,
  owed: whole,
  revisited: whole,
  cs: z.array(z.tuple([whole, whole, whole, whole, whole, whole])).check(z.minLength(1), z.maxLength(10_000)),
  loops: z.array(
    z.strictObject({
      list: z.array(value),
      position: whole,
      bound: whole,
      own: whole,
      kept: z.array(value).check(z.maxLength(1)),
      live: whole,
    }),
  ),
  frame: slotValues,
  /** Variables of callers, where calls with their own are under way; the outermost first. */
  frames: z.array(slotValues).check(z.maxLength(10_000)),
  extra: value,
  fuel: z.strictObject({ left: whole, rest: whole, granted: whole }),
  depth: whole,
  calls: whole,
  iterations: whole,
  elapsed_ms: duration,
  plans: z.array(z.strictObject({ record: whole, site: whole, count: whole, backoff: whole, made: whole })),
  visits: z.array(z.tuple([z.string(), whole])),
  pending: z.union([
    z.null(),
    z.strictObject({
      kind: z.literal("wait"),
      ms: duration,
      due: duration,
      then: z.enum(["retry", "host"]),
      pc: whole,
    }),
  ]),
});

export type Snapshot = z.infer<typeof shape>;
type Loop = Snapshot["loops"][number];

/** The state of a run that is suspended or between two slices. A traced run has no snapshot: its events are not state. */
export function snapshot(m: Machine): Snapshot {
  if (m.kind === "traced") throw new Error("a traced run cannot be stored");
  if (m.pending?.kind === "fork") throw new Error("a run with branches under way cannot be stored");
  const call = m.pending?.kind === "call" ? m.pending : null;
  const place = call === null ? null : placeOf(m, call.pc);
  const first = place !== null && (m.plans[m.sp]?.made ?? 0) === 0;
  const cs: Snapshot["cs"] = [];
  for (let sp = 0; sp <= m.sp; sp += Rec.Words) {
    const record = Array.from(m.CS.subarray(sp, sp + Rec.Words)) as Snapshot["cs"][number];
    record[Rec.Routine] = routineOf(m, sp);
    cs.push(record);
  }
  return {
    format: "weft-snapshot",
    version: 2,
    program: m.program.ir_checksum,
    entry: m.program.entry,
    variant: m.kind,
    pc: m.pc,
    owed: m.owed,
    revisited: m.revisited,
    cs,
    loops: loopsOf(m),
    frame: valuesOf(m),
    frames: m.frames.map(({ slots, values }) => slots.map((slot, at) => [slot, adopt(values[at] as Json)])),
    extra: adopt(m.extra),
    fuel: { left: m.fuel, rest: m.rest, granted: m.granted },
    depth: m.depth,
    // A call in flight is made again, with the same call id: it is counted when that happens.
    calls: m.calls - (call === null ? 0 : 1),
    iterations: m.mostIterations(),
    elapsed_ms: m.elapsed(),
    plans: m.plans.flatMap((plan, record) => (plan === null || plan === undefined ? [] : [{ record, ...plan }])),
    visits: [...m.visits].map(([key, count]) => [key, count - (first && key === place ? 1 : 0)]),
    pending: m.pending?.kind === "wait" ? { ...m.pending } : null,
  };
}

function placeOf(m: Machine, pc: number): string {
  const site = m.tables.sites[m.tables.site_at[pc] as number];
  return `${site?.label}/${site?.id}`;
}

function loopsOf(m: Machine): Loop[] {
  return Array.from({ length: m.lists.length }, (_, at) => ({
    list: adopt(m.lists[at] ?? []) as Json[],
    position: m.positions[at] ?? 0,
    bound: Math.min(m.bounds[at] ?? 0, Number.MAX_SAFE_INTEGER),
    own: Math.max(0, m.keptSizes[at] ?? 0),
    kept: m.kept[at] === undefined ? [] : [adopt(m.kept[at] as Json)],
    live: m.live[at] ?? 0,
  }));
}

function valuesOf(m: Machine): Snapshot["frame"] {
  const firstTemporary = m.variables + m.tables.constants.length;
  const values: Snapshot["frame"] = [];
  for (let slot = 0; slot < m.V.length; slot++) {
    const held = m.V[slot];
    if (held === undefined || (slot >= m.variables && slot < firstTemporary)) continue;
    values.push([slot, adopt(held)]);
  }
  return values;
}

/** About how many bytes the values of a snapshot have as JSON. Cheap: containers carry their sizes, texts count by their length. */
export function stateBytes(m: Machine): number {
  const firstTemporary = m.variables + m.tables.constants.length;
  let total = weightOf(m.extra);
  for (let slot = 0; slot < m.V.length; slot++) {
    if (slot < m.variables || slot >= firstTemporary) total += weightOf(m.V[slot]);
  }
  for (const { values } of m.frames) for (const held of values) total += weightOf(held);
  for (const list of m.lists) total += weightOf(list);
  for (const kept of m.kept) total += weightOf(kept);
  return total;
}

function weightOf(held: Json | undefined): number {
  if (typeof held === "string") return held.length;
  return held === undefined || typeof held !== "object" || held === null ? Booked.Number : containerSize(held);
}

/**
 * A machine that continues from `document`. The limits of `options` hold for the whole run: what was used before counts. Throws
 * RUNTIME_BAD_PROGRAM for a document that does not fit the program, or has used more than the limits allow, and RUNTIME_MAX_FRAME_BYTES
 * when the runs of the host have no room for it.
 */
export function restore(program: Program, document: unknown, options: MachineOptions): Machine {
  const parsed = shape.safeParse(document);
  if (!parsed.success) throw refused("not a snapshot of this version");
  const state = parsed.data;
  if (state.program !== program.ir_checksum || state.entry !== program.entry) throw refused("of another program");
  const tables = program.variant(state.variant);
  const fault = faultOf(state, tables, program.names.length);
  if (fault !== null) throw refused(fault);
  const extra = readValue(state.extra);
  if (!isObject(extra)) throw refused("extra keys are not an object");
  const m = new Machine(program, extra, { ...options, trace: null });
  m.kind = state.variant;
  m.tables = tables;
  m.resumeClock(state.elapsed_ms);
  for (const frame of state.frames) {
    for (const [slot, held] of frame) setSlot(m, slot, readValue(held));
    openFrame(m, [], []);
  }
  for (const [slot, held] of state.frame) setSlot(m, slot, readValue(held));
  const exceeded = exceededLimit(m, state);
  if (exceeded !== null) throw refused(`used more than ${exceeded} allows here`);
  restoreControl(m, state);
  restoreLoops(m, state);
  // Last, because what is refused gives nothing back.
  if (!fits(m, m.frameBytes)) throw tooLarge(m, m.frameBytes, null);
  return m;
}

function stepsOf({ fuel }: Snapshot): number {
  return fuel.granted - fuel.left;
}

/** A limit that the stored run has already exceeded; null without one. Time is checked when the run continues. */
function exceededLimit(m: Machine, state: Snapshot): LimitKey | null {
  if (stepsOf(state) > m.rest) return "max_steps";
  if (state.depth > m.deepest) return "max_depth";
  if (state.calls > m.maxCalls) return "max_adapter_calls";
  if (state.iterations > m.maxIterations) return "max_loop_iters";
  if (state.loops.some((loop) => loop.position > m.maxIterations)) return "max_loop_iters";
  if (m.frameBytes > m.frameCap) return "max_frame_bytes";
  return null;
}

function setSlot(m: Machine, slot: number, held: Json): void {
  const size = exactSize(held);
  if (slot < m.variables) m.frameBytes += size - (m.SZ[slot] as number);
  m.SZ[slot] = size;
  m.V[slot] = held;
}

function restoreControl(m: Machine, state: Snapshot): void {
  m.CS = new Int32Array(Math.max(16, state.cs.length * 2) * Rec.Words);
  for (const [index, record] of state.cs.entries()) m.CS.set(record, index * Rec.Words);
  m.sp = (state.cs.length - 1) * Rec.Words;
  m.pc = state.pc;
  m.owed = state.owed;
  m.revisited = state.revisited;
  // The budget is that of this side's limits; of the steps granted before, those that were not used are given back.
  const steps = stepsOf(state);
  m.fuel = Math.min(state.fuel.left, m.rest - steps);
  m.granted = steps + m.fuel;
  m.rest -= m.granted;
  m.depth = state.depth;
  m.calls = state.calls;
  m.iterations = state.iterations;
  for (const { record, ...plan } of state.plans) m.plans[record] = plan;
  // Records that were repeated are looked after only where there are plans.
  if (state.cs.some((record) => record[Rec.Repeats] > 0)) m.plans[m.sp] ??= null;
  for (const [place, count] of state.visits) m.visits.set(place, count);
  m.pending = state.pending;
}

function restoreLoops(m: Machine, state: Snapshot): void {
  for (const [register, loop] of state.loops.entries()) {
    m.beginLoop(register);
    m.lists[register] = readValue(loop.list) as readonly Json[];
    m.positions[register] = loop.position;
    const bound = loop.bound === Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : loop.bound;
    m.bounds[register] = Math.min(bound, m.maxIterations);
    const [kept] = loop.kept;
    m.kept[register] = loop.kept.length === 0 ? undefined : readValue(kept);
    m.live[register] = loop.live;
    m.keptSizes[register] = loop.own;
    if (loop.live === 1) m.keptSizes[register] = exactSize(m.kept[register] ?? null);
  }
}

/** A value of the document, checked and with its sizes. */
function readValue(given: unknown): Json {
  try {
    return adopt(checkedJson(given));
  } catch {
    throw refused("contains something that is not a value");
  }
}

/** Why the document does not fit; null when it does. */
function faultOf(state: Snapshot, tables: VariantTables, variables: number): string | null {
  const { code, site_at, routines, constants, temporaries } = tables;
  const op = code[state.pc] ?? -1;
  const heads = new Set<number>([...tables.marks, ...tables.site_pc]);
  if (INSTRUCTIONS[op] === undefined || site_at[state.pc] === undefined) return "position outside the program";
  const waiting = op === Op.Invoke || op === Op.Host || op === Op.CoreCall;
  if (!heads.has(state.pc) && !waiting && !follows(tables, state.pc)) return "position is not a suspension point";
  if (state.pending !== null && state.pending.pc !== state.pc) return "waits at another position";
  const { left, granted } = state.fuel;
  if (left < 0 || granted < left || state.depth < 0 || state.calls < 0 || state.iterations < 0) return "bad figures";
  const [root, ...rest] = state.cs;
  if (root === undefined || root[Rec.Kind] !== RecordKind.Root || root[Rec.Base] !== 1)
    return "control stack has no root";
  const returns = new Set<number>(tables.calls);
  for (const record of rest) {
    const [kind, callPc, routine, base, loopBase] = record;
    if (kind !== RecordKind.Call && kind !== RecordKind.Handler) return "unknown control record";
    if (kind === RecordKind.Call && !returns.has(callPc)) return "control record returns to no call";
    if (kind === RecordKind.Handler && tables.sites[callPc] === undefined) return "handles an unknown node";
    if (routine < 0 || routine >= routines.length || base < 1 || loopBase < 0) return "control record out of range";
    if (loopBase > state.loops.length + routines.length * 64) return "control record out of range";
  }
  const opened = rest.filter(
    ([kind, pc]) => kind === RecordKind.Call && code[pc + 6] === Op.End && code[pc] === Op.CallValue,
  );
  if (opened.length !== state.frames.length) return "frames and calls differ in number";
  for (const frame of state.frames) {
    if (frame.some(([slot]) => slot < 0 || slot >= variables)) return "slot out of range";
  }
  const slots = variables + constants.length + temporaries;
  for (const [slot] of state.frame) {
    if (slot < 0 || slot >= slots || (slot >= variables && slot < variables + constants.length))
      return "slot out of range";
  }
  for (const loop of state.loops) {
    if (loop.position < 0 || (loop.live === 1 && loop.position > loop.list.length)) return "loop out of range";
  }
  for (const plan of state.plans) if (tables.sites[plan.site] === undefined) return "retry of an unknown node";
  return null;
}

/** A charged block begins at `pc`. */
function follows(tables: VariantTables, pc: number): boolean {
  const { blocks } = tables;
  for (let at = 0; at < blocks.length; at += 4) if (blocks[at] === pc) return true;
  return false;
}

function refused(reason: string): FatalFailure {
  return new FatalFailure("RUNTIME_BAD_PROGRAM", `snapshot refused: ${reason}`, "program", { reason });
}
