/**
 * `npm run agents -- --base URL --model NAME`: lets a model do the tasks through the MCP server and reports how many programs were right at
 * the first attempt and in the end. Without a model it judges the reference programs.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Attempt, attempt } from "./driver.ts";
import { faultsOf } from "./judge.ts";
import { ask } from "./model.ts";
import { startServer } from "./served.ts";
import { readTasks, type Task } from "./tasks.ts";

const USAGE = `Usage: npm run agents -- [--base URL --model NAME] [--task NAME]… [--json FILE] [--timeout-s N]

  --base URL     OpenAI-compatible address, such as http://127.0.0.1:11434/v1; its key is read from OPENAI_API_KEY
  --model NAME   the model to ask
  --task NAME    only this task; may be given again
  --json FILE    write every attempt to FILE
  --timeout-s N  seconds for one answer of the model (120)

Without --base the reference programs are judged. Exit code: 0, 1 when a program is wrong, 2 for wrong arguments.
`;

function optionsOf(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      base: { type: "string" },
      model: { type: "string" },
      task: { type: "string", multiple: true, default: [] },
      json: { type: "string" },
      "timeout-s": { type: "string", default: "120" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const timeoutMs = Number(values["timeout-s"]) * 1000;
  if (!(timeoutMs > 0)) throw new TypeError("--timeout-s takes a number above 0");
  if ((values.base === undefined) !== (values.model === undefined))
    throw new TypeError("--base and --model go together");
  return { ...values, timeoutMs };
}

async function main(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const root = process.cwd();
  const tasks = readTasks(root).filter(({ name }) => options.task.length === 0 || options.task.includes(name));
  const unknown = options.task.filter((name) => !tasks.some((task) => task.name === name));
  if (unknown.length > 0) throw new TypeError(`no task ${unknown.join(", ")}`);
  const server = await startServer(join(root, "dist/wf.mjs"));
  try {
    const { base, model, timeoutMs } = options;
    const attempts: Attempt[] = [];
    for (const task of tasks) {
      const made =
        base === undefined || model === undefined
          ? await reference(task, server.call)
          : await attempt(task, server, (messages, tools) =>
              ask({ base, model, key: process.env["OPENAI_API_KEY"] ?? null, timeoutMs }, messages, tools),
            );
      attempts.push(made);
      process.stdout.write(line(made));
    }
    process.stdout.write(summary(attempts));
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(attempts, null, 2)}\n`);
    return attempts.every(({ right }) => right) ? 0 : 1;
  } finally {
    await server.close();
  }
}

async function reference(task: Task, call: Parameters<typeof faultsOf>[2]): Promise<Attempt> {
  const faults = await faultsOf(task.program, task, call);
  const right = faults.length === 0;
  const tokens = { input: 0, output: 0 };
  return { task: task.name, firstRight: right, right, toolCalls: 0, tokens, faults, program: task.program };
}

function line({ task, firstRight, right, toolCalls, faults }: Attempt): string {
  const word = firstRight ? "right at once" : right ? "right in the end" : "wrong";
  return `${task.padEnd(24)} ${word.padEnd(16)} ${toolCalls} calls${faults.length > 0 ? `  ${faults[0]}` : ""}\n`;
}

function summary(attempts: readonly Attempt[]): string {
  const count = (is: (one: Attempt) => boolean): number => attempts.filter(is).length;
  const sum = (of: (one: Attempt) => number): number => attempts.reduce((total, one) => total + of(one), 0);
  return `\n${attempts.length} tasks: ${count(({ firstRight }) => firstRight)} right at once, ${count(({ right }) => right)} right in the end, ${sum(({ toolCalls }) => toolCalls)} tool calls, ${sum(({ tokens }) => tokens.input)} tokens read, ${sum(({ tokens }) => tokens.output)} written\n`;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (fault) {
  process.stderr.write(`${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exitCode = fault instanceof TypeError ? 2 : 1;
}
