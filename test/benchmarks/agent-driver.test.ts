/** The driver of benchmarks/agents: a scripted model on a real OpenAI-compatible server in this process, and the MCP server's tools. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { attempt, type ServedTools } from "../../benchmarks/agents/driver.ts";
import { ask } from "../../benchmarks/agents/model.ts";
import { readTasks, type Task } from "../../benchmarks/agents/tasks.ts";
import { openServer } from "../mcp/opened.ts";

type Answer = { readonly status?: number; readonly body: unknown };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A model that gives these answers in turn, the last one again and again. */
async function scripted(answers: readonly Answer[]) {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests of every shape
  const requests: { readonly url: string; readonly key: string | undefined; readonly body: any }[] = [];
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { authorization } = request.headers;
      requests.push({ url: request.url ?? "", key: authorization, body: JSON.parse(Buffer.concat(chunks).toString()) });
      const { status = 200, body } = answers[Math.min(requests.length, answers.length) - 1] ?? { body: {} };
      response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  closers.push(() => new Promise((resolve) => http.close(resolve)));
  const { port } = http.address() as AddressInfo;
  const address = { base: `http://127.0.0.1:${port}/v1/`, model: "m", key: "k", timeoutMs: 10_000 };
  return {
    requests,
    ask: (messages: Parameters<typeof ask>[1], tools: readonly object[]) => ask(address, messages, tools),
  };
}

async function served(): Promise<ServedTools> {
  const server = await openServer({ variables: { WF_MCP_PROFILE: "operator_full" } });
  closers.push(() => server.close());
  const { instructions } = server.handlers;
  return {
    instructions,
    tools: server.handlers.listTools() as ServedTools["tools"],
    call: async (name, args) => (await server.call(name, args)).payload,
  };
}

const says = (content: string): Answer => ({
  body: { choices: [{ message: { content } }], usage: { prompt_tokens: 10, completion_tokens: 5 } },
});
const calls = (name: string, args: unknown): Answer => ({
  body: {
    choices: [
      {
        message: {
          content: null,
          tool_calls: [
            {
              id: "c1",
              type: "function",
              function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
            },
          ],
        },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  },
});

const taskNamed = (name: string): Task => readTasks(process.cwd()).find((task) => task.name === name) as Task;
const RATE = taskNamed("convert_price");

describe("an attempt", () => {
  it("offers instructions, tools and the task, and judges the first and the last program", async () => {
    const wrong = RATE.program.replace("price *", "2 *");
    const model = await scripted([
      calls("wf_validate", { code: wrong, frame: { price: 1, currency: "eur" } }),
      calls("wf_run", { code: RATE.program }),
      says("done"),
    ]);
    const server = await served();
    expect(await attempt(RATE, server, model.ask)).toEqual({
      task: "convert_price",
      firstRight: false,
      right: true,
      toolCalls: 2,
      tokens: { input: 30, output: 15 },
      faults: [],
      program: RATE.program,
    });
    const [first, second, third] = model.requests;
    expect(first).toMatchObject({ url: "/v1/chat/completions", key: "Bearer k", body: { model: "m" } });
    expect(first?.body.messages[0]).toEqual({ role: "system", content: server.instructions });
    expect(first?.body.messages[1].content).toContain(RATE.prompt);
    expect(first?.body.tools.map((tool: { function: { name: string } }) => tool.function.name)).toContain("wf_run");
    expect(JSON.parse(second?.body.messages.at(-1).content)).toMatchObject({ ok: true });
    // The run met the recorded answer of the first case, without a network.
    expect(JSON.parse(third?.body.messages.at(-1).content)).toMatchObject({ ok: true, out: 12.34 });
  });

  it("takes the program of the last answer's code block", async () => {
    const model = await scripted([says(`Here it is:\n\`\`\`weft\n${RATE.program}\`\`\``)]);
    expect(await attempt(RATE, await served(), model.ask)).toMatchObject({
      firstRight: true,
      right: true,
      toolCalls: 0,
    });
  });

  it.each<[why: string, answers: readonly Answer[], expected: object]>([
    ["writes nothing", [says("no idea")], { program: null, faults: ["no program"] }],
    ["never stops", [calls("wf_validate", { code: "def main():\n    return 1" })], { toolCalls: 12, right: false }],
    ["sends arguments that are not JSON", [calls("wf_run", "{code"), says("")], { toolCalls: 1, program: null }],
    ["calls an unknown tool", [calls("wf_magic", {}), says("")], { toolCalls: 1, program: null }],
  ])("of a model that %s ends as wrong", async (_why, answers, expected) => {
    const model = await scripted(answers);
    expect(await attempt(RATE, await served(), model.ask)).toMatchObject({ right: false, ...expected });
  });

  it.each<[why: string, answer: Answer, message: RegExp]>([
    ["fails", { status: 500, body: "overloaded" }, /answered 500: overloaded/],
    ["is not JSON", { body: "<html>" }, /JSON/],
    ["has no choices", { body: { choices: [] } }, /choices/],
  ])("is given up when the model's answer %s", async (_why, answer, message) => {
    const model = await scripted([answer]);
    await expect(attempt(RATE, await served(), model.ask)).rejects.toThrow(message);
  });
});
