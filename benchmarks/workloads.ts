/**
 * The workloads: where each program is, what it must give and how many steps it takes, its inputs, and its native peer. Input 0
 * is that of the table in the README; the others differ in values but not in the amount of work, and both sides get
 * the same. Knows nothing of timing.
 */
import type { Json, JsonObject } from "../compiler/json.ts";
import { counter, mixed, nestedLists, records, recursion, small } from "./peers/native.ts";

export type Workload = {
  readonly name: string;
  readonly title: string;
  /** Path of the program from the project's folder. */
  readonly file: string;
  /** Steps of every run, and the result for input 0. */
  readonly steps: number;
  readonly result: Json;
  /** A run so short that starting it counts: reported in runs per second too. */
  readonly short: boolean;
  prepare(): Inputs;
};

/** Inputs made before any time is taken. Any `index` ≥ 0 is good; they repeat after `count`, a power of two. */
export type Inputs = {
  readonly count: number;
  frame(index: number): JsonObject;
  /** The same for a peer, which may take what the program has built in. */
  argument(index: number): Json;
  native(index: number): Json;
};

function inputs<Input>(
  given: readonly Input[],
  frameOf: (input: Input) => JsonObject,
  native: (input: Input) => Json,
  argumentOf: (input: Input) => JsonObject = frameOf,
): Inputs {
  const mask = given.length - 1;
  if (given.length === 0 || (given.length & mask) !== 0) throw new Error("the number of inputs is not a power of two");
  const frames = given.map(frameOf);
  return {
    count: given.length,
    frame: (index) => frames[index & mask] as JsonObject,
    argument: (index) => argumentOf(given[index & mask] as Input),
    native: (index) => native(given[index & mask] as Input),
  };
}

const numbers = (count: number, from: number): number[] => Array.from({ length: count }, (_, index) => from + index);

/** The programs of W1 and W3 have their numbers built in; only the peer's start varies. */
const FOUR = [0, 1, 2, 3];
const SHORT = numbers(64, 7);

const file = (name: string): string => `benchmarks/workloads/${name}.wf`;

export const WORKLOADS: readonly Workload[] = [
  {
    name: "W1",
    title: "counter",
    file: file("W1"),
    steps: 2_000_004,
    result: 1_000_000,
    short: false,
    prepare: () =>
      inputs(
        FOUR,
        () => ({}),
        (start) => counter(start, start + 1_000_000),
        (start) => ({ start }),
      ),
  },
  {
    name: "W2",
    title: "nested lists",
    file: file("W2"),
    steps: 901_204,
    result: 22_402_575_000,
    short: false,
    prepare: () =>
      inputs(
        FOUR.map((from) => ({ xs: numbers(300, from), ys: numbers(1000, from) })),
        (lists) => lists,
        ({ xs, ys }) => nestedLists(xs, ys),
      ),
  },
  {
    name: "W3",
    title: "recursion",
    file: file("W3"),
    steps: 1_213_927,
    result: 75_025,
    short: false,
    prepare: () =>
      inputs(
        FOUR,
        () => ({}),
        (base) => recursion(25, base),
        (base) => ({ base }),
      ),
  },
  {
    name: "W4",
    title: "records",
    file: file("W4"),
    steps: 1_000_006,
    result: 50_000,
    short: false,
    prepare: () =>
      inputs(
        FOUR.map((from) => numbers(100_000, from)),
        (ids) => ({ ids }),
        records,
      ),
  },
  {
    name: "W5",
    title: "mixed short run",
    file: file("W5"),
    steps: 33,
    result: { id: 7, name: "user_bob", tier: "low", y: "low-done", sum: 77 },
    short: true,
    prepare: () => inputs(SHORT, (x) => ({ x }), mixed),
  },
  {
    name: "W10",
    title: "small run",
    file: file("W10"),
    steps: 10,
    result: { id: 7, name: "user_low" },
    short: true,
    prepare: () => inputs(SHORT, (x) => ({ x }), small),
  },
];

export function workloadNamed(name: string): Workload | undefined {
  return WORKLOADS.find((workload) => workload.name === name);
}
