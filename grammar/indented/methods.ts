/** `x.f(a)` that no repair is known for: values have no methods here. */

/** What is said of a call of `method`. */
export function adviceForMethod(method: string): string {
  const named = Object.hasOwn(INSTEAD, method) ? INSTEAD[method] : undefined;
  return named ?? `values have no methods; see the functions for ${method}`;
}

export const NO_FUNCTION_HERE =
  "no function is written in place: build the list, [r.name for r in rows if r.price > 1], or write a for loop";
const LOOP = "values have no methods: build the list, [value for x in list if condition], or write a loop";
const PLACE =
  "values have no methods: go through for i, x in enumerate(list); of a text, match(text, pattern).start is the place";

const INSTEAD: Readonly<Record<string, string>> = {
  map: LOOP,
  filter: LOOP,
  reduce: LOOP,
  forEach: LOOP,
  find: PLACE,
  index: PLACE,
  indexOf: PLACE,
  pop: "values have no methods: read xs[-1], then set xs = xs[:-1]",
  remove: "values have no methods: xs = [x for x in xs if x != value]; of an object, d = omit(d, key)",
  insert: "values have no methods: xs = xs[:i] + [value] + xs[i:]",
  setdefault: "values have no methods: if key not in d: and d[key] = value",
  clear: "values have no methods: set xs = [], or d = {}",
  sort: "values have no methods: xs = sort(xs), or sort_by(xs, field)",
  then: "calls wait for their result: use it on the next line",
};
