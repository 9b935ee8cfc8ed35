/**
 * Questions and signals of a run on the command line: answered by `--decide` and `--signal`, else asked on the terminal. Without either the
 * run fails where it would wait, as on every surface that cannot.
 */
import type { Json, JsonObject } from "../../../compiler/json.ts";
import { isObject } from "../../../compiler/json.ts";
import type { RunScope } from "../../../vm/adapter.ts";
import type { WaitSpec } from "../../../vm/calls/wait-spec.ts";
import { type ApprovalAsked, answerIssues, approvalResult } from "../../../vm/durable/approvals.ts";
import { oneByOne, runQuestions } from "../../../vm/durable/run-questions.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import { visible } from "../../output/terminal/columns.ts";
import { usageFault } from "../../session/faults.ts";
import type { CliIo } from "../../session/io.ts";
import { askChoice, type Terminal, terminalOf } from "./terminal-questions.ts";

/** What flags answer. `decide`: one decision for every question, null: none was given. */
export type GivenAnswers = {
  readonly decide: { readonly choice: string; readonly data: JsonObject | null } | null;
  readonly signals: readonly GivenSignal[];
  /** Timers and the timeouts of signals are over at once. */
  readonly skipTimers: boolean;
};
type GivenSignal = { readonly name: string; readonly key: string | null; readonly data: Json };

export const NO_ANSWERS: GivenAnswers = { decide: null, signals: [], skipTimers: false };

type AnswerFlags = {
  readonly decide: string | undefined;
  readonly signals: readonly string[];
  readonly skipTimers: boolean;
};

/** `CHOICE` or `CHOICE=JSON`, and `NAME[@KEY]=JSON`. Throws CliFault. */
export function readAnswers({ decide, signals, skipTimers }: AnswerFlags): GivenAnswers {
  return {
    decide: decide === undefined ? null : readDecision(decide),
    signals: signals.map(readSignal),
    skipTimers,
  };
}

function readDecision(text: string): GivenAnswers["decide"] {
  const mark = text.indexOf("={");
  if (mark < 0) return { choice: text, data: null };
  const data = jsonIn("--decide", text.slice(mark + 1));
  if (!isObject(data)) throw usageFault("option --decide takes CHOICE, or CHOICE={…} with the fields of the form");
  return { choice: text.slice(0, mark), data };
}

function readSignal(text: string): GivenSignal {
  const match = /^([A-Za-z0-9._-]{1,64})(?:@([^=]{1,256}))?(?:=(.*))?$/s.exec(text);
  if (match === null) throw usageFault(`option --signal takes NAME[@KEY]=JSON, found '${text}'`);
  const [, name = "", key, data] = match;
  return { name, key: key ?? null, data: data === undefined ? null : jsonIn("--signal", data) };
}

function jsonIn(option: string, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw usageFault(`option ${option} needs JSON after =, such as '{"door": true}'`);
  }
}

export type Asking = Pick<RunScope, "wait" | "desk">;

type AskingDeps = {
  readonly io: CliIo;
  /** Fires when the run is cancelled. */
  readonly signal: AbortSignal;
  /** Called before something is asked on the terminal. */
  readonly before: () => void;
};

export function askingOn({ io, signal, before }: AskingDeps, given: GivenAnswers): Asking {
  const { clock } = io;
  const signals = [...given.signals];
  const terminal = terminalOf({ io, signal, before });
  const hasTerminal = io.stdin.terminal && io.stderr.terminal;

  const inTurn = oneByOne();
  const knows = given.decide !== null;
  const decided = async (id: string, asked: ApprovalAsked): Promise<Json> => {
    const { choice, data } = given.decide ?? (await inTurn(() => askDecision(terminal, before, asked)));
    const [issue] = answerIssues(asked, { choice, data });
    if (issue !== undefined)
      throw new AdapterError(
        "ADAPTER_BAD_DATA",
        `${knows ? "--decide" : "the answer"} does not fit the question: ${issue.path.slice(1)} ${issue.message}`,
        { retryable: false },
      );
    return approvalResult(id, asked, { choice, data, by: null, via: "terminal", comment: null, atMs: clock.wall() });
  };
  const ask = (id: string, asked: ApprovalAsked) => (knows || hasTerminal ? decided(id, asked) : undefined);
  const { desk, decisionOf } = runQuestions({ clock, knows, ask });
  const awaited = (spec: Extract<WaitSpec, { kind: "signal" }>): PromiseLike<Json> | undefined => {
    const at = signals.findIndex(({ name, key }) => spec.names.includes(name) && key === spec.key);
    const [found] = at < 0 ? [] : signals.splice(at, 1);
    if (found !== undefined) return Promise.resolve(received(found, io));
    if (spec.until !== null && (given.skipTimers || spec.until <= clock.wall())) return Promise.resolve(NOT_RECEIVED);
    return hasTerminal ? inTurn(() => askSignal(terminal, spec)) : undefined;
  };
  return {
    wait(spec) {
      if (spec.kind === "timer")
        return given.skipTimers ? Promise.resolve({ at: new Date(spec.until).toISOString() }) : undefined;
      if (spec.kind === "signal") return awaited(spec);
      return spec.kind === "approval" ? decisionOf(spec) : undefined;
    },
    desk,
  };
}

const NOT_RECEIVED: Json = { received: false, name: null, data: null, id: null, at: null };

function received({ name, data }: Pick<GivenSignal, "name" | "data">, { clock, uuid }: CliIo): Json {
  return { received: true, name, data, id: uuid(), at: new Date(clock.wall()).toISOString() };
}

async function askDecision(
  terminal: Terminal,
  before: () => void,
  { title, details, ...asked }: ApprovalAsked,
): Promise<NonNullable<GivenAnswers["decide"]>> {
  before();
  const shown = details === null ? "" : `${visible(typeof details === "string" ? details : JSON.stringify(details))}\n`;
  terminal.io.stderr.write(`${visible(title)}\n${shown}`);
  return (await askChoice(terminal, asked)) ?? noAnswer();
}

function noAnswer(): never {
  throw new AdapterError("ADAPTER_CANCELLED", "the terminal gave no answer", { retryable: false });
}

async function askSignal(terminal: Terminal, { names }: Extract<WaitSpec, { kind: "signal" }>): Promise<Json> {
  const prompt = `signal ${names.map((name) => visible(name)).join(" or ")}, with JSON after its name ? `;
  for (;;) {
    const given = (await terminal.line(prompt)) ?? noAnswer();
    const [, name = "", data = "null"] = /^\s*(\S+)(?:\s+(.+))?$/s.exec(given) ?? [];
    if (!names.includes(name)) continue;
    try {
      return received({ name, data: JSON.parse(data) as Json }, terminal.io);
    } catch {
      terminal.io.stderr.write('after the name stands JSON, such as {"door": true}\n');
    }
  }
}
