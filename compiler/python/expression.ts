/**
 * Expressions over `data` that stand in a text: which events start a job, and under which key. Dots read members of `data`, as of all data that Weft
 * itself makes. They call no adapter: their value depends on `data` alone.
 */
import { filled } from "../../grammar/python/findings.ts";
import { parsePython } from "../../grammar/python/parse.ts";
import type { AdapterCatalog } from "../catalog.ts";
import { IR_VERSION, type Ir } from "../ir/graph.ts";
import { capabilitiesOf } from "../policy/capabilities-of.ts";
import { measured } from "../policy/measured.ts";
import { lowerProgram } from "./file.ts";
import { loadFiles } from "./imports/files.ts";
import { REFUSALS } from "./refusals.ts";

/** `problem`: why it cannot be used, as a part of a sentence. */
export type CompiledExpression =
  | { readonly ir: Ir; readonly problem: null }
  | { readonly ir: null; readonly problem: string };

const MOST_UNITS = 2000;

/** A program of one function with the parameter `data`. `gives`: the value of the expression, or whether it is true. */
export function compileExpression(text: string, gives: "value" | "truth", catalog: AdapterCatalog): CompiledExpression {
  if (text.length > MOST_UNITS) return failed(`it is longer than ${MOST_UNITS} characters`);
  const alone = parsePython(`(${text}\n)`);
  const [only, second] = alone.module?.body ?? [];
  if (only?.kind !== "Expr" || second !== undefined) return failed("it is not one expression");
  const inner = `(${text}\n)`;
  const source = `def main(data):\n    return ${gives === "truth" ? `bool(${inner})` : inner}\n`;
  const { module } = parsePython(source);
  if (module === null) return failed("it is not one expression");
  const files = loadFiles(module, source, undefined);
  const lowered = lowerProgram(files, catalog);
  for (const { refusals } of lowered.refusals)
    for (const { row, words } of refusals) return failed(filled(REFUSALS[row]?.sentence ?? row, words));
  const { entry, nodes, edges, endpoints, declarations } = lowered;
  const main = lowered.labels[entry];
  const python = main?.python;
  if (python === undefined) return failed("it is not one expression");
  const params = python.params.map((one) => ({ ...one, made: "record" }) as const);
  const labels = { ...lowered.labels, [entry]: { ...main, python: { ...python, params } } } as Ir["labels"];
  const ir = measured({ ir_version: IR_VERSION, entry, labels, nodes, edges, endpoints, declarations }, catalog);
  const call = nodes
    .flatMap((node) => capabilitiesOf(node.op, node.data, catalog))
    .find(({ adapter, dynamic }) => {
      return adapter !== null || dynamic;
    });
  if (call !== undefined) return failed(`it calls ${call.adapter ?? "an adapter"}.${call.verb ?? "*"}`);
  return { ir, problem: null };
}

function failed(problem: string): CompiledExpression {
  return { ir: null, problem };
}
