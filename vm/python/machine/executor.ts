/** A run of a Python program on a machine: first the file, then the entry with the frame as its arguments. */
import type { PyRoutine } from "../../../compiler/bytecode/python/code.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";
import type { Machine } from "../../machine/machine.ts";
import type { Executor, GivenInputs } from "../../machine/slices/executor.ts";
import type { Routed } from "../../machine/slices/stop.ts";
import { Stop } from "../../machine/slices/stop.ts";
import { PAUSED } from "../../memory/long-work.ts";
import type { TextBytes } from "../../memory/text-bytes.ts";
import type { ShownState } from "../../recording/shown-state.ts";
import type { BegunCall, Outcome, RunError, RunPlace } from "../../run.ts";
import { lineSafe } from "../../values/json-line.ts";
import { entered, isPlain, left } from "../borders.ts";
import { raised, TYPE_ERROR } from "../exceptions.ts";
import { writeQuickly } from "../json/quick.ts";
import { readJson } from "../json/read.ts";
import { writeJson } from "../json/write.ts";
import { PyFunction } from "../kinds/callable.ts";
import type { PyDict } from "../kinds/dict.ts";
import { PyFloat } from "../kinds/float.ts";
import type { Value } from "../object.ts";
import { type Beginning, beginsAtOnce } from "./beginning.ts";
import { type Called, called, cellsOf } from "./calls.ts";
import { BranchEnding, beginCleanup, CancelledBefore, endOfCleanup, hasCleanup, reasonOfCancel } from "./cleanup.ts";
import { failureOf, finishAnswer } from "./effects/adapter-calls.ts";
import { errorOf } from "./errors.ts";
import { FunctionFrame, type Routine } from "./frames.ts";
import { grantStep, refuel } from "./fuel.ts";
import { begin, isHot, raise } from "./loop/entering.ts";
import { runFrames } from "./loop/loop.ts";
import { begunIn, placesIn } from "./places.ts";
import type { PyProgram } from "./program.ts";
import { type BranchRuns, PyState } from "./state.ts";
import { PyTrace } from "./trace.ts";
import { exceptionOf, isCancellation } from "./unwind.ts";

/** The state of a run that is traced tells its steps. */
function tracing(s: PyState): PyState {
  const { graph } = s.program;
  const sink = s.m.options.trace;
  if (graph !== null && sink !== null) s.trace = new PyTrace(s, graph, sink);
  return s;
}

export class PyExecutor implements Executor {
  frameText: string | undefined = undefined;
  given: GivenInputs | null = null;
  out: TextBytes | null = null;
  readonly #m: Machine;
  readonly #program: PyProgram;
  readonly #entry: number;
  #state: PyState;
  /** Of the result, where the value says less. */
  #outText: string | null = null;
  /** What ended it, if it is a branch that failed. */
  #thrown: unknown = null;
  /** What the file comes to, of a run that begins after it. */
  #skipped: Beginning | null = null;
  /** A branch that has not begun: its call is a step. */
  #isOwed = false;
  #isBranch = false;
  /** Attempt at the block around the branches that it is one of. */
  #attemptAround = 1;

  constructor(m: Machine, program: PyProgram, entry: number) {
    this.#m = m;
    this.#program = program;
    this.#entry = entry;
    this.#state = tracing(new PyState(m, program, this.#branches));
  }

  /** Branches run as the run itself does, over the same globals. */
  readonly #branches: BranchRuns = {
    begin: (m, owner, part, callee, args) => {
      const branch = new PyExecutor(m, this.#program, this.#entry);
      m.executor = branch;
      branch.#attemptAround = this.attempt;
      branch.#branch(owner, part, callee, args);
    },
    value: ({ executor }) => (executor as PyExecutor).#state.result,
    thrown: ({ executor }) => (executor as PyExecutor).#thrown,
    printed({ executor }) {
      if (!(executor instanceof PyExecutor)) return null;
      const { printed } = executor.#state;
      printed?.join();
      return printed;
    },
  };

