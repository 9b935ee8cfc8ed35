/** `_error_info`: what a handler can know of the failure it handles (docs/runtime.md, errors). Members in this order. */
import type { Json } from "../../compiler/json.ts";
import type { RunError } from "../run.ts";

export function errorInfo(error: RunError): Json {
  const { data } = error;
  return {
    code: error.code,
    message: error.message,
    label: error.label,
    node: error.node,
    op: error.op,
    line: error.line,
    step_index: error.step_index,
    adapter: data["adapter"] ?? null,
    verb: data["verb"] ?? null,
    adapter_code: data["adapter_code"] ?? null,
    retryable: data["retryable"] ?? null,
    details: data["details"] ?? null,
  };
}
