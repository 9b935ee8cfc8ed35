/** The result of a run within the bytes that a surface sends: a larger one is a failure of the run, told like every other. */

import type { Outcome, RunError } from "../run.ts";
import { sharedJsonBytes } from "../values/json-size.ts";

export function withBoundedResult<Answer extends Outcome>(
  answer: Answer,
  maxBytes: number,
): Answer | (Omit<Answer, "ok" | "out"> & { readonly ok: false; readonly error: RunError }) {
  if (!answer.ok) return answer;
  const bytes = Math.max(sharedJsonBytes(answer.out, maxBytes), answer.out_text?.length ?? 0);
  if (bytes <= maxBytes) return answer;
  const error: RunError = {
    code: "RUNTIME_OP_ERROR",
    message: `the result is larger than ${maxBytes} bytes`,
    label: answer.label,
    node: null,
    op: null,
    line: null,
    step_index: null,
    stack: [answer.label],
    data: { cause_type: "limit", retryable: false, reason: "result_too_large", bytes },
  };
  const { ok: _ok, out: _out, out_text: _text, ...rest } = answer;
  return { ...(rest as Omit<Answer, "ok" | "out">), ok: false, error };
}
