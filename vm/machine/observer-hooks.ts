/** The machine's side of a call observer: reports each call when it has ended. Not reached without an observer. */
import type { Json } from "../../compiler/json.ts";
import { causeOf, unknownCoreFunction } from "../calls/call-errors.ts";
import type { FailureCause } from "../errors/failures.ts";
import { exactListText, exactText, plainly } from "../inputs/exact-text.ts";
import type { CallOutcome } from "../recording/record-log.ts";
import type { CallEvent, CallObserver } from "../run.ts";
import { canonicalOfText } from "../values/exact-numbers.ts";
import { attemptOf, type CoreCall, journalledCore } from "./journal-hooks.ts";
import type { Machine } from "./machine.ts";

export type ObservedCall = Pick<CallEvent, "adapter" | "verb" | "args">;
export type ObservedEnd = { readonly replayed?: true } & (
  | { readonly result: Json; readonly text?: string | undefined }
  | { readonly cause: FailureCause; readonly denied?: true }
);

export function tellObserver(
  m: Machine,
  observer: CallObserver,
  pc: number,
  { adapter, verb, args }: ObservedCall,
  end: ObservedEnd,
  duration_ms: number,
): void {
  const number = m.tables.site_at[pc] as number;
  const site = m.tables.sites[number];
  const failed = "cause" in end;
  const exact = exactListText(args);
  observer({
    // Member by member: spreading the call took ten times as long as all the rest.
    adapter,
    verb,
    args: exact === undefined ? args : args.map(plainly),
    args_text: exact === undefined ? undefined : canonicalOfText(exact),
    label: site?.label ?? "",
    node: site?.id ?? "",
    attempt: attemptOf(m, number),
    branch: m.branch.name,
    status: statusOf(m, end),
    result: failed ? null : plainly(end.result),
    result_text: failed ? undefined : (end.text ?? exactCanonical(end.result)),
    code: failed ? codeOf(end.cause) : null,
    duration_ms,
  });
}

function exactCanonical(result: Json): string | undefined {
  const text = exactText(result);
  return text === undefined ? undefined : canonicalOfText(text);
}

/** A call that was under way when the run ended because of `why`. */
export function tellAbandoned(m: Machine, pc: number, call: ObservedCall, why: unknown, duration_ms: number): void {
  const { observer } = m.options;
  const cause = causeOf(why);
  if (observer !== undefined && cause !== null) tellObserver(m, observer, pc, call, { cause }, duration_ms);
}

/** A pure core call under an observer, recorded when there is a journal. */
export function observedCore(m: Machine, observer: CallObserver, pc: number, core: CoreCall): Json {
  const { clock } = m.options.deps;
  const before = clock.now();
  const call = { adapter: "core", verb: core.verb, args: core.args };
  const journal = m.options.journal ?? null;
  try {
    const result = journal === null ? computed(m, core) : journalledCore(m, journal, pc, core);
    tellObserver(m, observer, pc, call, { result }, clock.now() - before);
    return result;
  } catch (thrown) {
    const cause = causeOf(thrown);
    if (cause !== null) tellObserver(m, observer, pc, call, { cause }, clock.now() - before);
    throw thrown;
  }
}

function computed(m: Machine, { verb, args, implementation }: CoreCall): Json {
  if (implementation === undefined) throw unknownCoreFunction(verb);
  return implementation(args, m.meter);
}

/** The end of a call that the log answered. */
export function replayedEnd(logged: CallOutcome): ObservedEnd {
  return logged.ok ? { result: logged.result, replayed: true } : { cause: logged.failure, replayed: true };
}

function statusOf(m: Machine, end: ObservedEnd): CallEvent["status"] {
  if ("cause" in end && end.denied === true) return "denied";
  if (end.replayed === true || m.options.journal?.replaying === true) return "replayed";
  return "cause" in end ? "error" : "ok";
}

function codeOf({ code, data }: FailureCause): string {
  return typeof data["adapter_code"] === "string" ? data["adapter_code"] : code;
}
