/**
 * One task, done by a model that knows only what the MCP server says: its instructions, its tools and their answers. The model's calls go to
 * the server; wf_run gets the answers of the task's first case, so nothing real happens. The program is judged by all cases.
 */
import { faultsOf, runArguments } from "./judge.ts";
import type { Message, ModelAnswer, ToolCall } from "./model.ts";
import type { Task } from "./tasks.ts";

/** What the driver needs of a server. */
export type ServedTools = {
  readonly instructions: string;
  readonly tools: readonly {
    readonly name: string;
    readonly description?: string | undefined;
    readonly inputSchema: object;
  }[];
  call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>>;
};

export type AskModel = (messages: readonly Message[], tools: readonly object[]) => Promise<ModelAnswer>;

export type Attempt = {
  readonly task: string;
  /** The first program that the model wrote is right. */
  readonly firstRight: boolean;
  /** The last one is. */
  readonly right: boolean;
  readonly toolCalls: number;
  readonly tokens: { readonly input: number; readonly output: number };
  readonly faults: readonly string[];
  readonly program: string | null;
};

const MAX_ROUNDS = 12;
const TASK_SUFFIX =
  "Write it as a Weft program, check it and run it with the tools, then answer with the final program in a code block.";
const CODE_BLOCK = /```[^\n]*\n(.*?)```/s;

export async function attempt(task: Task, server: ServedTools, ask: AskModel): Promise<Attempt> {
  const tools = server.tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
  const [first] = task.cases;
  const example = `Example of the frame: ${JSON.stringify(first?.frame ?? {})}`;
  const messages: Message[] = [
    { role: "system", content: server.instructions },
    { role: "user", content: `${task.prompt}\n${example}\n${TASK_SUFFIX}` },
  ];
  const programs: string[] = [];
  const tokens = { input: 0, output: 0 };
  let toolCalls = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const answer = await ask(messages, tools);
    tokens.input += answer.tokens.input;
    tokens.output += answer.tokens.output;
    const [, written] = CODE_BLOCK.exec(answer.text) ?? [];
    if (answer.calls.length === 0) {
      if (written !== undefined) programs.push(written);
      break;
    }
    messages.push({
      role: "assistant",
      content: answer.text,
      tool_calls: answer.calls.map((call) => ({ type: "function", ...call })),
    });
    for (const call of answer.calls) {
      toolCalls += 1;
      const args = argumentsOf(call);
      if (typeof args?.["code"] === "string") programs.push(args["code"]);
      messages.push({ role: "tool", tool_call_id: call.id, content: await toolAnswer(call, args, task, server) });
    }
  }
  return { task: task.name, ...(await judged(programs, task, server)), toolCalls, tokens };
}

async function judged(programs: readonly string[], task: Task, server: ServedTools) {
  const [first] = programs;
  const last = programs.at(-1);
  if (first === undefined || last === undefined)
    return { firstRight: false, right: false, faults: ["no program"], program: null };
  const faults = await faultsOf(last, task, server.call);
  const firstFaults = first === last ? faults : await faultsOf(first, task, server.call);
  return { firstRight: firstFaults.length === 0, right: faults.length === 0, faults, program: last };
}

/** null: not an object. */
function argumentsOf({ function: { arguments: text } }: ToolCall): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

async function toolAnswer(
  { function: { name } }: ToolCall,
  args: Record<string, unknown> | null,
  { cases: [first] }: Task,
  server: ServedTools,
): Promise<string> {
  if (args === null) return "the arguments are not a JSON object";
  const isRun = name === "wf_run" && typeof args["code"] === "string" && first !== undefined;
  const answered = isRun ? { frame: first.frame, ...args, ...onlyLog(String(args["code"]), first) } : args;
  try {
    return JSON.stringify(await server.call(name, answered));
  } catch (fault) {
    return fault instanceof Error ? fault.message : String(fault);
  }
}

function onlyLog(code: string, first: Task["cases"][number]) {
  const { replay_log } = runArguments(code, first);
  return { replay_log };
}
