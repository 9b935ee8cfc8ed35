/** Compares generated expressions of the library, evaluated by its natives, with what CPython makes of them. */
import type { Row } from "../../../compiler/python/library/row.ts";
import { FatalFailure } from "../../../vm/errors/failures.ts";
import { Draw } from "../generate/draw.ts";
import type { Evaluator, Recorded } from "../library/support/evaluate.ts";
import { ExpressionOracle } from "../support/oracle-process.ts";
import { type Call, RowCalls } from "./expressions.ts";
import { operatorExpression } from "./operators.ts";

const BATCH = 100;
export const OPERATORS = "operators";

/** `value`: one of the two has a value; `class`: both raise, other classes; `text`: the same class, another text. */
type Severity = "value" | "class" | "text";
export type RowDifference = {
  readonly severity: Severity;
  readonly row: string;
  readonly text: string;
  readonly expected: string;
  readonly actual: string;
};
export type RowResult = {
  readonly row: string;
  compared: number;
  /** Of those, how many have a value in CPython. */
  values: number;
  /** Ended with RUNTIME_NOT_EXACT. */
  notExact: number;
  readonly differences: RowDifference[];
};

/** Compares `count` expressions of every row, and as many of operators under the name `operators`. */
export async function compareRows(
  rows: readonly (Row | typeof OPERATORS)[],
  evaluator: Evaluator,
  options: {
    readonly seed: number;
    readonly count: number;
    readonly python: string;
    readonly begins?: (row: string) => void;
  },
): Promise<RowResult[]> {
  const oracle = new ExpressionOracle(options.python);
  const results: RowResult[] = [];
  for (const row of rows) {
    const name = row === OPERATORS ? OPERATORS : row.name;
    options.begins?.(name);
    const draw = new Draw(options.seed);
    const calls = row === OPERATORS ? null : new RowCalls(row);
    const result: RowResult = { row: name, compared: 0, values: 0, notExact: 0, differences: [] };
    for (let done = 0; done < options.count; done += BATCH) {
      const made = Array.from({ length: Math.min(BATCH, options.count - done) }, () => oneCall(calls, draw)).filter(
        (call) => call !== null,
      );
      const records = await oracle.records(made.map(({ text }) => text));
      for (const [index, record] of records.entries()) {
        if (record === null) continue;
        calls?.learn(made[index]?.way ?? "", record.raises !== "TypeError");
        compareOne(result, record, evaluator);
      }
    }
    results.push(result);
  }
  await oracle.close();
  return results;
}

function oneCall(calls: RowCalls | null, draw: Draw): Call | null {
  return calls === null ? { text: operatorExpression(draw), way: "" } : calls.call(draw);
}

function compareOne(result: RowResult, record: Recorded, evaluator: Evaluator): void {
  // Functions of the tables have no text, no hash and no check of their arguments.
  if (/<function|<lambda>|<built-in| object at 0x/.test(JSON.stringify([record.gives, record.message]))) return;
  result.compared += 1;
  if (record.raises === undefined) result.values += 1;
  const add = (expected: unknown, actual: unknown): void => {
    const severity = severityOf(expected, actual);
    const [said, got] = [expected, actual].map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
    result.differences.push({ row: result.row, severity, text: record.text, expected: said ?? "", actual: got ?? "" });
  };
  try {
    const { expected, actual } = evaluator.outcome(record);
    // A builtin that is not there yet.
    if (/"NameError"|unhashable type: 'function'/.test(JSON.stringify(actual))) result.compared -= 1;
    else if (typeof actual === "string" && actual.startsWith("not exact")) result.notExact += 1;
    else if (!isSame(expected, actual, record.text)) add(expected, actual);
  } catch (error) {
    if (error instanceof FatalFailure && error.code === "RUNTIME_NOT_EXACT") {
      result.notExact += 1;
      return;
    }
    const { gives, raises, message } = record;
    add(raises === undefined ? gives : { raises, message }, `throws ${String(error).slice(0, 400)}`);
  }
}

function severityOf(expected: unknown, actual: unknown): Severity {
  const [left, right] = [classOf(expected), classOf(actual)];
  if (left === null || right === null) return "value";
  return left === right ? "text" : "class";
}

function classOf(outcome: unknown): string | null {
  return typeof outcome === "object" && outcome !== null && "raises" in outcome ? String(outcome.raises) : null;
}

/** The last bit of powers of floats is not promised (docs/python.md). */
function isSame(expected: unknown, actual: unknown, text: string): boolean {
  if (JSON.stringify(expected) === JSON.stringify(actual)) return true;
  if (!/\*\*|\bpow\b|\bmath\./.test(text)) return false;
  const [left, right] = [floatOf(expected), floatOf(actual)];
  return left !== null && right !== null && Math.abs(left - right) <= Math.abs(left) * 2 * Number.EPSILON;
}

function floatOf(encoded: unknown): number | null {
  const isFloat = typeof encoded === "object" && encoded !== null && "float" in encoded;
  return isFloat ? Number(encoded.float) : null;
}
