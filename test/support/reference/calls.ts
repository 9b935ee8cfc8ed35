/**
 * Adapter calls and host functions: counting, gate, dispatch and the answer's way back (docs/adapters/README.md, what a call needs).
 * Adapters are opened at their first call and closed at the end of the run.
 */

import { findFunction, isHostCall } from "../../../compiler/functions.ts";
import type { CallData, IrNode, IrOperand } from "../../../compiler/ir/graph.ts";
import type { Json } from "../../../compiler/json.ts";
import type { Adapter } from "../../../vm/adapter.ts";
import { callCauseOf, causeOf, unknownCoreFunction } from "../../../vm/calls/call-errors.ts";
import { enforce, isEnforce } from "../../../vm/calls/enforce.ts";
import { answerHostFunction, waitAsked } from "../../../vm/calls/host-functions.ts";
import { AdapterSession, type CallPlace, isPromise, type StartedCall } from "../../../vm/calls/session.ts";
import { branchPrefix, transactionInBranch } from "../../../vm/errors/branch-failures.ts";
import { notAllowedFailure } from "../../../vm/errors/fatal-failures.ts";
import { functionOf } from "../../../vm/functions/table.ts";
import type { CallJournal } from "../../../vm/recording/journal.ts";
import type { JournalledCall } from "../../../vm/recording/record-log.ts";
import type { HostFacts } from "../../../vm/run.ts";
import { unmetered } from "../../../vm/tasks/work-meter.ts";
import { textOf } from "../../../vm/values/text.ts";
import { readOperand } from "./operands.ts";
import { CallFailed, currentVisit, type RunState, top } from "./state.ts";

export type CallerOptions = {
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** null: every adapter. */
  readonly allowed: readonly string[] | null;
  readonly facts: HostFacts;
  readonly traceId: string;
  /** null: nothing is recorded or replayed. */
  readonly journal: CallJournal | null;
};

export class Caller {
  readonly #state: RunState;
  readonly #options: CallerOptions;
  readonly #session: AdapterSession;
  /** Visits per node, for call ids: the same for all Retry attempts of one visit. */
  readonly #visits = new Map<string, number>();

  /** `session`: of the run, for a branch of it. */
  constructor(state: RunState, options: CallerOptions, session?: AdapterSession) {
    this.#state = state;
    this.#options = options;
    const { adapters, facts, traceId } = options;
    this.#session =
      session ?? new AdapterSession({ adapters, clock: state.clock.source, facts, traceId, dryRun: false });
  }

