/** One program under both executors, recorded or replayed; the answers must agree. */
import { expect } from "vitest";
import type { Json, JsonObject } from "../../compiler/json.ts";
import type { Adapter, CallContext } from "../../vm/adapter.ts";
import { plainAdapter } from "../../vm/calls/plain-adapter.ts";
import type { RecordedCall, RecordLog } from "../../vm/recording/record-log.ts";
import type { Limits, Outcome, RunError } from "../../vm/run.ts";
import { comparable, executor } from "../support/executors.ts";
import { fakeClock, fakeFacts, mockAdapters } from "../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../support/run-case.ts";

export type Asked = {
  readonly frame?: JsonObject;
  readonly limits?: Limits;
  readonly allowedAdapters?: readonly string[];
  readonly record?: boolean;
  readonly replay?: unknown;
  readonly adapters?: ReadonlyMap<string, Adapter>;
};

/** What machine and reference both answer. */
export async function run(source: string, asked: Asked = {}): Promise<Outcome> {
  const ir = compileForTest(source, false, Object.keys(asked.frame ?? {}));
  const answers: Outcome[] = [];
  for (const name of ["machine", "reference"] as const) {
    const clock = fakeClock();
    const world = { adapters: mockAdapters(clock), clock, facts: fakeFacts() };
    answers.push(await executor(name, testCatalog)(ir, { ...world, ...asked }));
  }
  const [machine, reference] = answers as [Outcome, Outcome];
  expect(comparable(machine)).toBe(comparable(reference));
  return machine;
}

export async function recordOf(source: string, asked: Asked = {}): Promise<RecordLog> {
  const { record } = await run(source, { ...asked, record: true });
  if (record === undefined) throw new Error("nothing was recorded");
  return record;
}

export async function callsOf(source: string, asked: Asked = {}): Promise<readonly RecordedCall[]> {
  return (await recordOf(source, asked)).calls;
}

/** `http.GET ["u"] = 1`, `http.GET ["u"] ! busy` */
export function callText({ adapter, verb, args, args_hash, ok, result, error }: RecordedCall): string {
  const answer = ok ? `= ${JSON.stringify(result)}` : `! ${error?.message}`;
  return `${adapter}.${verb} ${args === undefined ? args_hash : JSON.stringify(args)} ${answer}`;
}

export async function errorOf(source: string, asked: Asked): Promise<RunError> {
  const answer = await run(source, asked);
  if (answer.ok) throw new Error(`succeeded with ${JSON.stringify(answer.out)}`);
  return answer.error;
}

/** A log in the full form. */
export function logOf(calls: readonly Json[], more: JsonObject = {}): JsonObject {
  return {
    format: "weft-record",
    version: 1,
    program_checksum: "sha256:0",
    label: "1",
    complete: true,
    ...more,
    calls,
  };
}

export function entry(adapter: string, verb: string, args: readonly Json[], result: Json): JsonObject {
  return { seq: 0, label_id: "1", node_id: "n1", attempt: 1, adapter, verb, args, ok: true, result };
}

type Verb = (args: readonly Json[], context: CallContext) => unknown;

export function adapters(all: Readonly<Record<string, Readonly<Record<string, Verb>>>>): ReadonlyMap<string, Adapter> {
  return new Map(Object.entries(all).map(([name, verbs]): [string, Adapter] => [name, plainAdapter(name, verbs)]));
}
