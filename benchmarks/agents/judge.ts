/** Judges a program by the cases of a task, through the tools of an MCP server: adapters are answered from the case, nothing is real. */
import { isDeepStrictEqual } from "node:util";
import type { Task, TaskCase } from "./tasks.ts";

/** Calls a tool and returns its structured result. */
export type CallTool = (name: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** What is wrong with `code`, one line a case; nothing when it is right. */
export async function faultsOf(code: string, task: Task, callTool: CallTool): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [place, one] of task.cases.entries()) {
    const payload = await callTool("wf_run", runArguments(code, one));
    const fault = faultOf(payload, one);
    if (fault !== null) faults.push(`case ${place + 1}: ${fault}`);
  }
  return faults;
}

/** Arguments of wf_run under which the calls of the program get the answers of the case. */
export function runArguments(code: string, { frame, calls }: TaskCase): Record<string, unknown> {
  const log = calls.map(({ adapter, verb, args, result, error }) => {
    const made = { adapter, verb, args };
    if (error === undefined) return { ...made, ok: true, result: result ?? null };
    return { ...made, ok: false, error: { message: error.message, adapter_code: error.code, retryable: true } };
  });
  return { code, frame, replay_log: log };
}

function faultOf(payload: Record<string, unknown>, { expect, error }: TaskCase): string | null {
  const { ok, out = null, message = payload["error"] } = payload;
  if (ok !== true)
    return error !== undefined && String(message).includes(error)
      ? null
      : `failed: ${String(message)}${firstError(payload)}`;
  if (error !== undefined) return `returned ${JSON.stringify(out)} instead of failing with "${error}"`;
  return isDeepStrictEqual(out, expect) ? null : `returned ${JSON.stringify(out)} instead of ${JSON.stringify(expect)}`;
}

function firstError({ errors }: Record<string, unknown>): string {
  return Array.isArray(errors) && errors.length > 0 ? ` (${String(errors[0])})` : "";
}