  /** For the calls of a branch. */
  within(branch: RunState): Caller {
    return new Caller(branch, this.#options, this.#session);
  }

  async callNode(node: IrNode, data: CallData, args: readonly Json[], attempt: number): Promise<Json> {
    const adapter = this.#spoken(data.adapter).toLowerCase();
    const verb = this.#spoken(data.verb);
    if (isEnforce(adapter, verb)) {
      this.#gate(adapter, verb);
      return mapped(adapter, verb, () => enforce(args));
    }
    if (this.#state.branch !== "" && adapter === "txn") throw transactionInBranch();
    this.#state.meters.call(adapter, verb);
    this.#gate(adapter, verb);
    const pure = adapter === "core" && !isHostCall(verb, args.length);
    const { branch } = this.#state;
    const call = { adapter, verb, args, pure, branch, label: node.label, node: node.id, attempt };
    if (adapter === "core") return this.#journalled(call, () => this.#core(verb, args));
    // Before the journal answers: replayed calls count as visits too.
    const place = this.#place(node, attempt);
    return this.#journalled(call, () => this.#dispatch(adapter, verb, args, place));
  }

  /** A host function in X or Set form: gated as `core`, not counted. */
  async hostFunction(name: string, args: readonly Json[]): Promise<Json> {
    this.#gate("core", name);
    const { node } = currentVisit(this.#state);
    const attempt = (top(this.#state).retries.get(node.id)?.made ?? 0) + 1;
    const { branch } = this.#state;
    const call = { adapter: "core", verb: name, args, pure: false, branch, label: node.label, node: node.id, attempt };
    return this.#journalled(call, () => this.#answerHost(name, args));
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  /** What adapters had to say of the run. */
  get warnings(): readonly string[] {
    return this.#session.warnings;
  }

  /** The call answered by the journal, or made and then recorded in the journal. */
  async #journalled(call: JournalledCall, make: () => Promise<Json>): Promise<Json> {
    const { journal } = this.#options;
    if (journal === null) return make();
    if (!call.pure) this.#state.clock.check();
    if (call.adapter === "core") this.#state.clock.checkWait(waitAsked(findFunction(call.verb)?.name ?? "", call.args));
    const logged = journal.begin(call);
    if (logged !== null) {
      if (logged.ok) return logged.result;
      throw new CallFailed(logged.failure);
    }
    let result: Json;
    try {
      result = await make();
    } catch (thrown) {
      journal.threw(thrown, thrown instanceof CallFailed ? thrown.failure : causeOf(thrown));
      throw thrown;
    }
    journal.end({ ok: true, result });
    return result;
  }

  #spoken(word: string | IrOperand): string {
    return typeof word === "string" ? word : textOf(readOperand(word, this.#state.frame));
  }

  #gate(adapter: string, verb: string): void {
    const { allowed } = this.#options;
    if (allowed !== null && !allowed.includes(adapter)) throw notAllowedFailure(adapter, verb);
  }

  async #core(verb: string, args: readonly Json[]): Promise<Json> {
    const signature = findFunction(verb);
    if (signature !== undefined && isHostCall(signature.name, args.length))
      return this.#answerHost(signature.name, args);
    const pure = signature === undefined ? undefined : functionOf(signature.name, "verb");
    if (pure === undefined) throw unknownCoreFunction(verb);
    return pure(args, unmetered);
  }

  async #answerHost(name: string, args: readonly Json[]): Promise<Json> {
    const { clock } = this.#state;
    clock.check();
    const answer = answerHostFunction(name, args, clock.source, this.#options.facts);
    if ("value" in answer) return answer.value;
    await clock.wait(answer.wait_ms);
    return null;
  }

  async #dispatch(adapter: string, verb: string, args: readonly Json[], place: CallPlace): Promise<Json> {
    const { clock } = this.#state;
    const session = this.#session;
    clock.check();
    return mapped(adapter, verb, async () => {
      let started: StartedCall | null = null;
      try {
        try {
          started = session.start(adapter, verb, args, place);
        } finally {
          clock.check();
        }
        const { answer } = started;
        return session.taken(started, isPromise(answer) ? await clock.race(session, started, answer) : answer);
      } catch (thrown) {
        throw started === null ? thrown : session.failure(started, thrown);
      }
    });
  }

  #place(node: IrNode, attempt: number): CallPlace {
    const { clock, branch } = this.#state;
    const runEndsAt = clock.source.now() + clock.remainingMs();
    const callId = `${this.#options.traceId}/${branchPrefix(branch)}${this.#visited(node, attempt)}`;
    return { attempt, callId, runEndsAt };
  }

  /** `<label>/<node>/<visit>` of a visit that begins branches. */
  visitOf(node: IrNode): string {
    return this.#visited(node, (top(this.#state).retries.get(node.id)?.made ?? 0) + 1);
  }

  #visited(node: IrNode, attempt: number): string {
    const place = `${node.label}/${node.id}`;
    const visit = (this.#visits.get(place) ?? 0) + (attempt === 1 ? 1 : 0);
    this.#visits.set(place, visit);
    return `${place}/${visit}`;
  }
}

async function mapped(adapter: string, verb: string, act: () => Json | Promise<Json>): Promise<Json> {
  try {
    return await act();
  } catch (thrown) {
    throw new CallFailed(callCauseOf(thrown, adapter, verb));
  }
}
