/** A Python program made ready for machines: its bytecode, the stubs of its adapter calls, and what runs it. */
import { instructionLength, Op } from "../../../compiler/bytecode/opcodes.ts";
import type { Program, VariantTables } from "../../../compiler/bytecode/program.ts";
import { emitPython, MalformedOperand } from "../../../compiler/bytecode/python/emit.ts";
import { STUB_ANSWER, stubArgument } from "../../../compiler/bytecode/python/stubs.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { FatalFailure } from "../../errors/failures.ts";
import type { Machine } from "../../machine/machine.ts";
import type { Executor } from "../../machine/slices/executor.ts";
import { PyExecutor } from "./executor.ts";
import { loadPython } from "./program.ts";

/** What makes the executor of a machine of `program`, whose labels are stubs. */
export function pythonExecutors(ir: Ir, entry: string, program: Program): (m: Machine) => Executor {
  let loaded: ReturnType<typeof load> | null = null;
  return (m) => {
    loaded ??= load(ir, entry, program);
    return new PyExecutor(m, loaded.python, loaded.entry);
  };
}

/** Adapters whose answers are objects always; of others this verb is. */
const ANSWERING: ReadonlySet<string> = new Set(["http", "llm", "approval", "signal"]);
const ANSWERING_VERBS: ReadonlySet<string> = new Set(["memory.get"]);

function isAlwaysObject(adapter: string, verb: string): boolean {
  return ANSWERING.has(adapter) || ANSWERING_VERBS.has(`${adapter}.${verb.toLowerCase()}`);
}

/** The instruction of a site's call: the charge of its block may stand before it. */
function callAt({ code, site_pc }: VariantTables, site: number): number {
  let pc = site_pc[site] as number;
  while (code[pc] === Op.Charge) pc += instructionLength(code, pc);
  return pc;
}

function load(ir: Ir, entry: string, program: Program) {
  try {
    const code = emitPython(ir);
    const tables = program.variant("fast");
    const slots: number[] = [];
    for (let at = 0; program.slots.has(stubArgument(at)); at++)
      slots.push(program.slots.get(stubArgument(at)) as number);
    const answer = program.slots.get(STUB_ANSWER) ?? 0;
    const pcs = new Map(tables.sites.map(({ label, id }, at) => [`${label}\n${id}`, callAt(tables, at)]));
    const stubs = code.stubs.map(({ label, node, adapter, verb }) => ({
      pc: pcs.get(`${label}\n${node}`) ?? 0,
      slots,
      answer,
      made: isAlwaysObject(adapter, verb) ? ("answer" as const) : ("record" as const),
    }));
    return { python: loadPython(code, stubs), entry: code.byLabel.get(entry) ?? 0 };
  } catch (thrown) {
    if (!(thrown instanceof MalformedOperand)) throw thrown;
    throw new FatalFailure("RUNTIME_BAD_PROGRAM", thrown.message, "program");
  }
}
