/**
 * The last two members of an IR, which are computed from all others: requirements and checksum. Most programs are compiled, run
 * and never asked for either, and together they cost as much as lowering: so each is computed when it is first read.
 */
import type { Task } from "../../grammar/text/task.ts";
import type { AdapterCatalog } from "../catalog.ts";
import { checksumOf, checksumTask } from "../ir/checksum.ts";
import type { ExecutionRequirements, Ir } from "../ir/graph.ts";
import { requirements, requirementsTask, type UnmeasuredIr } from "./requirements.ts";

/** What the computed members are made of, and what they were found to be. */
type Measures = {
  readonly catalog: AdapterCatalog;
  requirements: ExecutionRequirements | null;
  checksum: string | null;
};

const MEASURES = Symbol("measures");
type MeasuredIr = UnmeasuredIr & { readonly [MEASURES]: Measures };

/**
 * The same functions for every IR: with some of its own, V8 gives each IR a shape of its own, and whatever reads one after the other
 * is slow.
 */
const REQUIREMENTS: PropertyDescriptor & ThisType<MeasuredIr> = {
  enumerable: true,
  configurable: true,
  get() {
    const measures = this[MEASURES];
    measures.requirements ??= requirements(this, measures.catalog);
    return measures.requirements;
  },
};
const CHECKSUM: PropertyDescriptor & ThisType<MeasuredIr> = {
  enumerable: true,
  configurable: true,
  get() {
    const measures = this[MEASURES];
    measures.checksum ??= checksumOf(this);
    return measures.checksum;
  },
};

/** The whole IR. `parts` must not change any more. */
export function measured(parts: UnmeasuredIr, catalog: AdapterCatalog): Ir {
  const { ir_version, entry, labels, nodes, edges, endpoints, declarations } = parts;
  const ir = { ir_version, entry, labels, nodes, edges, endpoints, declarations };
  Object.defineProperty(ir, "execution_requirements", REQUIREMENTS);
  Object.defineProperty(ir, "checksum", CHECKSUM);
  const measures: Measures = { catalog, requirements: null, checksum: null };
  Object.defineProperty(ir, MEASURES, { value: measures });
  return ir as UnmeasuredIr as Ir;
}

/** The checksum of an IR, of one made by `measured` computed in pieces and kept. */
export function* measuredChecksum(ir: Ir): Task<string> {
  const measures = (ir as unknown as Partial<MeasuredIr>)[MEASURES];
  if (measures === undefined) return ir.checksum;
  measures.checksum ??= yield* checksumTask(ir);
  return measures.checksum;
}

/** Computes the members of an IR that `measured` made in pieces, so that reading them takes no time. */
export function* measureIr(ir: Ir): Task<void> {
  const measures = (ir as unknown as Partial<MeasuredIr>)[MEASURES];
  if (measures === undefined) return;
  measures.requirements ??= yield* requirementsTask(ir, measures.catalog);
  measures.checksum ??= yield* checksumTask(ir);
}
