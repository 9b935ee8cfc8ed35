/**
 * Questions of a run to the user of the client, by elicitation in form mode. The client asks as it likes, and may answer by itself: this is a
 * question to its user, and no control against the client (docs/approvals.md).
 */
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import type { RunScope } from "../../vm/adapter.ts";
import { type ApprovalAsked, answerIssues, approvalResult, noChoice, secretField } from "../../vm/durable/approvals.ts";
import { oneByOne, runQuestions } from "../../vm/durable/run-questions.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import type { Clock } from "../../vm/run.ts";
import type { Elicit, Elicited } from "../tool/sdk.ts";

/** `elicit`: null where the client cannot ask; such a run has no questions. `over`: fires when the run has ended. */
export function askingBy(
  elicit: Elicit | null,
  clock: Pick<Clock, "wall">,
  over: AbortSignal,
): Pick<RunScope, "wait" | "desk"> {
  if (elicit === null) return {};
  const inTurn = oneByOne();
  const ask = async (id: string, asked: ApprovalAsked): Promise<Json> => {
    const { action, content } = await inTurn(() => elicit(questionOf(asked), over)).catch(() => {
      throw failed("ADAPTER_FAILED", "the client did not ask its user");
    });
    if (action !== "accept") return noChoice(id, action === "decline" ? "declined" : "expired", clock.wall());
    const { choice, data } = answerIn(content, asked);
    const [issue] = answerIssues(asked, { choice, data });
    if (issue !== undefined)
      throw failed("ADAPTER_BAD_DATA", `the answer does not fit the question: ${issue.path.slice(1)} ${issue.message}`);
    return approvalResult(id, asked, { choice, data, by: null, via: "elicitation", comment: null, atMs: clock.wall() });
  };
  const check = ({ form }: ApprovalAsked): void => {
    const secret = secretField(form ?? {});
    if (secret !== undefined) throw failed("ADAPTER_BAD_ARGS", `a form asks for no secrets, and has ${secret}`);
  };
  const { desk, decisionOf } = runQuestions({ clock, check, ask });
  return { desk, wait: (spec) => (spec.kind === "approval" ? decisionOf(spec) : undefined) };
}

type Asked = Pick<ApprovalAsked, "title" | "details" | "choices" | "form">;

export function questionOf(asked: Asked): Elicited {
  return { message: messageOf(asked), requestedSchema: schemaOf(asked) };
}

/** What a person answered, as far as it can be read. */
export function answerIn(
  content: unknown,
  { form }: Pick<Asked, "form">,
): { readonly choice: string; readonly data: JsonObject | null } {
  const { decision, ...fields } = isObject(content) ? content : ({} as JsonObject);
  return { choice: typeof decision === "string" ? decision : "", data: form === null ? null : (fields as JsonObject) };
}

function messageOf({ title, details }: Asked): string {
  if (details === null) return title;
  return `${title}\n\n${typeof details === "string" ? details : JSON.stringify(details, null, 2)}`;
}

function schemaOf({ choices, form }: Asked): Elicited["requestedSchema"] {
  const fields = Object.entries(form ?? {}).map(([name, kind]) => [
    name,
    typeof kind === "string" ? { type: kind === "text" ? "string" : kind } : { type: "string", enum: kind },
  ]);
  return {
    type: "object",
    properties: { decision: { type: "string", enum: choices }, ...Object.fromEntries(fields) },
    required: ["decision"],
  };
}

function failed(code: string, message: string): AdapterError {
  return new AdapterError(code, message, { retryable: false });
}
