/**
 * Calls of adapters. Each is a stub of ordinary bytecode whose operands are variables of the machine: the dispatcher, journal, record, policy and
 * observer see it as any other call. Arguments go out as copies, and so does the answer come in (python.md V-1).
 */
import { Op } from "../../../../compiler/bytecode/opcodes.ts";
import type { PyStub } from "../../../../compiler/bytecode/python/code.ts";
import { callCauseOf, causeOf, endsRun, notHere } from "../../../calls/call-errors.ts";
import { FatalFailure, OperationFailure } from "../../../errors/failures.ts";
import { CallFailure } from "../../../machine/call-checks.ts";
import { invoke } from "../../../machine/dispatch.ts";
import { callHost } from "../../../machine/host-calls.ts";
import { coreCall } from "../../../machine/slow-paths.ts";
import { PAUSED } from "../../../memory/long-work.ts";
import { adapterError } from "../../adapter-errors.ts";
import { entered, left, leftExactly } from "../../borders.ts";
import { Raised } from "../../exceptions.ts";
import { PyFloat } from "../../kinds/float.ts";
import type { Value } from "../../object.ts";
import { checkInCleanup, hasCleanup, isJournalled, reasonOfCancel } from "../cleanup.ts";
import type { FunctionFrame } from "../frames.ts";
import type { StubPlace } from "../program.ts";
import type { PyState } from "../state.ts";

/** Makes the call; true when the run must wait for the answer, else it is in `s.answer`. */
export function askAdapter(s: PyState, stub: number, args: readonly Value[]): boolean {
  const { m } = s;
  const { slots, pc } = s.program.stubs[stub] as StubPlace;
  const { adapter, verb } = s.program.code.stubs[stub] as PyStub;
  if (s.isCleaning) checkInCleanup(adapter, verb);
  if (endsRun(adapter, verb) && hasCleanup(s))
    throw new CallFailure(callCauseOf(notHere("a try with finally"), adapter, verb));
  for (const [at, value] of args.entries()) {
    // Functions of core compute with numbers: a float that has a text of its own would be a map to them.
    const isNumber = adapter === "core" && value instanceof PyFloat;
    m.V[slots[at] as number] = isNumber ? left(value, s) : leftExactly(value, s);
  }
  m.pc = pc;
  m.failedSite = -1;
  asks(s, stub);
  s.awaited = stub;
  try {
    if (perform(s)) return true;
  } catch (thrown) {
    // A call that failed at once is not waited for: it would be made again. What is only put off is.
    if (thrown === PAUSED || reasonOfCancel(thrown) !== null) throw thrown;
    const failed = failureOf(s, thrown);
    s.awaited = -1;
    throw failed;
  }
  s.answer = taken(s);
  return false;
}

/** A call is about to be made: the run is perhaps cancelled before it. Branches are not before what no journal knows of. */
function asks(s: PyState, stub: number): void {
  const { m } = s;
  if (m.branch.nesting > 0 && !isJournalled(s, stub)) return;
  s.isAsking = true;
  m.checkCancelled();
  s.isAsking = false;
}

/**
 * What a call that is made or awaited threw, as a program sees it; what is not a failure of it stays what it is. Details that have no exact form
 * are a failure of their own.
 */
export function failureOf(s: PyState, thrown: unknown): unknown {
  if (s.awaited < 0) return thrown;
  const cause =
    thrown instanceof CallFailure ? thrown.failure : thrown instanceof OperationFailure ? causeOf(thrown) : null;
  try {
    const exception = cause === null ? null : adapterError(cause, s.program.code.stubs[s.awaited] as PyStub);
    return exception === null ? thrown : new Raised(exception);
  } catch (inexact) {
    if (inexact instanceof FatalFailure) return inexact;
    throw inexact;
  }
}

/** The answer that was waited for, into the register that it is for. False: the run must still wait. */
export function finishAnswer(s: PyState): boolean {
  // A large answer is taken over in pieces, and a call in a branch may have to begin again.
  const { m } = s;
  if (m.pending !== null) return false;
  const { pc } = placeOf(s);
  if (m.task === null && m.pc === pc && m.branch.nesting > 0) asks(s, s.awaited);
  if ((m.task !== null || m.pc === pc) && perform(s)) return false;
  const frame = s.frame as FunctionFrame;
  frame.registers[frame.into] = taken(s);
  return true;
}

function placeOf(s: PyState): StubPlace {
  return s.program.stubs[s.awaited] as StubPlace;
}

function perform(s: PyState): boolean {
  const { m } = s;
  const { pc } = placeOf(s);
  switch (m.tables.code[pc]) {
    case Op.Invoke:
      return invoke(m, pc);
    case Op.Host:
      return callHost(m, pc);
    default:
      coreCall(m, pc);
      return false;
  }
}

/** The answer as a value of the program; the machine forgets it. */
function taken(s: PyState): Value {
  const { m } = s;
  const { answer, made } = placeOf(s);
  const json = m.V[answer] ?? null;
  m.V[answer] = null;
  s.awaited = -1;
  return entered(json, s, made);
}
