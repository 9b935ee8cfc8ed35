/**
 * The instructions that neither jump nor call anything of the program, one at a time, for any values. The loop and generated code do the usual case of
 * the frequent ones themselves and leave the rest to this.
 */

import { lengthAt, OPERATORS, Py, UNARY_OPERATORS } from "../../../../compiler/bytecode/python/instructions.ts";
import { badProgram } from "../../bad-program.ts";
import { CANCELLED, PyException, Raised } from "../../exceptions.ts";
import { type PyCell, PyFunction } from "../../kinds/callable.ts";
import { DICT_TYPE, PyDict } from "../../kinds/dict.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { PySet } from "../../kinds/set.ts";
import { PySlice } from "../../kinds/slice.ts";
import { Bytes, type Value } from "../../object.ts";
import { binary, deleteItem, equals, iterate, keyOf, order, setItem, truth, unary } from "../../operations.ts";
import { setMember } from "../../types/dict.ts";
import { cellsOf } from "../calls.ts";
import type { FunctionFrame, Routine } from "../frames.ts";
import type { PyState } from "../state.ts";
import { raisedFrom } from "./raising.ts";
import { attributeOf, format, globalOf, joined, requireMethod, unbound, unsetGlobal, update } from "./slow-paths.ts";

/** Does the instruction at `pc` of a frame; where it continues. Throws what the instruction raises. */
export function perform(s: PyState, frame: FunctionFrame, pc: number): number {
  const { code } = s.program.code;
  const { registers: R } = frame;
  const d = code[pc + 1] as number;
  switch (code[pc]) {
    case Py.Move:
      R[d] = operand(s, frame, pc + 2);
      break;
    case Py.Add:
      R[d] = binary("+", operand(s, frame, pc + 2), operand(s, frame, pc + 3), s);
      break;
    case Py.Sub:
      R[d] = binary("-", operand(s, frame, pc + 2), operand(s, frame, pc + 3), s);
      break;
    case Py.Mul:
      R[d] = binary("*", operand(s, frame, pc + 2), operand(s, frame, pc + 3), s);
      break;
    case Py.Lt:
      R[d] = order("<", operand(s, frame, pc + 2), operand(s, frame, pc + 3), s);
      break;
    case Py.Le:
      R[d] = order("<=", operand(s, frame, pc + 2), operand(s, frame, pc + 3), s);
      break;
    case Py.Gt:
      R[d] = order(">", operand(s, frame, pc + 2), operand(s, frame, pc + 3), s);
      break;
    case Py.Ge:
      R[d] = order(">=", operand(s, frame, pc + 2), operand(s, frame, pc + 3), s);
      break;
    case Py.Eq:
      R[d] = equals(operand(s, frame, pc + 2), operand(s, frame, pc + 3), s);
      break;
    case Py.Ne:
      R[d] = !equals(operand(s, frame, pc + 2), operand(s, frame, pc + 3), s);
      break;
    case Py.Binary: {
      const operator = OPERATORS[code[pc + 4] as number] as (typeof OPERATORS)[number];
      R[d] = binary(operator, operand(s, frame, pc + 2), operand(s, frame, pc + 3), s);
      break;
    }
    case Py.Unary: {
      const operator = UNARY_OPERATORS[code[pc + 3] as number] as (typeof UNARY_OPERATORS)[number];
      R[d] = unary(operator, operand(s, frame, pc + 2), s);
      break;
    }
    case Py.Is:
      R[d] = operand(s, frame, pc + 2) === operand(s, frame, pc + 3);
      break;
    case Py.IsNot:
      R[d] = operand(s, frame, pc + 2) !== operand(s, frame, pc + 3);
      break;
    case Py.Not:
      R[d] = !truth(operand(s, frame, pc + 2), s);
      break;
    case Py.SetItem: {
      const v = operand(s, frame, pc + 1);
      const c = operand(s, frame, pc + 2);
      const k = operand(s, frame, pc + 3);
      if (typeof k === "string" && c instanceof PyDict && c.type === DICT_TYPE) setMember(c, k, v, s);
      else setItem(c, k, v, s);
      break;
    }
    case Py.DelItem:
      deleteItem(operand(s, frame, pc + 1), operand(s, frame, pc + 2), s);
      break;
    case Py.Attr:
      R[d] = attributeOf(s, operand(s, frame, pc + 2), code[pc + 3] as number);
      break;
    case Py.HasMethod:
      requireMethod(s, operand(s, frame, pc + 1), code[pc + 2] as number);
      break;
    case Py.Slice:
      R[d] = new PySlice(operand(s, frame, pc + 2), operand(s, frame, pc + 3), operand(s, frame, pc + 4));
      break;
    case Py.Iter:
      R[d] = iterate(operand(s, frame, pc + 2), s);
      break;
    case Py.List:
      R[d] = new PyList(displayed(s, frame, pc));
      break;
    case Py.Tuple:
      R[d] = new PyTuple(displayed(s, frame, pc));
      break;
    case Py.Set: {
      const n = code[pc + 2] as number;
      const set = new PySet();
      for (let at = pc + 3; at < pc + 3 + n; at++) addMember(set, operand(s, frame, at), s);
      s.alloc(Bytes.Object + n * Bytes.Entry);
      R[d] = set;
      break;
    }
    case Py.Dict: {
      const n = code[pc + 2] as number;
      const dict = new PyDict();
      for (let at = pc + 3; at < pc + 3 + n; at += 2) {
        const k = operand(s, frame, at);
        dict.set(typeof k === "string" ? k : keyOf(k, s), k, operand(s, frame, at + 1));
      }
      s.alloc(Bytes.Object + n * (Bytes.Entry / 2));
      R[d] = dict;
      break;
    }
    case Py.Append:
      (operand(s, frame, pc + 1) as PyList).items.push(operand(s, frame, pc + 2));
      s.alloc(Bytes.Element);
      break;
    case Py.SetAdd:
      addMember(operand(s, frame, pc + 1) as PySet, operand(s, frame, pc + 2), s);
      s.alloc(Bytes.Entry);
      break;
    case Py.DictSet: {
      const k = operand(s, frame, pc + 2);
      (operand(s, frame, pc + 1) as PyDict).set(keyOf(k, s), k, operand(s, frame, pc + 3));
      s.alloc(Bytes.Entry);
      break;
    }
    case Py.Update:
      update(s, operand(s, frame, pc + 1) as PyDict, operand(s, frame, pc + 2), code[pc + 3] === 1);
      break;
    case Py.TupleOf:
      R[d] = new PyTuple((R[code[pc + 2] as number] as PyList).items);
      break;
    case Py.Format: {
      const spec = operand(s, frame, pc + 4) as string;
      R[d] = format(s, operand(s, frame, pc + 2), operand(s, frame, pc + 3), spec);
      break;
    }
    case Py.Joined:
      R[d] = joined(s, R, s.program.constants, code, pc + 3, code[pc + 2] as number);
      break;
    case Py.Global: {
      const g = code[pc + 2] as number;
      const v = s.globals[g];
      R[d] = v === undefined ? globalOf(s, g) : v;
      break;
    }
    case Py.SetGlobal:
      s.globals[d] = operand(s, frame, pc + 2);
      break;
    case Py.DelGlobal:
      if (s.globals[d] === undefined) throw unsetGlobal(s, d);
      s.globals[d] = undefined;
      break;
    case Py.LoadCell: {
      const c = code[pc + 2] as number;
      const v = (frame.cells[c] as PyCell).value;
      if (v === undefined) throw unbound(frame.routine, c, true);
      R[d] = v;
      break;
    }
    case Py.StoreCell:
      (frame.cells[d] as PyCell).value = operand(s, frame, pc + 2);
      break;
    case Py.NewCell: {
      const fresh = cellsOf(frame.routine, R, [])[0] as PyCell;
      frame.cells[d] = fresh;
      fresh.value = undefined;
      break;
    }
    case Py.DelCell: {
      const cell = frame.cells[d] as PyCell;
      if (cell.value === undefined) throw unbound(frame.routine, d, true);
      cell.value = undefined;
      break;
    }
    case Py.Del:
      if (R[d] === undefined) throw unbound(frame.routine, d);
      R[d] = undefined;
      break;
    case Py.Function:
      R[d] = madeFunction(s, frame, pc);
      s.alloc(Bytes.Object * 2);
      break;
    case Py.Raise:
      throw raisedFrom(operand(s, frame, pc + 1), operand(s, frame, pc + 2));
    case Py.Reraise:
      throw raisedFrom(operand(s, frame, pc + 1), null);
    case Py.Catch:
    case Py.Cleanup:
      R[d] = s.raised as PyException;
      s.raised = null;
      break;
    case Py.Recancel: {
      const v = d >= 0 ? R[d] : s.program.constants[~d];
      if (v instanceof PyException && v.type === CANCELLED) throw new Raised(v);
      break;
    }
    case Py.Visit:
      s.trace?.visit(frame, d);
      break;
    case Py.Leave:
      s.trace?.leave(frame, null, operand(s, frame, pc + 1));
      break;
    default:
      throw badProgram(`no instruction ${code[pc]} at ${pc}`);
  }
  return pc + lengthAt(code, pc);
}

