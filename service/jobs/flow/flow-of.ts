/**
 * What holds a job back, by what its request, its endpoint or schedule, `@job` of its function and its deployment say together. Bounds add up:
 * who queues a job can lift none. Of the rest the nearest to the job counts.
 */
import type { Ir } from "../../../compiler/ir/graph.ts";
import { resolveReference } from "../../../compiler/ir/references.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { counted } from "../../../grammar/text/english.ts";
import { faults, ServiceFault } from "../../wire/errors.ts";
import { type Burst, type GateAsked, isControlled, type JobFlow } from "./job-flow.ts";
import { keyOf, nameOf, priorityAt } from "./keys.ts";
import { type ConcurrencyRule, Flow, type FlowMembers, flowIn, type RateRule } from "./members.ts";

const MAX_ISSUES = 20;

/** `program`: names what the rules of scope `program` are about. */
export type FlowAsked = {
  readonly program: string;
  readonly concurrency: readonly ConcurrencyRule[];
  readonly rate: readonly RateRule[];
  readonly runAtMs: number | null;
  /** Of the jobs, in milliseconds: how much earlier one begins for each point of its priority. */
  readonly ageMs: number;
} & Pick<FlowMembers, "priority" | "fair" | "unique" | "debounce" | "batch" | "delay_s" | "timeout_s" | "start_by_s">;

type Declaring = Pick<Ir, "declarations" | "labels">;

/** What stands in `@job` above the function of a label. Throws ServiceFault flow_invalid. */
export function writtenFlow({ declarations, labels }: Declaring, entry: string | null): FlowMembers {
  for (const { op, slots, settings, line } of declarations) {
    if (op !== "Job" || settings === undefined) continue;
    if (resolveReference(slots[0] ?? "", (id) => Object.hasOwn(labels, id)) === entry)
      return readFlow(settings, line, "@job");
  }
  return {};
}

/** Throws ServiceFault flow_invalid for what a program says that means nothing, also together with what its deployment says. */
export function checkWrittenFlow({ declarations }: Declaring, deployed: FlowMembers): void {
  const layersOf = (written: FlowMembers) => [deployed, written];
  const check = (written: FlowMembers): unknown =>
    flowOf({ program: "", layers: layersOf(written), runAtMs: null, ageMs: 0 });
  check({});
  for (const { op, settings, line } of declarations)
    if (op === "Job" && settings !== undefined) check(readFlow(settings, line, "@job"));
}

/** `mark`: what they stand in. Throws ServiceFault flow_invalid. */
export function readFlow(settings: JsonObject, line: number, mark: string): FlowMembers {
  const read = Flow.safeParse(settings);
  if (read.success) return flowIn(read.data);
  const issues = read.error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => ({
    path: "",
    code: "value",
    message: `line ${line}: ${path.map(String).join(".")}: ${message}`,
  }));
  const problems = counted(read.error.issues.length, "problem");
  throw new ServiceFault("flow_invalid", `${problems} in ${mark}: ${issues[0]?.message ?? ""}`, { issues });
}

type Layers = {
  readonly program: string;
  /** From the farthest to the nearest. */
  readonly layers: readonly FlowMembers[];
  readonly runAtMs: number | null;
  readonly ageMs: number;
};

/** Null: nothing is said. Throws ServiceFault invalid_request. */
export function flowOf({ program, layers, runAtMs, ageMs }: Layers): FlowAsked | null {
  const said = layers.filter((layer) => Object.values(layer).some((value) => value != null));
  if (said.length === 0 && runAtMs === null) return null;
  const nearest = <N extends keyof FlowMembers>(name: N): FlowMembers[N] =>
    said.findLast((layer) => layer[name] != null)?.[name];
  const least = (name: "timeout_s" | "start_by_s"): number | null => {
    const all = said.flatMap((layer) => layer[name] ?? []);
    return all.length === 0 ? null : Math.min(...all);
  };
  const own = said.at(-1);
  if (runAtMs !== null && own?.delay_s != null && own === layers.at(-1))
    throw faults.invalidRequest([{ path: "/run_at", code: "exclusive", message: "give either run_at or delay_s" }]);
  const asked: FlowAsked = {
    ...{ program, runAtMs, ageMs },
    concurrency: said.flatMap(({ concurrency }) => concurrency ?? []),
    rate: said.flatMap(({ rate }) => rate ?? []),
    priority: nearest("priority"),
    fair: nearest("fair"),
    unique: nearest("unique"),
    debounce: nearest("debounce"),
    batch: nearest("batch"),
    delay_s: nearest("delay_s"),
    timeout_s: least("timeout_s"),
    start_by_s: least("start_by_s"),
  };
  const both = exclusiveIn(asked);
  if (both !== null) throw faults.invalidRequest([{ path: "", code: "exclusive", message: both }]);
  return asked;
}

/** Each of them says when the job begins, or whether there is one; null: they say it once. */
function exclusiveIn({ unique, debounce, batch, delay_s, runAtMs }: FlowAsked): string | null {
  const said = { unique, debounce, batch };
  const [first, second] = Object.entries(said).flatMap(([name, rule]) => (rule == null ? [] : [name]));
  if (second !== undefined) return `give either ${first} or ${second}`;
  if (debounce == null && batch == null) return null;
  if (delay_s != null) return `give either ${first} or delay_s`;
  return runAtMs === null ? null : `give either ${first} or run_at`;
}

