/** Compiles and runs Python programs in Weft, as an embedding program does. The one place that knows how. */
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import type { Json } from "../../../compiler/json.ts";
import type { Adapter } from "../../../vm/adapter.ts";
import { createHost, type Host, type RunAnswer } from "../../../vm/host.ts";
import { InputInvalid } from "../../../vm/inputs/check-inputs.ts";
import { includesIn } from "../../../vm/inputs/program-files.ts";
import type { Limits } from "../../../vm/run.ts";

/** A file whose first line says so is in the Python form. */
const SURFACE = "# surface: python\n";
const LIMITS = { max_steps: 2_000_000, max_time_ms: 60_000, max_depth: 5_000 };

/** `line`: of the program, without the line above it that states the form. */
type Refused = { readonly code: string; readonly message: string; readonly line: number };
export type Compiled = { readonly ir: Ir } | { readonly refused: readonly Refused[] };
export type Ran =
  | {
      readonly kind: "value";
      readonly value: Json;
      /** The exact JSON text. */
      readonly text: string;
      readonly prints: string;
    }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly message: string;
      /** The class of the exception, when the failure is one of Python. */
      readonly exception: string | null;
    };

/** `files`: those that it may import, by path. */
export function compiled(source: string, files: Readonly<Record<string, string>> = {}): Compiled {
  const includes = includesIn({ files, main: "" });
  const { ir, diagnostics } = compile(SURFACE + source, { catalog: builtinCatalog, includes });
  if (ir !== null) return { ir };
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return {
    refused: errors.map(({ code, message, span }) => ({
      code,
      message,
      line: (span?.line ?? 1) - (span?.file == null ? 1 : 0),
    })),
  };
}

/** A host with these adapters besides core; `instead`: what a test sets itself. */
export function hostWith(
  adapters: ReadonlyMap<string, Adapter> = new Map(),
  instead: Partial<Parameters<typeof createHost>[0]> = {},
): Host {
  let ids = 0;
  const started = Date.now();
  return createHost({
    clock: {
      now: () => performance.now(),
      wall: () => started,
      wait: (_ms, then) => {
        const timer = setImmediate(then);
        return () => clearImmediate(timer);
      },
    },
    facts: { uuid: () => "00000000-0000-4000-8000-000000000000", env: () => undefined },
    catalog: builtinCatalog,
    adapters,
    compileCacheEntries: 0,
    traceId: () => {
      ids += 1;
      return `run-${ids}`;
    },
    ...instead,
  });
}

type Settings = { readonly limits?: Limits; readonly instead?: Parameters<typeof hostWith>[1] };

/** The answer of a program that is not refused, with the limits that a host sets where none are asked for. */
export function answerOf(source: string, { limits = {}, instead = {} }: Settings = {}): Promise<RunAnswer> {
  const host = hostWith(new Map(), instead);
  const { ir, diagnostics } = host.compile(source);
  if (ir === null) throw new Error(diagnostics[0]?.message);
  return host.run({ ir, frame: {}, limits });
}

export async function ran(host: Host, ir: Ir, frame: string): Promise<Ran> {
  const allowedAdapters = ["core", ...host.adapters.keys()];
  let answer: RunAnswer;
  try {
    answer = await host.run({ ir, frameText: frame, limits: LIMITS, allowedAdapters });
  } catch (error) {
    if (!(error instanceof InputInvalid)) throw error;
    // An input that the program requires is missing: CPython calls the function with too few arguments.
    return { kind: "failed", code: "input_invalid", message: error.message, exception: "TypeError" };
  }
  if (answer.ok)
    return {
      kind: "value",
      value: answer.out,
      text: answer.out_text ?? JSON.stringify(answer.out),
      prints: answer.printed ?? "",
    };
  const { code, message, exception = null } = answer.error;
  return { kind: "failed", code, message, exception };
}

const PROBE = "def main(xs):\n    ys = xs\n    ys.append(4)\n    return xs[-1] // -3\n";

/** Whether files with the line above are read as Python at all. Before that, nothing here can be judged. */
export async function isPythonThere(): Promise<boolean> {
  const made = compiled(PROBE);
  if (!("ir" in made)) return false;
  const run = await ran(hostWith(), made.ir, '{"xs": [1]}');
  return run.kind === "value" && run.value === -2;
}