/** The value of the operand at a place of the code. Throws UnboundLocalError for a variable that is not set. */
export function operand(s: PyState, { registers, routine }: FunctionFrame, at: number): Value {
  const word = s.program.code.code[at] as number;
  const v = word >= 0 ? registers[word] : s.program.constants[~word];
  if (v === undefined) throw unbound(routine, word);
  return v;
}

function displayed(s: PyState, frame: FunctionFrame, pc: number): Value[] {
  const n = s.program.code.code[pc + 2] as number;
  const items: Value[] = [];
  for (let at = pc + 3; at < pc + 3 + n; at++) items.push(operand(s, frame, at));
  s.alloc(Bytes.Object + n * Bytes.Element);
  return items;
}

function addMember(set: PySet, value: Value, s: PyState): void {
  const key = keyOf(value, s);
  if (!set.members.has(key)) set.members.set(key, value);
}

function madeFunction(s: PyState, frame: FunctionFrame, pc: number): PyFunction {
  const { code, keywords } = s.program.code;
  const own = frame.routine;
  const at = code[pc + 2] as number;
  const names = keywords[code[pc + 3] as number] as readonly string[];
  const n = code[pc + 4] as number;
  const values: Value[] = [];
  for (let word = pc + 5; word < pc + 5 + n; word++) values.push(operand(s, frame, word));
  const routine = s.program.routines[at] as Routine;
  const around = [...own.cells, ...own.free];
  const cells = routine.free.map((name) => frame.cells[around.indexOf(name)] as PyCell);
  const positional = values.length - names.length;
  const byName =
    names.length === 0 ? null : new Map(names.map((name, index) => [name, values[positional + index] as Value]));
  return new PyFunction(routine.name, at, cells, values.slice(0, positional), byName);
}
