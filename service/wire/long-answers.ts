/** Answers whose JSON would hold the thread become text in pieces, with other requests in between. */
import type { Json } from "../../compiler/json.ts";
import { OperationFailure } from "../../vm/errors/failures.ts";
import { documentText, heldOutText } from "../../vm/inputs/exact-text.ts";
import { inTurns, Pace } from "../../vm/tasks/task.ts";
import { unmetered } from "../../vm/tasks/work-meter.ts";
import { sharedJsonBytes } from "../../vm/values/json-size.ts";
import { isShortJson, jsonTextTask } from "../../vm/values/text.ts";
import type { RequestCall } from "../http/request-context.ts";
import type { Answer } from "./answer.ts";
import { droppedAnswer } from "./answers.ts";

type Clock = { now(): number };

type Writing = {
  readonly clock: Clock;
  readonly call: Pick<RequestCall, "method" | "unsent">;
  /** Whether the answer is stored under a key: it is written even if it cannot be sent now. */
  readonly isKept: boolean;
};

/**
 * The same answer, with its body as text if that is long. `out`: the part of the body that may be. Rejects with ServiceFault when too much
 * waits for its reader already.
 */
export function writtenInTurns(answer: Answer, out: Json | undefined, writing: Writing): Answer | Promise<Answer> {
  const { body } = answer;
  if (out === undefined || typeof body === "string" || isShort(out)) return answer;
  return withRoom(out, writing, async () => ({ ...answer, body: `${await longBody(body, writing.clock)}\n` }));
}

/** What `JSON.stringify(body)` gives. `out`: the part of the body that may be long. */
export function bodyInTurns(body: object, out: Json | undefined, clock: Clock): string | Promise<string> {
  return out === undefined || isShort(out) ? documentText(body) : longBody(body, clock);
}

async function longBody(body: object, clock: Clock): Promise<string> {
  const members: string[] = [];
  const out = heldOutText(body);
  for (const [name, value] of Object.entries(body))
    if (value !== undefined)
      members.push(
        `${JSON.stringify(name)}:${name === "out" && out !== undefined ? out : await textOf(value as Json, clock)}`,
      );
  return `{${members.join(",")}}`;
}

/** What `JSON.stringify` gives. Rejects like `writtenInTurns`. */
export function jsonInTurns(value: Json, writing: Writing): string | Promise<string> {
  return isShort(value) ? JSON.stringify(value) : withRoom(value, writing, () => longJson(value, writing.clock));
}

async function withRoom<T>(value: Json, { call, isKept }: Writing, write: () => Promise<T>): Promise<T> {
  const bytes = sharedJsonBytes(value, Number.MAX_SAFE_INTEGER);
  if (!isKept && !call.unsent.hasRoom(bytes)) throw droppedAnswer(call);
  return call.unsent.write(bytes, write);
}

function textOf(value: Json, clock: Clock): string | Promise<string> {
  return isShort(value) ? JSON.stringify(value) : longJson(value, clock);
}

async function longJson(value: Json, clock: Clock): Promise<string> {
  try {
    return await inTurns(jsonTextTask(value, new Pace(unmetered)), clock, setImmediate);
  } catch (cause) {
    if (!(cause instanceof OperationFailure)) throw cause;
    // It is nested deeper than programs may write it.
    return JSON.stringify(value);
  }
}

function isShort(value: Json): boolean {
  try {
    return isShortJson(value);
  } catch (cause) {
    if (!(cause instanceof OperationFailure)) throw cause;
    return true;
  }
}
