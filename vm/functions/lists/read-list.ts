/** How the later list functions read their list: null is the empty list, anything else that is not a list fails. */
import type { Json } from "../../../compiler/json.ts";
import { OperationFailure } from "../../errors/failures.ts";
import { isList, typeName } from "../../values/values.ts";
import { required } from "../arguments.ts";

export function requiredList(args: readonly Json[], index: number, name: string): readonly Json[] {
  const value = required(args, index, name);
  if (isList(value)) return value;
  if (value === null) return [];
  throw new OperationFailure(`not a list: ${typeName(value)}`, "type_error");
}
