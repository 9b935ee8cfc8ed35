/**
 * The last two members of an IR, which are computed from all others: requirements and checksum. Most programs are compiled, run
 * and never asked for either, and together they cost as much as lowering: so each is computed when it is first read.
 */
import type { AdapterCatalog } from "../catalog.ts";
import { requirements, type UnmeasuredIr } from "../policy/requirements.ts";
import { checksumOf } from "./checksum.ts";
import type { ExecutionRequirements, Ir } from "./graph.ts";

/** The whole IR. `parts` must not change any more. */
export function measured(parts: UnmeasuredIr, catalog: AdapterCatalog): Ir {
  let needs: ExecutionRequirements | null = null;
  let checksum: string | null = null;
  const { ir_version, entry, labels, nodes, edges, endpoints, declarations } = parts;
  return {
    ir_version,
    entry,
    labels,
    nodes,
    edges,
    endpoints,
    declarations,
    get execution_requirements() {
      needs ??= requirements(parts, catalog);
      return needs;
    },
    get checksum() {
      checksum ??= checksumOf(parts);
      return checksum;
    },
  };
}
