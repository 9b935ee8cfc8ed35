/**
 * The programs of a host: the bytecode of each IR and entry label, made on first use, with the machines that are free for it. Lives
 * as long as the IR does, and the one that was used last as long as the host. Knows nothing of requests.
 */
import type { Program } from "../../compiler/bytecode/program.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { labelName } from "../../compiler/ir/references.ts";
import { nearest } from "../../grammar/text/nearest.ts";
import { FatalFailure } from "../errors/failures.ts";
import { placedMessage } from "../errors/placed-message.ts";
import { type InputCheck, type InputShape, inputCheckOf, inputShapeOf } from "../inputs/check-inputs.ts";
import type { MachineOptions } from "../machine/options.ts";
import type { RunError } from "../run.ts";
import { ShortRuns } from "../tier/enter.ts";
import { hotLoops } from "../tier/loops/hot-loops.ts";
import type { TierPolicy } from "../tier/policy.ts";
import { loadError } from "./load-checks.ts";
import { machineCodeOf } from "./machine-code.ts";
import { MachinePool } from "./machine-pool.ts";

/** A program from one entry label, ready to run. */
export type ReadyProgram = {
  readonly machines: MachinePool;
  /** Written form of the entry label: `L1`, `L_entry`, `chk/ENTRY`. */
  readonly labelWritten: string;
  /** The check of its inputs; null: it declares none. */
  readonly inputs: { readonly check: InputCheck; readonly shape: InputShape } | null;
  /** Its runs in the tier; null: this host has none. */
  readonly short: ShortRuns | null;
};

export type ResolvedLabel = { readonly id: string } | { readonly id: null; readonly near: readonly string[] };

export class Programs {
  readonly #known = new WeakMap<Ir, Map<string, ReadyProgram>>();
  readonly #idle: MachineOptions;
  readonly #tier: TierPolicy | null;
  /** What was asked for last, which most hosts ask for again: two tables less to look into are a thirtieth of a ten-step run. */
  #last: { readonly ir: Ir; readonly entry: string | null; readonly ready: ReadyProgram } | null = null;

  /** `idle`: the options of machines without a run. `tier`: null: all runs are in the loop. */
  constructor(idle: MachineOptions, tier: TierPolicy | null) {
    this.#idle = idle;
    this.#tier = tier;
  }

  /** The program, or why it cannot be loaded. */
  find(ir: Ir, entry: string | null): ReadyProgram | RunError {
    const last = this.#last;
    if (last !== null && last.ir === ir && last.entry === entry) return last.ready;
    const known = this.#known.get(ir)?.get(entry ?? "");
    if (known !== undefined) {
      this.#last = { ir, entry, ready: known };
      return known;
    }
    const refused = loadError(ir, entry);
    if (refused !== null) return refused;
    if (entry === null) throw new Error("a program without entry passed the loader");
    return this.#add(ir, entry);
  }

  /** The same; throws FatalFailure of a load code, whose message tells the place. */
  load(ir: Ir, entry: string | null): ReadyProgram {
    const found = this.find(ir, entry);
    if ("machines" in found) return found;
    throw new FatalFailure(found.code as "RUNTIME_UNKNOWN_LABEL", placedMessage(found), "program", found.data);
  }

  #add(ir: Ir, entry: string): ReadyProgram {
    const code = machineCodeOf(ir, entry, this.#tier);
    const { program } = code;
    const inputs = inputsOf(ir, entry, program);
    // The tier generates code for the opcode form only.
    const tier = code.executor === null ? this.#tier : null;
    const machines = new MachinePool(code, this.#idle, hotLoops(program, tier));
    const short = tier === null ? null : new ShortRuns(program, inputs?.shape ?? null, tier);
    const ready = { machines, labelWritten: labelName(ir, entry), inputs, short };
    const known = this.#known.get(ir);
    if (known === undefined) this.#known.set(ir, new Map([[entry, ready]]));
    else known.set(entry, ready);
    return ready;
  }
}

function inputsOf(ir: Ir, entry: string, { slots }: Program): ReadyProgram["inputs"] {
  const check = inputCheckOf(ir, entry);
  const shape = inputShapeOf(ir, entry, slots);
  return check === null || shape === null ? null : { check, shape };
}

/** References are spelled freely (docs/language.md, labels): arrow, leading L and trailing colon mean nothing. */
export function resolveLabel(ir: Ir, label: string | undefined): ResolvedLabel {
  if (label === undefined) return ir.entry === null ? { id: null, near: [] } : { id: ir.entry };
  // By hand: every run asks, and patterns take longer.
  const text = label.slice(label.startsWith("->") ? 2 : 0, label.endsWith(":") ? -1 : undefined);
  const bare = text.startsWith("L") ? text.slice(1) : text;
  if (isStart(ir, bare)) return { id: bare };
  if (isStart(ir, text)) return { id: text };
  // A graph of the indented form is named as in its header: `helper` is the label `_helper`.
  if (isStart(ir, `_${text}`)) return { id: `_${text}` };
  const near = nearest(
    bare,
    Object.keys(ir.labels).filter((id) => isStart(ir, id)),
  );
  return { id: null, near: near === null ? [] : [near] };
}

/** Runs begin with functions of the program's own file, not with those of files that it imports. */
function isStart({ labels }: Ir, id: string): boolean {
  if (!Object.hasOwn(labels, id)) return false;
  return labels[id]?.python === undefined || !id.includes("/");
}