  #branch(owner: PyState, part: ShownState, callee: Value, args: readonly Value[]): void {
    const s = tracing(new PyState(this.#m, this.#program, this.#branches, owner.globals));
    s.shown = part;
    this.#state = s;
    this.#isOwed = this.#isBranch = true;
    s.stage = 1;
    s.depth = owner.depth;
    s.isCleaning = owner.isCleaning;
    this.#m.ending = owner.isCleaning ? owner.m.ending : new BranchEnding(s);
    begin(s, callee, args);
  }

  get cleansUp(): boolean {
    return hasCleanup(this.#state);
  }

  start(): void {
    const m = this.#m;
    if (m.deepest < 1) throw m.depthFailure({});
    m.depth = 1;
    this.#outText = null;
    const { beginning } = this.#program;
    if (beginning !== null && this.#entry !== 0 && beginsAtOnce(m, beginning)) {
      this.#state = new PyState(m, this.#program, this.#branches, beginning.globals.slice());
      this.#skipped = beginning;
      return;
    }
    this.#skipped = null;
    const s = tracing(new PyState(m, this.#program, this.#branches));
    this.#state = s;
    const file = this.#program.routines[0] as Routine;
    s.depth = 1;
    s.frame = new FunctionFrame(
      file,
      file.empty.slice(),
      file.cells.map(() => ({ value: undefined })),
      null,
    );
    if (this.#entry === 0) this.#setInputs(s);
    const cancelled = m.options.journal?.cancelled ?? null;
    if (cancelled !== null && cancelled.where !== "branches") m.ending = new CancelledBefore(s, cancelled);
  }

  /** The file has run: its steps are counted with the first ones of the run. */
  #begin(s: PyState, { steps, bytes }: Beginning): void {
    const { m } = s;
    this.#skipped = null;
    if (steps > 0) {
      m.fuel -= 1;
      refuel(s);
      m.fuel -= steps - 1;
    }
    s.alloc(bytes);
    s.stage = 1;
    this.#enter(s);
  }

  /** A script reads its inputs as globals. */
  #setInputs(s: PyState): void {
    const { code, routines } = this.#program;
    const inputs = this.#inputs(s);
    for (const { name } of (routines[0] as Routine).params) {
      const at = code.globals.indexOf(name);
      if (at >= 0 && inputs.names.includes(name)) s.globals[at] = inputs.take(name);
    }
  }

  get attempt(): number {
    const { blocks, repeats } = this.#state;
    return this.#attemptAround + (blocks.length === 0 ? 0 : repeats);
  }

  run(): Stop {
    const s = this.#state;
    const m = this.#m;
    s.isFresh = true;
    m.spent = false;
    try {
      if (this.#skipped !== null) this.#begin(s, this.#skipped);
      if (this.#isOwed) {
        this.#isOwed = false;
        if (--m.fuel < 0) grantStep(s);
      }
      if (this.#isBranch && s.frame === null) return Stop.Done;
      if (s.awaited >= 0 && !finishAnswer(s)) return Stop.Suspended;
      for (;;) {
        const stop = runFrames(s);
        if (stop !== Stop.Done) return stop;
        if (s.stage === 1 || this.#entry === 0) return this.#end(s);
        s.stage = 1;
        this.#enter(s);
      }
    } catch (thrown) {
      if (thrown === PAUSED) {
        m.debt = 0;
        m.spent = false;
        return Stop.Paused;
      }
      return this.route(thrown) === -1 ? this.run() : Stop.Failed;
    }
  }

  /** Calls the entry with the inputs that it declares; others are left out. */
  #enter(s: PyState): void {
    const { code, routines } = this.#program;
    const routine = routines[this.#entry] as Routine;
    const at = code.globals.indexOf(routine.name);
    const callee = at < 0 ? undefined : s.globals[at];
    if (callee === undefined) throw raised(TYPE_ERROR, `the file does not define ${routine.name}`);
    s.depth = 0;
    const result = this.#direct(s, routine, callee) ?? this.#called(s, routine, callee);
    if (!(result instanceof FunctionFrame))
      throw raised(TYPE_ERROR, `${routine.name} is not a function that can be an entry`);
    s.depth = 1;
    result.parent = null;
    s.frame = result;
    isHot(this.#program, result.routine, result.resume);
  }

  #inputs(s: PyState): Inputs {
    return this.given === null
      ? inputsOf(this.frameText, this.#m.extra, s, this.#program.routines[this.#entry] as Routine)
      : inputsIn(this.given, s);
  }

  #called(s: PyState, routine: PyRoutine, callee: Value): Called {
    const { args, names } = givenTo(routine, callee, this.#inputs(s));
    return called(s, callee, args, names);
  }

  /** The call where each parameter is given and nothing else is to be done; null: it is another one. */
  #direct(s: PyState, routine: Routine, callee: Value): FunctionFrame | null {
    const values = this.given?.values;
    if (values === undefined || !routine.isSimple || routine.params.length !== values.length) return null;
    if (!(callee instanceof PyFunction) || callee.cells.length > 0) return null;
    const registers = routine.empty.slice();
    for (let at = 0; at < values.length; at++) {
      const value = values[at];
      if (value === undefined) return null;
      registers[at] = enteredGiven(value, s);
    }
    return new FunctionFrame(routine, registers, cellsOf(routine, registers, callee.cells), null);
  }

  #end(s: PyState): Stop {
    const m = this.#m;
    // Of a program that no compiler made: it kept its cancellation.
    if (s.cleanup !== null) {
      m.error = endOfCleanup(s, s.cleanup, null);
      return Stop.Failed;
    }
    if (this.#isBranch) return Stop.Done;
    if (this.out !== null) this.#write(s, this.out);
    else if (m.options.outText === true && !isPlain(s.result)) {
      this.#outText = writeJson(s.result, s);
      m.result = JSON.parse(this.#outText) as Json;
    } else m.result = left(s.result, s);
    m.end();
    return Stop.Done;
  }

  #write(s: PyState, out: TextBytes): void {
    if (writeQuickly(s.result, out, s)) return;
    out.text(lineSafe(isPlain(s.result) ? JSON.stringify(left(s.result, s)) : writeJson(s.result, s)));
  }

  route(thrown: unknown): Routed {
    const s = this.#state;
    for (let next = failureOf(s, thrown); ; ) {
      if (reasonOfCancel(next) === null) s.awaited = -1;
      try {
        raise(s, next);
        return -1;
      } catch (unhandled) {
        const begun = beginCleanup(s, unhandled, () => this.describe(unhandled));
        if (begun === null) {
          this.#m.error = this.#errorOf(unhandled);
          s.trace?.ended(this.#m.error);
          return 3;
        }
        next = begun;
      }
    }
  }

  #errorOf(unhandled: unknown): RunError {
    const s = this.#state;
    if (s.cleanup === null) return this.describe(unhandled);
    return endOfCleanup(s, s.cleanup, isCancellation(unhandled) ? null : this.describe(unhandled));
  }

  get isSilent(): boolean {
    return this.#state.printed === null;
  }

  told(): Pick<Outcome, "out_text" | "printed" | "printed_dropped"> {
    const { printed } = this.#state;
    printed?.join();
    return {
      ...(this.#outText === null || this.#m.error !== null ? {} : { out_text: this.#outText }),
      ...(printed === null || printed.text === "" ? {} : { printed: printed.text }),
      ...(printed === null || printed.dropped === 0 ? {} : { printed_dropped: printed.dropped }),
    };
  }

  places(): readonly RunPlace[] {
    return placesIn(this.#state, this.#thrown === null ? null : exceptionOf(this.#thrown));
  }

  begun(): BegunCall | null {
    return begunIn(this.#state);
  }

  describe(thrown: unknown): RunError {
    this.#thrown = thrown;
    return errorOf(this.#state, thrown, this.#program.routines[this.#entry] as Routine);
  }
}

/** The inputs that were given, each of which is made a value of the program when it is taken. */
type Inputs = { readonly names: readonly string[]; take(name: string): Value };

function inputsOf(frameText: string | undefined, extra: JsonObject, s: PyState, { params }: PyRoutine): Inputs {
  if (frameText === undefined) {
    const made = params[0]?.made ?? "dict";
    return { names: Object.keys(extra), take: (name) => entered(extra[name] as Json, s, made) };
  }
  const dict = readJson(frameText, { ctx: s }) as PyDict;
  return { names: [...dict.keys()] as string[], take: (name) => dict.get(name) as Value };
}

function inputsIn({ names, values }: GivenInputs, s: PyState): Inputs {
  return {
    names: names.filter((_, at) => values[at] !== undefined),
    take: (name) => enteredGiven(values[names.indexOf(name)], s),
  };
}

function enteredGiven(value: unknown, s: PyState): Value {
  return value instanceof PyFloat ? value : entered(value as Json, s);
}

type Given = { readonly args: readonly Value[]; readonly names: ReadonlyMap<string, Value> };

function givenTo({ params }: PyRoutine, callee: Value, inputs: Inputs): Given {
  const args: Value[] = [];
  const names = new Map<string, Value>();
  if (!(callee instanceof PyFunction)) return { args, names };
  const own = new Set(params.map(({ name }) => name));
  const given = new Set(inputs.names);
  let isPositional = true;
  for (const { name, kind } of params) {
    if (kind === "rest") continue;
    if (kind === "names") {
      for (const key of inputs.names) if (!own.has(key)) names.set(key, inputs.take(key));
      continue;
    }
    if (!given.has(name)) {
      isPositional = false;
      continue;
    }
    const value = inputs.take(name);
    if (kind === "position" && isPositional) args.push(value);
    else names.set(name, value);
  }
  return { args, names };
}
