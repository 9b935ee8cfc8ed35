/** Tools that are programs: JSON arguments on standard input, JSON or text on standard output. */
import { lineSafe } from "../../../vm/values/json-line.ts";
import { parsedDocument } from "../../content/json-document.ts";
import { runProcess } from "../../engine/process/run.ts";
import type { ProcessService } from "../../engine/process/service.ts";
import { adapterError } from "../../errors.ts";
import type { ProcessDeclaration } from "./declarations.ts";
import type { ToolCall } from "./tool.ts";

export async function runProgram(
  name: string,
  declared: ProcessDeclaration,
  processes: ProcessService,
  { args, signal, ctx }: ToolCall,
): Promise<unknown> {
  const { max_output_bytes: maxOutputBytes, output, retryable } = declared;
  const input = `${lineSafe(JSON.stringify({ args }))}\n`;
  const finished = await runProcess(processes, declared, { input, maxOutputBytes, signal });
  if (finished.stderr !== "") ctx.log("tool_stderr", { tool: name, text: finished.stderr });
  if (finished.exitCode !== 0) {
    const data = { exit_code: finished.exitCode, signal: finished.signal };
    throw adapterError("ADAPTER_TOOL_FAILED", "the tool did not end with success", { retryable, data });
  }
  const text = decoded(finished.stdout);
  if (output === "text") return text;
  try {
    return await parsedDocument(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw adapterError("ADAPTER_BAD_DATA", "the tool's output is not JSON", { cause });
  }
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw adapterError("ADAPTER_ENCODING", "the tool's output is not UTF-8", { cause });
  }
}
