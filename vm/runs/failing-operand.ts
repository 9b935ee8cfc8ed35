/**
 * Which operand of a failed step had a value of the wrong kind, as it is written, and in which graph it stands. Told from the program and the variables
 * at the failure, outside of the run: what a program sees of a failure does not change.
 */
import type { Ir, IrNode, IrOperand } from "../../compiler/ir/graph.ts";
import { operandsOf, walkOperands } from "../../compiler/ir/operands.ts";
import { operandText } from "../../compiler/ir/step-text.ts";
import type { Json } from "../../compiler/json.ts";
import { writtenLabel } from "../../grammar/text/written-label.ts";
import type { RunError } from "../run.ts";
import { walk } from "../values/paths.ts";
import { typeName } from "../values/values.ts";

const KINDS: ReadonlySet<unknown> = new Set(["type_error", "comparison"]);
const TYPE = /\b(?:null|bool|int|float|string|list|dict)\b/g;
const MAX_TEXT = 120;

/** `error` with the graph of its place and, where one is to blame, `operand` and `operand_type`. `read` gives a variable at the failure. */
export function withOperand(error: RunError, ir: Ir, read: (name: string) => Json | undefined): RunError {
  if (error.code !== "RUNTIME_OP_ERROR" || !KINDS.has(error.data["cause_type"])) return error;
  const node = ir.nodes.find(({ label, id }) => label === error.label && id === error.node);
  const found = node === undefined ? null : operandToBlame(node, error.message, read);
  if (found === null) return error;
  const written = writtenLabel(error.label ?? "");
  const graph = written === `L${error.label}` ? {} : { graph: written };
  return { ...error, data: { ...error.data, ...graph, ...found } };
}

/** The first operand whose type the message names; null before anything else, because that is what is missing. */
function operandToBlame(
  node: IrNode,
  message: string,
  read: (name: string) => Json | undefined,
): { readonly operand: string; readonly operand_type: string } | null {
  const types = new Set<string>(message.match(TYPE));
  const candidates: { readonly operand: string; readonly operand_type: string }[] = [];
  walkOperands(operandsOf(node.op, node.data), (operand) => {
    const value = readValue(operand, read);
    const operand_type = value === undefined ? null : typeName(value);
    if (operand_type !== null && types.has(operand_type))
      candidates.push({ operand: operandText(operand).replace(/^\$/, "").slice(0, MAX_TEXT), operand_type });
  });
  return candidates.find(({ operand_type }) => operand_type === "null") ?? candidates[0] ?? null;
}

/** undefined for what is written out, or computed. */
function readValue(operand: IrOperand, read: (name: string) => Json | undefined): Json | undefined {
  if (operand.k === "var") return read(operand.v) ?? null;
  if (operand.k === "name") return read(operand.v) ?? operand.v;
  if (operand.k !== "path") return undefined;
  const root = read(operand.root);
  return root === undefined ? (operand.text ?? null) : walk(root, operand.segments);
}
