/**
 * A host for conformance tests in which nothing is left to chance: a clock that only moves when the program waits (or the
 * test says so), counted identifiers, and adapters that the test writes down verb by verb. `ext` is known to the compiler
 * with any verb; other names must be adapters of the catalog.
 */
import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { createCatalog } from "../../compiler/catalog.ts";
import { compile } from "../../compiler/compile.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import type { CompileOptions, CompileResult, IncludeReader } from "../../compiler/options.ts";
import type { CallContext } from "../../vm/adapter.ts";
import { plainAdapter } from "../../vm/calls/plain-adapter.ts";
import { createHost, type Host, type HostDeps, type HostRunRequest, type RunAnswer } from "../../vm/host.ts";
import type { Clock, RunError } from "../../vm/run.ts";
import { extEntry, WRITES } from "./ext-entry.ts";

/** One verb of a test adapter. A promise makes the call suspend. */
type Verb = (args: readonly Json[], context: CallContext) => unknown;
export type Verbs = Readonly<Record<string, Verb>>;

export type TestClock = Clock & { advance(ms: number): void };

/** Time stands still while there is work to do; when nothing else happens, it jumps to the next timer. */
export function testClock(): TestClock {
  type Timer = { readonly at: number; readonly then: () => void };
  const timers: Timer[] = [];
  let time = 0;
  const fireNext = (): void => {
    timers.sort((a, b) => a.at - b.at);
    const next = timers.shift();
    if (next === undefined) return;
    time = Math.max(time, next.at);
    next.then();
    if (timers.length > 0) setImmediate(fireNext);
  };
  return {
    now: () => time,
    wall: () => Date.UTC(2030, 0, 1) + time,
    wait: (ms, then) => {
      const timer = { at: time + ms, then };
      timers.push(timer);
      setImmediate(fireNext);
      return () => {
        const index = timers.indexOf(timer);
        if (index >= 0) timers.splice(index, 1);
      };
    },
    advance: (ms) => {
      time += ms;
    },
  };
}

export const catalog = createCatalog([...builtinAdapters, extEntry([], WRITES)]);

export type World = { readonly host: Host; readonly clock: TestClock };

export function world(
  adapters: Readonly<Record<string, Verbs>> = {},
  bounds: Pick<HostDeps, "frameCeilingBytes" | "framesTotalBytes"> = {},
): World {
  const clock = testClock();
  let ids = 0;
  const host = createHost({
    clock,
    facts: { uuid: () => "00000000-0000-4000-8000-000000000000", env: () => undefined },
    catalog,
    adapters: new Map(Object.entries(adapters).map(([name, verbs]) => [name, plainAdapter(name, verbs)])),
    traceId: () => {
      ids += 1;
      return `run-${ids}`;
    },
    ...bounds,
  });
  return { host, clock };
}

export type Source = {
  readonly strict?: boolean;
  /** Names the frame will hold. */
  readonly inputs?: readonly string[];
  /** Files next to the main one. */
  readonly files?: Readonly<Record<string, string>>;
};

function includeReader(files: Readonly<Record<string, string>>): IncludeReader {
  return {
    read: (path) => {
      const text = Object.hasOwn(files, path) ? files[path] : undefined;
      return text === undefined ? { ok: false, reason: "not_found", searched: 1 } : { ok: true, identity: path, text };
    },
  };
}

export function compiled(source: string, options: Source = {}): CompileResult {
  const complete: CompileOptions = {
    strict: options.strict ?? true,
    catalog,
    inputs: options.inputs ?? [],
    ...(options.files === undefined ? {} : { includes: includeReader(options.files) }),
  };
  return compile(source, complete);
}

/** The IR of a program that must compile. */
export function irOf(source: string, options: Source = {}): Ir {
  const result = compiled(source, options);
  if (result.ir === null) {
    const found = result.diagnostics.map(({ code, message, span }) => `${span?.line ?? 0}: ${code} ${message}`);
    throw new Error(`does not compile:\n${found.join("\n")}\n${source}`);
  }
  return result.ir;
}

/** Lines and codes of the errors of a program: `3 WF4001`. */
export function errorsOf(source: string, options: Source = {}): string[] {
  return findingsOf(source, options, "error");
}

/** Lines and codes of the findings of one severity. */
export function findingsOf(source: string, options: Source, severity: "error" | "warning" | "hint"): string[] {
  return compiled(source, options)
    .diagnostics.filter((diagnostic) => diagnostic.severity === severity)
    .map(({ code, span }) => `${span?.line ?? 0} ${code}`);
}

export type Run = Omit<HostRunRequest, "ir"> & Source & { readonly in?: World };

/** Compiles and runs a program. Names of the frame count as inputs. */
export async function run(source: string, options: Run = {}): Promise<RunAnswer> {
  const { in: place = world(), strict, inputs, files, ...request } = options;
  const ir = irOf(source, {
    strict: strict ?? true,
    inputs: inputs ?? Object.keys(options.frame ?? {}),
    ...(files === undefined ? {} : { files }),
  });
  return place.host.run({ ...request, ir });
}

/** The result of a program that must succeed. */
export async function out(source: string, options: Run = {}): Promise<Json> {
  const answer = await run(source, options);
  if (!answer.ok) throw new Error(`run failed: ${JSON.stringify(answer.error)}`);
  return answer.out;
}

/** The error of a program that must fail. */
export async function failure(source: string, options: Run = {}): Promise<RunError> {
  const answer = await run(source, options);
  if (answer.ok) throw new Error(`run succeeded with ${JSON.stringify(answer.out)}`);
  return answer.error;
}

/** The result, or the code of the error. */
export async function verdict(source: string, options: Run = {}): Promise<Json> {
  const answer = await run(source, options);
  return answer.ok ? answer.out : answer.error.code;
}
