/** What the command line says of itself. Loaded before anything else, so it imports next to nothing. */
import { IR_VERSION } from "../../compiler/ir/graph.ts";
import { RUNTIME_VERSION } from "../../vm/version.ts";

/** The version every answer of the command line names as runtime_version. */
export { RUNTIME_VERSION } from "../../vm/version.ts";

/** The line of `wf --version`, without its end. */
export function versionLine(nodeVersion: string): string {
  return `weft ${RUNTIME_VERSION} (ir ${IR_VERSION}, node ${nodeVersion})`;
}
