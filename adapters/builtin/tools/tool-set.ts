/**
 * The tools of one run: what the operator declared, what the host handed in, and the built-in ones. A call is admitted,
 * its arguments are checked, and only then something is started, exactly once.
 */
import type { Json } from "../../../compiler/json.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";
import type { VerbContext } from "../../definition/define.ts";
import type { Effect } from "../../definition/effect.ts";
import type { FunctionTools } from "../../definition/function-tools.ts";
import { within } from "../../engine/deadline.ts";
import type { ProcessService } from "../../engine/process/service.ts";
import { adapterError } from "../../errors.ts";
import type { HttpClient } from "../../guard/http/http.ts";
import { BUILTIN_TOOLS } from "./builtin-tools.ts";
import type { Declaration } from "./declarations.ts";
import { functionTool, runModule } from "./function-tool.ts";
import { runHttp } from "./http-tool.ts";
import { runMcp } from "./mcp-tool.ts";
import { runProgram } from "./process-tool.ts";
import { checkArguments, checkResult } from "./schemas.ts";
import type { Tool, ToolCall, ToolFacts } from "./tool.ts";

const DEFAULT_TIMEOUT_MS = 10_000;

/** What tools run on. */
type ToolServices = { readonly processes: ProcessService; readonly http: HttpClient | undefined };

export type ToolSources = ToolServices & {
  readonly declared: Readonly<Record<string, Declaration>>;
  readonly functions: FunctionTools;
  /** Names that may be called; undefined: all. */
  readonly allowed: readonly string[] | undefined;
  /** The bound of all tools, in milliseconds. */
  readonly timeoutMs: number | undefined;
};

export class ToolSet {
  readonly #sources: ToolSources;
  /** A name that occurs twice means the host's function, then the declared tool: as `effectOf` has it. */
  readonly #tools: ReadonlyMap<string, Tool>;

  constructor(sources: ToolSources) {
    this.#sources = sources;
    this.#tools = new Map([
      ...Object.entries(BUILTIN_TOOLS),
      ...Object.entries(sources.declared).map(([name, one]) => [name, declaredTool(name, one, sources)] as const),
      ...Object.entries(sources.functions).map(([name, one]) => [name, functionTool(name, one)] as const),
    ]);
  }

  /** The tools that may be called, by name. */
  list(): readonly Tool[] {
    return [...this.#tools.values()]
      .filter(({ name }) => this.#allows(name))
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  /** Throws ADAPTER_TOOL_BLOCKED, ADAPTER_TOOL_UNKNOWN, ADAPTER_TOOL_FAILED and what the kind of tool may throw. */
  async call(name: string, args: readonly Json[], ctx: VerbContext): Promise<unknown> {
    if (!this.#allows(name)) throw adapterError("ADAPTER_TOOL_BLOCKED", "the tool is not on allow_tools");
    const tool = this.#tools.get(name);
    if (tool === undefined) throw adapterError("ADAPTER_TOOL_UNKNOWN", "no tool of this name is declared");
    const { argsSchema, resultSchema, timeoutMs } = tool.facts;
    await checkArguments(argsSchema, args);
    const most = Math.min(timeoutMs ?? DEFAULT_TIMEOUT_MS, this.#sources.timeoutMs ?? Number.POSITIVE_INFINITY);
    const result = await within(most, ctx.signal, (signal) => ran(tool, { args, signal, ctx }));
    await checkResult(resultSchema, result);
    return result;
  }

  #allows(name: string): boolean {
    return this.#sources.allowed?.includes(name) ?? true;
  }
}

/** The declaration of a tool by its name; undefined for an unknown one. */
export function effectOf(
  name: string,
  declared: Readonly<Record<string, Declaration>>,
  functions: FunctionTools,
): Effect | undefined {
  if (Object.hasOwn(functions, name)) return functions[name]?.effect;
  const tool = Object.hasOwn(declared, name) ? declared[name] : undefined;
  if (tool !== undefined) return tool.kind === "builtin" ? "pure" : tool.effect;
  return Object.hasOwn(BUILTIN_TOOLS, name) ? "pure" : undefined;
}

async function ran(tool: Tool, call: ToolCall): Promise<unknown> {
  try {
    return await tool.run(call);
  } catch (thrown) {
    if (thrown instanceof AdapterError) throw thrown;
    const { retryable } = tool.facts;
    throw adapterError("ADAPTER_TOOL_FAILED", "the tool failed", { retryable, cause: thrown });
  }
}

function declaredTool(name: string, declared: Declaration, services: ToolServices): Tool {
  if (declared.kind === "builtin") return { ...BUILTIN_TOOLS[declared.name], name };
  return { name, facts: factsOf(declared), run: (call) => runDeclared(name, declared, services, call) };
}

type Running = Exclude<Declaration, { kind: "builtin" }>;

function factsOf(declared: Running): ToolFacts {
  const { summary, effect, retryable, args_schema, result_schema, timeout_s } = declared;
  return {
    summary,
    effect,
    argsSchema: args_schema ?? null,
    resultSchema: result_schema ?? null,
    retryable,
    timeoutMs: timeout_s === undefined ? null : timeout_s * 1000,
  };
}

function runDeclared(name: string, declared: Running, services: ToolServices, call: ToolCall): Promise<unknown> {
  switch (declared.kind) {
    case "process":
      return runProgram(name, declared, services.processes, call);
    case "mcp":
      return runMcp(name, declared, services.processes, call);
    case "module":
      return runModule(declared, call);
    case "http":
      return runHttp(declared, services.http, call);
  }
}
