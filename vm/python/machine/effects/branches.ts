/**
 * Branches of a Python program (`parallel`): each runs a function of the heap that all share, on a machine of its own. What existed before them must not
 * change while they run (amendment 1): it is compared when they have ended.
 */
import type { PySite } from "../../../../compiler/bytecode/python/code.ts";
import type { Json } from "../../../../compiler/json.ts";
import { MAX_BRANCH_NESTING, nestedTooDeep } from "../../../errors/branch-failures.ts";
import { limitFailure } from "../../../errors/fatal-failures.ts";
import type { ForkPlan } from "../../../machine/branching/fork-plan.ts";
import type { Machine } from "../../../machine/machine.ts";
import { type PyException, raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import { PyDict } from "../../kinds/dict.ts";
import { PyList } from "../../kinds/list.ts";
import { noRoomForState } from "../../library/prelude/shown.ts";
import { Bytes, typeOf, type Value } from "../../object.ts";
import { text } from "../../operations.ts";
import { siteAt } from "../errors.ts";
import type { FunctionFrame } from "../frames.ts";
import type { PyState } from "../state.ts";
import { exceptionOf } from "../unwind.ts";
import { Frozen } from "./frozen.ts";
import { Printed } from "./printed.ts";

const MOST_LIVE = 64;

/** `parallel(f, items)`, or `parallel(functions)` where `items` is None. A value when no branch begins; else `m.pending` has the branches. */
export function fork(s: PyState, [callee = null, items = null, limit = null, settle = null]: readonly Value[]): Value {
  const { m } = s;
  const list = (items ?? callee) as PyList;
  if (typeof limit !== "number" || !Number.isInteger(limit))
    throw raised(TYPE_ERROR, `limit of parallel must be an int, not ${typeOf(limit).name}`);
  if (limit < 1) throw raised(VALUE_ERROR, "limit of parallel must be at least 1");
  const count = list.items.length;
  if (count > m.maxIterations)
    throw limitFailure("RUNTIME_MAX_LOOP_ITERS", "max_loop_iters", m.maxIterations, m.iterations, { length: count });
  m.iterations = Math.max(m.iterations, count);
  if (m.branch.nesting === MAX_BRANCH_NESTING) throw nestedTooDeep();
  if (count === 0) return new PyList([]);
  const frame = s.frame as FunctionFrame;
  const { label, node } = siteAt(s.program.code, frame.pc) as PySite;
  const place = `${label}/${node}`;
  const visit = (m.visits.get(place) ?? 0) + 1;
  m.visits.set(place, visit);
  const works = list.items.map((item): Work => (items === null ? [item, []] : [callee, [item]]));
  const plan = planOf(s, works, Math.min(limit, MOST_LIVE), settle === true);
  m.pending = { kind: "fork", pc: m.pc, plan, place: `${place}/${visit}` };
  return null;
}

type Work = readonly [callee: Value, args: readonly Value[]];

function planOf(s: PyState, works: readonly Work[], limit: number, settles: boolean): ForkPlan<Machine> {
  const { branches } = s;
  const frozen = new Frozen(s);
  s.printed ??= new Printed();
  const { printed } = s;
  // Those of a fork that was cancelled.
  s.shown.join();
  return {
    count: works.length,
    limit,
    settles,
    begin: (m, at) => {
      const [callee, args] = works[at] as Work;
      printed.branch(at, () => branches.printed(m));
      branches.begin(m, s, s.shown.branch(at, works.length), callee, args);
    },
    value: (m) => asJson(settles ? record(["ok", true], ["value", branches.value(m)]) : branches.value(m)),
    settled: (m) => asJson(record(["ok", false], ["error", described(s, branches.thrown(m))])),
    cause: (m) => branches.thrown(m),
    left(m, at) {
      const all = branches.printed(m);
      printed.branch(at, () => all);
    },
    failure: (cause) => {
      printed.join();
      frozen.check();
      s.shown.join();
      return cause;
    },
    hold: (_value, held) => held,
    store: (values) => {
      printed.join();
      frozen.check();
      if (!s.shown.join()) throw noRoomForState();
      s.alloc(Bytes.Object + values.length * Bytes.Element);
      const frame = s.frame as FunctionFrame;
      if (frame.into >= 0) frame.registers[frame.into] = new PyList(values as unknown as Value[]);
    },
  };
}

/** Who runs branches hands values on as they are. */
function asJson(value: Value): Json {
  return value as unknown as Json;
}

function record(...members: readonly (readonly [string, Value])[]): PyDict {
  const dict = new PyDict();
  for (const [key, value] of members) dict.set(key, key, value);
  return dict;
}

function described(s: PyState, thrown: unknown): PyDict {
  const exception = exceptionOf(thrown) as PyException;
  const member = (name: string): Value => exception.members?.get(name) ?? null;
  return record(
    ["type", exception.type.name],
    ["code", member("code")],
    ["message", text(exception, s)],
    ["status", member("status")],
    ["details", member("details")],
  );
}
