/**
 * The world of a test: adapters that only answer what the test wrote down, a clock that stands still until the program waits, and
 * random numbers from a seed. Whatever a program does that the test did not foresee is noted, even when the program handles the error.
 */
import { type AdapterCatalog, findAdapter, findVerb } from "../../compiler/catalog.ts";
import type { Json } from "../../compiler/json.ts";
import { type Adapter, type AdapterVerb, foldVerb } from "../adapter.ts";
import { AdapterError } from "../errors/failures.ts";
import type { Clock } from "../run.ts";
import { equal } from "../values/compare.ts";
import { type MockAnswer, type Mocks, TestInvalid } from "./test-setup.ts";

export type MockWorld = {
  /** Every adapter of the catalog but `core`, and but `timer` where it has no mock: the clock of the test answers it. */
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** What the test did not foresee. */
  readonly surprises: readonly string[];
};

type Queue = { readonly answers: readonly MockAnswer[]; next: number };

/** Throws TestInvalid for a mock that names no verb. */
export function mockWorld(mocks: Mocks | undefined, catalog: AdapterCatalog): MockWorld {
  const surprises: string[] = [];
  const queues = queuesOf(mocks ?? {}, catalog);
  const answer = (call: string, key: string, args: readonly Json[]): Json => {
    const queue = queues.get(key);
    const mock = queue === undefined ? undefined : queue.answers[Math.min(queue.next, queue.answers.length - 1)];
    if (queue === undefined || mock === undefined) {
      surprises.push(`${call} was called and has no mock`);
      throw new AdapterError("TEST_UNMOCKED_CALL", "the test has no mock for this call", { retryable: false });
    }
    queue.next += 1;
    if (mock.args !== undefined && !equal([...mock.args], [...args])) {
      surprises.push(`${call} was called with ${JSON.stringify(args)}, its mock expects ${JSON.stringify(mock.args)}`);
      throw new AdapterError("TEST_MOCK_MISMATCH", "the mock expects other arguments", { retryable: false });
    }
    if ("result" in mock) return mock.result;
    const { code, message = "mocked failure", retryable = true, retry_after_ms = null } = mock.error;
    throw new AdapterError(code, message, { retryable, retryAfterMs: retry_after_ms });
  };
  const isMocked = (name: string): boolean => [...queues.keys()].some((key) => key.startsWith(`${name}.`));
  const names = catalog.names().filter((name) => name !== "core" && (name !== "timer" || isMocked(name)));
  return { adapters: new Map(names.map((name) => [name, mockAdapter(name, catalog, answer)])), surprises };
}

function mockAdapter(
  name: string,
  catalog: AdapterCatalog,
  answer: (call: string, key: string, args: readonly Json[]) => Json,
): Adapter {
  return {
    name,
    verb(word): AdapterVerb {
      const entry = findAdapter(catalog, name);
      const known = entry === undefined ? undefined : findVerb(entry, word);
      const verb = known?.name ?? word;
      return {
        name: verb,
        effectTier: known?.effect_tier ?? "io-write",
        bind: (args) => ({
          timeoutMs: null,
          maxResultBytes: null,
          repeatable: true,
          run: () => answer(`${name}.${verb}`, keyOf(name, verb), args),
        }),
      };
    },
  };
}

const keyOf = (adapter: string, verb: string): string => `${adapter}.${foldVerb(verb)}`;

function queuesOf(mocks: Mocks, catalog: AdapterCatalog): ReadonlyMap<string, Queue> {
  const queues = new Map<string, Queue>();
  for (const [target, given] of Object.entries(mocks)) {
    const cut = target.indexOf(".");
    const entry = cut < 1 ? undefined : findAdapter(catalog, target.slice(0, cut));
    if (entry === undefined || entry.name === "core")
      throw new TestInvalid(`/mocks: '${target}' is not the name of an adapter and its verb, such as http.Get`);
    const verb = target.slice(cut + 1);
    const answers: readonly MockAnswer[] = "length" in given ? given : [given];
    queues.set(keyOf(entry.name, findVerb(entry, verb)?.name ?? verb), { answers, next: 0 });
  }
  return queues;
}

/** Time that passes only when a program waits. */
export type VirtualClock = Clock & {
  /** Resolves at a time since 1970, which comes at once: like that of a job that is parked, it does not count for the run. */
  until(wallMs: number): Promise<void>;
};

export function virtualClock(start: number): VirtualClock {
  type Timer = { readonly at: number; readonly then: () => void };
  const timers = new Set<Timer>();
  const parked = new Set<Timer>();
  let elapsed = 0;
  let skipped = 0;
  const wall = (): number => start + elapsed + skipped;
  const fireNext = (): void => {
    const among = parked.size > 0 ? parked : timers;
    const [next] = [...among].sort((a, b) => a.at - b.at);
    if (next === undefined) return;
    among.delete(next);
    if (among === parked) skipped += Math.max(0, next.at - wall());
    else elapsed = Math.max(elapsed, next.at);
    next.then();
  };
  return {
    now: () => elapsed,
    wall,
    wait(ms, then) {
      const timer = { at: elapsed + ms, then };
      timers.add(timer);
      setImmediate(fireNext);
      return () => timers.delete(timer);
    },
    until: (wallMs) =>
      new Promise((then) => {
        parked.add({ at: wallMs, then });
        setImmediate(fireNext);
      }),
  };
}

/** Numbers from 0 up to 1 that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Identifiers of version 4 from such numbers. */
export function seededUuid(random: () => number): () => string {
  return () => {
    const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16));
    digits[12] = "4";
    digits[16] = "89ab"[Math.floor(random() * 4)] ?? "8";
    return digits.join("").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
}
