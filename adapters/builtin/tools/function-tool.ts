/**
 * Tools that are functions in this process: those an embedding host hands in, and those an ES module exports. They are
 * trusted code of the operator's; a module may be pinned to its content.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { binderOf } from "../../definition/bind.ts";
import type { VerbDefinition } from "../../definition/define.ts";
import type { FunctionTool } from "../../definition/function-tools.ts";
import { adapterError } from "../../errors.ts";
import type { ModuleDeclaration } from "./declarations.ts";
import type { Tool, ToolCall } from "./tool.ts";

export function functionTool(name: string, given: FunctionTool): Tool {
  const { summary = "", effect = "io-write", argsSchema = null, resultSchema = null } = given;
  const { retryable = false, timeoutMs = null } = given;
  return {
    name,
    facts: { summary, effect, argsSchema, resultSchema, retryable, timeoutMs },
    run: ({ args, ctx }) => given.run(args, ctx),
  };
}

const NO_SETTINGS = { timeout_s: undefined, max_result_bytes: undefined };

/** Runs what the module exports: a verb definition, or a function tool. */
export async function runModule(declared: ModuleDeclaration, { args, ctx }: ToolCall): Promise<unknown> {
  const exported = await exportOf(declared);
  if (isVerb(exported)) return binderOf(exported, NO_SETTINGS, () => ctx, ctx.host)(args).run(undefined, ctx);
  if (isFunctionTool(exported)) return exported.run(args, ctx);
  throw adapterError("ADAPTER_NOT_CONFIGURED", "the module exports no tool of the declared name");
}

async function exportOf({ file, export: name, sha256 }: ModuleDeclaration): Promise<unknown> {
  try {
    if (
      sha256 === undefined ||
      createHash("sha256")
        .update(await readFile(file))
        .digest("hex") === sha256
    ) {
      return ((await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>)[name];
    }
  } catch (cause) {
    throw adapterError("ADAPTER_NOT_CONFIGURED", "the module of the tool cannot be loaded", { cause });
  }
  throw adapterError("ADAPTER_NOT_CONFIGURED", "the module of the tool is not the one that was declared");
}

function isFunctionTool(value: unknown): value is FunctionTool {
  return typeof value === "object" && value !== null && "run" in value && typeof value.run === "function";
}

function isVerb(value: unknown): value is VerbDefinition {
  return isFunctionTool(value) && "args" in value && typeof value.args === "object" && "result" in value;
}
