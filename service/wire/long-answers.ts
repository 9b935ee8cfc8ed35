/** Answers whose JSON would hold the thread become text in pieces, with other requests in between. */
import type { Json } from "../../compiler/json.ts";
import { OperationFailure } from "../../vm/errors/failures.ts";
import { inTurns, Pace } from "../../vm/tasks/task.ts";
import { isShortJson, jsonTextTask } from "../../vm/values/text.ts";
import { unmetered } from "../../vm/values/work-meter.ts";
import type { Answer } from "./answer.ts";

type Clock = { now(): number };

/** The same answer, with its body as text if that is long. `out`: the part of the body that may be. */
export function writtenInTurns(answer: Answer, out: Json | undefined, clock: Clock): Answer | Promise<Answer> {
  const { body } = answer;
  if (out === undefined || typeof body === "string" || isShort(out)) return answer;
  return withText(answer, body, clock);
}

async function withText(answer: Answer, body: object, clock: Clock): Promise<Answer> {
  const members: string[] = [];
  for (const [name, value] of Object.entries(body))
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${await jsonInTurns(value as Json, clock)}`);
  return { ...answer, body: `{${members.join(",")}}\n` };
}

/** What `JSON.stringify` gives. */
export function jsonInTurns(value: Json, clock: Clock): string | Promise<string> {
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
