/** A Python program made ready for machines: its bytecode, the stubs of its adapter calls, and what runs it. */
import { instructionLength, Op } from "../../../compiler/bytecode/opcodes.ts";
import type { Program, VariantTables } from "../../../compiler/bytecode/program.ts";
import { emitPython, MalformedOperand } from "../../../compiler/bytecode/python/emit.ts";
import { STUB_ANSWER, stubArgument } from "../../../compiler/bytecode/python/stubs.ts";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { readValueType } from "../../../compiler/catalog/value-types.ts";
import { findVerb } from "../../../compiler/catalog.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { indexIr } from "../../../compiler/ir/ir-index.ts";
import { FatalFailure } from "../../errors/failures.ts";
import type { Machine } from "../../machine/machine.ts";
import type { Executor } from "../../machine/slices/executor.ts";
import type { Made } from "../borders.ts";
import { PyExecutor } from "./executor.ts";
import { loadPython, type RoutineBuilder } from "./program.ts";

/** What makes the executor of a machine of `program`, whose labels are stubs. */
export function pythonExecutors(
  ir: Ir,
  entry: string,
  program: Program,
  builder: RoutineBuilder | null,
): (m: Machine) => Executor {
  const loaded: { [kind in "fast" | "traced"]?: ReturnType<typeof load> } = {};
  return (m) => {
    const kind = m.kind === "traced" ? "traced" : "fast";
    loaded[kind] ??= load(ir, entry, program, kind, builder);
    return new PyExecutor(m, loaded[kind].python, loaded[kind].entry);
  };
}

/** What the answers of a verb are: those that the catalog knows as objects always have no truth of their own (amendment 5). */
function madeBy(adapter: string, verb: string): Made {
  if (adapter === "http") return "response";
  const entry = builtinCatalog.adapter(adapter);
  const result = entry === undefined ? undefined : findVerb(entry, verb)?.result;
  return result !== undefined && readValueType(result).k === "object" ? "answer" : "record";
}

/** The instruction of a site's call: the charge of its block may stand before it, and in a traced run its visit. */
function callAt({ code, site_pc }: VariantTables, site: number): number {
  let pc = site_pc[site] as number;
  while (code[pc] === Op.Charge || code[pc] === Op.Visit) pc += instructionLength(code, pc);
  return pc;
}

function load(ir: Ir, entry: string, program: Program, kind: "fast" | "traced", builder: RoutineBuilder | null) {
  try {
    const code = emitPython(ir, kind === "traced");
    const tables = program.variant(kind);
    const slots: number[] = [];
    for (let at = 0; program.slots.has(stubArgument(at)); at++)
      slots.push(program.slots.get(stubArgument(at)) as number);
    const answer = program.slots.get(STUB_ANSWER) ?? 0;
    const pcs = new Map(tables.sites.map(({ label, id }, at) => [`${label}\n${id}`, callAt(tables, at)]));
    const stubs = code.stubs.map(({ label, node, adapter, verb }) => ({
      pc: pcs.get(`${label}\n${node}`) ?? 0,
      slots,
      answer,
      made: madeBy(adapter, verb),
    }));
    return {
      python: kind === "traced" ? loadPython(code, stubs, indexIr(ir), null) : loadPython(code, stubs, null, builder),
      entry: code.byLabel.get(entry) ?? 0,
    };
  } catch (thrown) {
    if (!(thrown instanceof MalformedOperand)) throw thrown;
    throw new FatalFailure("RUNTIME_BAD_PROGRAM", thrown.message, "program");
  }
}
