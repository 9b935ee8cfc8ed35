/** Items for natives that cannot wait for a function of the program. */
import { notExact } from "../not-exact.ts";
import { type Context, isCalling, type Value } from "../object.ts";
import { item } from "../operators/access.ts";

export function itemNow(container: Value, key: Value, ctx: Context): Value {
  const found = item(container, key, ctx);
  if (isCalling(found))
    throw notExact("a defaultdict whose factory is a function of the program cannot be read here; pass a dict");
  return found;
}
