/**
 * The tasks: what a model is asked, a program that does it, and the cases by which a program is judged.
 * They stand in `tasks/`, one file a topic.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";

/** A call that the program must make, and how it is answered. */
const call = z.strictObject({
  adapter: z.string(),
  verb: z.string(),
  args: z.array(z.json()),
  result: z.json().optional(),
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
});

const taskCase = z.strictObject({
  frame: z.record(z.string(), z.json()).default({}),
  /** In the order in which the program makes them; none: the program calls no adapter. */
  calls: z.array(call).default([]),
  expect: z.json().optional(),
  /** Part of the message with which the program fails. */
  error: z.string().optional(),
});

const task = z.strictObject({
  name: z.string(),
  prompt: z.string(),
  program: z.string(),
  cases: z.array(taskCase).min(1),
});

export type Task = z.output<typeof task>;
export type TaskCase = z.output<typeof taskCase>;

/** `root`: the folder of the project. */
export function readTasks(root: string): readonly Task[] {
  const folder = join(root, "benchmarks/agents/tasks");
  return readdirSync(folder)
    .sort()
    .flatMap((file) => z.array(task).parse(parse(readFileSync(join(folder, file), "utf8"))));
}
