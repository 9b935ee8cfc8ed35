/** The order of a set is private to CPython. These are the ways to walk one without showing it. */
import { type PyException, Raised, raisedLoosely, TYPE_ERROR } from "../exceptions.ts";
import { PyFloat } from "../kinds/float.ts";
import { PyTuple } from "../kinds/list.ts";
import { PySet } from "../kinds/set.ts";
import { notExact } from "../not-exact.ts";
import type { Context, Value } from "../object.ts";

export function orderShown() {
  return notExact("the order of a set is not defined in Python; write sorted(s)");
}

/** Members for what sorts or compares them: of frozensets and nan the result depends on the order in which they come. */
export function unorderedMembers(set: PySet, ctx: Context): Value[] {
  ctx.charge(set.members.size);
  const members = [...set.members.values()];
  if (!members.every(isOrdered)) throw orderShown();
  return members;
}

function isOrdered(value: Value): boolean {
  if (value instanceof PyTuple) return value.items.every(isOrdered);
  return !(value instanceof PySet) && !(value instanceof PyFloat && Number.isNaN(value.value));
}

/** A comparison that failed: which pair came first, and so its text, depends on the order. */
export function withoutOrder(error: unknown): unknown {
  if (!(error instanceof Raised) || error.exception.type !== TYPE_ERROR) return error;
  return raisedLoosely(TYPE_ERROR, String((error.exception as PyException).args.items[0]));
}
