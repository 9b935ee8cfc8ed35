/** The result of an endpoint against the type that it declares, when that is a `D` type or a list of one. */
import type { Ir } from "../../../compiler/ir/graph.ts";
import { readRecordTypes } from "../../../compiler/ir/record-types.ts";
import { type InputProblem, TypeReader, type ValueCheck } from "../../../vm/inputs/value-types.ts";
import type { Services } from "../../services.ts";
import type { EventContext } from "../../telemetry/events.ts";
import { ServiceFault } from "../../wire/errors.ts";
import type { ReadyEndpoint } from "./program-api.ts";

const known = new WeakMap<Ir, Map<string, ValueCheck | null>>();

/** Throws ServiceFault response_type; the log has the place of the first difference. */
export function checkResponse(
  { events }: Pick<Services, "events">,
  ir: Ir,
  { endpoint }: Pick<ReadyEndpoint, "endpoint">,
  out: unknown,
  context: EventContext,
): void {
  const { type } = endpoint;
  if (type === null) return;
  const found: InputProblem[] = [];
  checkOf(ir, type)?.(out, "", found);
  const [first] = found;
  if (first === undefined) return;
  events.note("error", "response_type", { path: first.path, problem: first.message }, context);
  throw new ServiceFault("response_type", "the result is not of the type that the endpoint declares");
}

/** null: the type names no record, so that nothing is promised. */
function checkOf(ir: Ir, type: string): ValueCheck | null {
  let checks = known.get(ir);
  if (checks === undefined) {
    checks = new Map();
    known.set(ir, checks);
  }
  let check = checks.get(type);
  if (check === undefined) {
    const records = readRecordTypes(ir.declarations);
    const named = /[A-Za-z_][A-Za-z0-9_]*/g;
    const isRecord = (type.match(named) ?? []).some((word) => records.has(word));
    check = isRecord ? new TypeReader(records).checkOf(type) : null;
    checks.set(type, check);
  }
  return check;
}