/** Whether a rule reads inputs. */
export function needsInputs({ concurrency, rate, priority, fair, unique, debounce, batch }: FlowAsked): boolean {
  if (typeof priority === "string" || fair != null || unique != null || debounce != null) return true;
  return [...concurrency, ...rate, ...(batch == null ? [] : [batch])].some(({ key }) => key != null);
}

/** The rules for a job that begins again: what was said about its time, and about others of its burst, is over. */
export function flowAgain(asked: FlowAsked): FlowAsked {
  return { ...asked, delay_s: null, runAtMs: null, debounce: null, batch: null };
}

/** Throws ServiceFault flow_key_invalid. `now`: when the job is queued. `checksum`: of its program; jobs of two programs are of two lists. */
export function jobFlow(asked: FlowAsked, frame: JsonObject, now: number, checksum = ""): JobFlow | null {
  const { program, ageMs, fair, start_by_s, runAtMs } = asked;
  const points = typeof asked.priority === "string" ? priorityAt(asked.priority, frame) : (asked.priority ?? 0);
  const delay_s = asked.delay_s ?? asked.debounce?.wait_s ?? asked.batch?.wait_s;
  const at = runAtMs ?? (delay_s == null ? null : now + Math.round(delay_s * 1000));
  const afterMs = at !== null && at > now ? at : null;
  const begins = afterMs ?? now;
  const unique = uniqueOf(asked, frame);
  const flow: JobFlow = {
    // Who waits longer has gained more points: so the order of two never changes, and it is known from the beginning.
    rank: begins - points * ageMs,
    gates: [...(unique === null ? [] : [onlyPlace(unique.gate)]), ...gatesOf(asked, frame)],
    afterMs,
    byMs: start_by_s == null ? null : begins + Math.round(start_by_s * 1000),
    fair: fair == null ? null : { group: nameOf("fair", program, fair), key: nameOf(keyOf(fair, frame, "fair")) },
    unique,
    burst: burstOf(asked, frame, checksum),
  };
  return points === 0 && !isControlled(flow) ? null : flow;
}

function uniqueOf({ program, unique }: FlowAsked, frame: JsonObject): JobFlow["unique"] {
  if (unique == null) return null;
  const gate = nameOf("unique", program, unique.key, keyOf(unique.key, frame, "unique"));
  return { gate, forMs: Math.round((unique.for_s ?? 0) * 1000), onConflict: unique.on_conflict ?? "return" };
}

function burstOf({ program, debounce, batch }: FlowAsked, frame: JsonObject, checksum: string): Burst | null {
  if (debounce != null) {
    const gate = nameOf("debounce", program, debounce.key, keyOf(debounce.key, frame, "debounce"));
    return { gate, kind: "last", maxMs: Math.round(debounce.max_s * 1000), most: 0 };
  }
  if (batch == null) return null;
  const value = batch.key == null ? null : keyOf(batch.key, frame, "batch");
  const gate = nameOf("batch", program, checksum, batch.key ?? null, value);
  return { gate, kind: "list", maxMs: Math.round(batch.wait_s * 1000), most: batch.max };
}

/** Of a job that no other one may run next to. It is the narrowest gate, so it is passed first. */
function onlyPlace(id: string): GateAsked {
  return { id, kind: "places", limit: 1, perMs: 0, onFull: "queue", hold: true };
}

type Placed = { readonly gate: GateAsked; readonly order: readonly number[] };

function gatesOf({ program, concurrency, rate }: FlowAsked, frame: JsonObject): readonly GateAsked[] {
  const placed = new Map<string, Placed>();
  const add = (gate: GateAsked, order: readonly number[]): void => {
    const known = placed.get(gate.id)?.gate;
    const limit = Math.min(gate.limit, known?.limit ?? gate.limit);
    placed.set(gate.id, { gate: { ...gate, limit }, order });
  };
  for (const { limit, key, scope, on_full, hold } of concurrency) {
    const of = scope === "all" ? "" : program;
    const value = key == null ? null : keyOf(key, frame, "concurrency");
    const id = nameOf("places", of, key ?? null, value);
    const gate = { id, kind: "places", limit, perMs: 0, onFull: on_full ?? "queue", hold: hold === true } as const;
    add(gate, [0, scope === "all" ? 1 : 0, key == null ? 1 : 0]);
  }
  for (const { limit, per_s, key } of rate) {
    const value = key == null ? null : keyOf(key, frame, "rate");
    const id = nameOf("tokens", program, key ?? null, value, per_s);
    add({ id, kind: "tokens", limit, perMs: per_s * 1000, onFull: "queue", hold: false }, [1, 0, key == null ? 1 : 0]);
  }
  return [...placed.values()].sort(byOrder).map(({ gate }) => gate);
}

/** Of a key before that of all, of a program before that of several: who waits for the wide one holds only a narrow one. */
function byOrder(a: Placed, b: Placed): number {
  for (const [at, rank] of a.order.entries()) if (rank !== b.order[at]) return rank - (b.order[at] ?? 0);
  return a.gate.id < b.gate.id ? -1 : 1;
}
