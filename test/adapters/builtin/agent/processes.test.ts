/** Several processes at one mailbox: no line is torn or lost when a process is killed while writing. */
import { existsSync, readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { agentAdapter } from "../../../../adapters/builtin/agent/definition.ts";
import { NO_PLACES, openBench, realClock } from "../../../support/adapter-bench.ts";
import { type ChildProgram, childProgram, ended } from "../../guard/child-program.ts";
import { type Scratch, scratch } from "../fs/scratch.ts";

/** Sends `count` tasks and prints the id of each when it was sent. */
const WRITER = `
  import { agentAdapter } from "./adapters/builtin/agent/definition.ts";
  import { NO_PLACES, openBench } from "./test/support/adapter-bench.ts";
  const [agentRoot, name, count, size] = process.argv.slice(2);
  const agent = await openBench(agentAdapter, { services: { places: { ...NO_PLACES, agentRoot } } });
  for (let i = 0; i < Number(count); i++) {
    const envelope = { task_id: name + "-" + i, x: name.repeat(Number(size)) };
    console.log(await agent.call("send_task", envelope, { idempotency_key: name + i }));
  }
`;

let writer: ChildProgram;
let place: Scratch;

beforeAll(async () => {
  writer = await childProgram(WRITER);
});
afterAll(() => writer.remove());
beforeEach(() => {
  place = scratch();
});
afterEach(() => place.remove());

/** Ids of the task file; every line must be whole. */
function sentIds(): string[] {
  const text = readFileSync(place.at("agents/tasks/agent_tasks.jsonl"), "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line).task_id);
}

it.each([
  ["two writers of 500 lines", ["a", "b"], 500, 10],
  ["eight writers of 25 lines of 40 KiB", [..."abcdefgh"], 25, 40_960],
] as const)("%s", { timeout: 60_000 }, async (_, names, count, size) => {
  const children = names.map((name) => writer.run([place.at("agents"), name, String(count), String(size)]));
  for (const child of await Promise.all(children)) expect(child).toMatchObject({ code: 0, signal: null });
  const expected = names.flatMap((name) => Array.from({ length: count }, (_, i) => `${name}-${i}`));
  expect(sentIds().sort()).toEqual(expected.sort());
});

it("writers that are killed again and again", { timeout: 60_000 }, async () => {
  const told = new Set<string>();
  for (let round = 0; round < 8; round++) {
    const child = writer.start([place.at("agents"), `r${round}x`, "100000", "8000"]);
    const done = ended(child);
    let lines = 0;
    child.stdout?.on("data", (chunk: Buffer) => {
      lines += chunk.toString().split("\n").length - 1;
      // Another moment in every round.
      if (lines > round * 4) child.kill("SIGKILL");
    });
    // The lock of a killed writer holds the next one up for ten seconds, unless its clock says that they are over.
    const { output } = await done;
    for (const id of output.split("\n").slice(0, -1)) told.add(id);
    await sendLater(`after-${round}`);
    told.add(`after-${round}`);
  }
  const ids = sentIds();
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining([...told]));
  expect(existsSync(place.at("agents/tasks/.lock"))).toBe(false);

  async function sendLater(id: string): Promise<void> {
    const agent = await openBench(agentAdapter, {
      clock: { ...realClock, wall: () => Date.now() + 11_000 },
      services: { places: { ...NO_PLACES, agentRoot: place.at("agents") } },
    });
    expect(await agent.call("send_task", { task_id: id }, { idempotency_key: id })).toBe(id);
    await agent.end();
  }
});
