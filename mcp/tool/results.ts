/** Results of tools: a payload, whether it reports a failure, and what may be left out of it when it grows too large. */

import { documentText } from "../../vm/inputs/exact-text.ts";

export type Payload = { readonly ok: boolean; readonly [member: string]: unknown };

export type ToolResult = {
  readonly payload: Payload;
  readonly isError: boolean;
  readonly traceId?: string;
  /** Members that may be left out, first to go first. */
  readonly omittable?: readonly string[];
};

export function succeeded(members: { readonly [member: string]: unknown }): ToolResult {
  return { payload: { ok: true, ...members }, isError: false };
}

export function failed(error: string, members: { readonly [member: string]: unknown } = {}): ToolResult {
  return { payload: { ok: false, error, ...members }, isError: true };
}

/** The result within `maxBytes` of JSON: without what may be left out, or a failure that says so. */
export function bounded(result: ToolResult, maxBytes: number): ToolResult {
  if (bytesOf(result.payload) <= maxBytes) return result;
  const omitted: string[] = [];
  for (const member of result.omittable ?? []) {
    if (!Object.hasOwn(result.payload, member)) continue;
    omitted.push(member);
    const payload: { ok: boolean; [member: string]: unknown } = { ...result.payload, truncated: true, omitted };
    for (const name of omitted) delete payload[name];
    if (bytesOf(payload) <= maxBytes) return { ...result, payload };
  }
  return failed("result_too_large", {
    message: `the answer is larger than ${maxBytes} bytes; ask about a smaller program`,
  });
}

function bytesOf(payload: Payload): number {
  return Buffer.byteLength(documentText(payload));
}
