/** Programs as bytecode for tests: a pool of compiled ones, and a machine that runs any variant of a program from its start. */
import { readdirSync, readFileSync } from "node:fs";
import { flatten } from "../../compiler/bytecode/flatten.ts";
import type { Program, VariantKind } from "../../compiler/bytecode/program.ts";
import { compile } from "../../compiler/compile.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { foldCall } from "../../vm/functions/fold-constants.ts";
import { Machine } from "../../vm/machine/machine.ts";
import { frameOf, usageOf } from "../../vm/machine/outcome.ts";
import { createTrace } from "../../vm/recording/trace.ts";
import type { Limits, Outcome } from "../../vm/run.ts";
import { drive } from "../../vm/runs/driver.ts";
import { loadError } from "../../vm/runs/load-checks.ts";
import { fakeClock, fakeFacts, mockAdapters } from "./mock-adapters.ts";
import { loadRunCases, testCatalog } from "./run-case.ts";

export type NamedProgram = { readonly name: string; readonly program: Program };

/** null: the source does not compile. */
export function looseIr(source: string, inputs: readonly string[]): Ir | null {
  return compile(source, { strict: false, catalog: testCatalog, inputs }).ir;
}

/** The program from every label that it may start at. */
export function programsOf(name: string, ir: Ir): NamedProgram[] {
  return Object.keys(ir.labels)
    .filter((entry) => loadError(ir, entry) === null)
    .map((entry) => ({ name: `${name} from ${entry}`, program: flatten(ir, entry, foldCall) }));
}

/** All cases of `run.json` and all benchmark programs, from all their labels. */
export function programPool(): NamedProgram[] {
  const sources = loadRunCases(["run.json"]).map(({ name, source, frame }) => ({
    name,
    source,
    inputs: Object.keys(frame ?? {}),
  }));
  const folder = new URL("../../benchmarks/workloads/", import.meta.url);
  for (const file of readdirSync(folder)) {
    if (file.endsWith(".wf"))
      sources.push({ name: file, source: readFileSync(new URL(file, folder), "utf8"), inputs: [] });
  }
  return sources.flatMap(({ name, source, inputs }) => {
    const ir = looseIr(source, inputs);
    return ir === null ? [] : programsOf(name, ir);
  });
}

export type BytecodeRun = {
  readonly kind?: VariantKind;
  readonly frame?: JsonObject;
  readonly limits?: Limits;
  readonly allowedAdapters?: readonly string[] | null;
  readonly frameCeilingBytes?: number;
};

/** Runs a program, wherever it comes from, in one variant from its start. */
export async function runProgram(program: Program, run: BytecodeRun = {}): Promise<Outcome> {
  const { kind = "fast", frame = {}, limits = {}, allowedAdapters = null } = run;
  const clock = fakeClock();
  const deps = {
    clock,
    facts: fakeFacts(),
    catalog: testCatalog,
    adapters: mockAdapters(clock),
    traceId: () => "bytecode",
    ...(run.frameCeilingBytes === undefined ? {} : { frameCeilingBytes: run.frameCeilingBytes }),
  };
  const machine = new Machine(program, frame, {
    deps,
    traceId: "bytecode",
    limits,
    allowed: allowedAdapters === null ? null : new Set(allowedAdapters),
    trace: kind === "traced" ? createTrace({}) : null,
    signal: undefined,
    quantum: 100,
  });
  machine.kind = kind;
  machine.tables = program.variant(kind);
  await drive(machine, (then) => void setImmediate(then));
  const more = { label: program.entry, usage: usageOf(machine), frame: frameOf(machine) };
  return machine.error === null
    ? { ok: true, out: machine.result, ...more }
    : { ok: false, error: machine.error, ...more };
}
