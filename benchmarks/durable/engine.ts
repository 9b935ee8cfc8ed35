/**
 * What durable engines are measured at, each with a program in its own words: runs that make five HTTP calls, sixteen at once, and runs that
 * wait for a message, all of which get theirs. An engine writes a step to disk before it begins the next.
 */
import { HTTP_CALLS } from "./effects.ts";

const AT_ONCE = 16;

/** Runs and messages by the number that the measurement gives them. Each promise rejects when the engine fails. */
export type Engine = {
  /** Resolves with the sum of the numbers that the five calls answered. */
  run(at: number): Promise<number>;
  /** Starts a run that waits; resolves when it is kept. */
  park(at: number): Promise<void>;
  /** Resolves when that number of runs wait for their message. */
  parked(count: number): Promise<void>;
  /** Sends its message to a run that waits. */
  send(at: number): Promise<void>;
  /** Resolves when the run has got its message and ended. */
  ended(at: number): Promise<void>;
  stop(): Promise<void>;
};

export type Place = {
  /** Where the five calls go. */
  readonly effectsUrl: string;
  /** Null: the engine keeps its data in the folder. */
  readonly databaseUrl: string | null;
  /** Empty, of the engine alone. */
  readonly folder: string;
  /** Folder of the project. */
  readonly root: string;
};

export type Amounts = { readonly runs: number; readonly parked: number };

export type EngineFigures = {
  readonly runsPerSecond: number;
  /** Milliseconds of a run alone, of which there is one after the other: the median of fifty. */
  readonly aloneMs: number;
  /** Seconds from the first message to the end of the last run that waited. */
  readonly awakeSeconds: number;
};

export async function measured(engine: Engine, { runs, parked }: Amounts): Promise<EngineFigures> {
  let next = 0;
  const once = async (): Promise<void> => {
    const sum = await engine.run(next++);
    if (sum !== HTTP_CALLS) throw new Error(`a run counted ${sum} calls`);
  };
  // The first runs compile and connect.
  await manyTimes(Math.ceil(runs / 10), AT_ONCE, once);
  const began = performance.now();
  await manyTimes(runs, AT_ONCE, once);
  const runsPerSecond = runs / ((performance.now() - began) / 1000);
  const alone: number[] = [];
  await manyTimes(50, 1, async () => {
    const start = performance.now();
    await once();
    alone.push(performance.now() - start);
  });
  await manyTimes(parked, AT_ONCE, (at) => engine.park(at));
  await engine.parked(parked);
  const sent = performance.now();
  await manyTimes(parked, AT_ONCE, (at) => engine.send(at));
  await manyTimes(parked, AT_ONCE, (at) => engine.ended(at));
  const awakeSeconds = (performance.now() - sent) / 1000;
  return { runsPerSecond, aloneMs: alone.toSorted((a, b) => a - b)[25] ?? Number.NaN, awakeSeconds };
}

async function manyTimes(count: number, atOnce: number, act: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const line = async (): Promise<void> => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, line));
}

/** The JSON of an answer of an engine that is asked over HTTP. */
export async function asked(url: string, method: "GET" | "POST", payload?: unknown): Promise<unknown> {
  const sent = payload === undefined ? {} : { body: JSON.stringify(payload) };
  const answer = await fetch(url, { method, headers: { "content-type": "application/json" }, ...sent });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
  return text === "" ? null : JSON.parse(text);
}
