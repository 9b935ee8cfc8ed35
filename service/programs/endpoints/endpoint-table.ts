/** Which endpoint of a program answers a path: a tree of segments, in which a literal goes before a parameter. */
import type { ServedEndpoint } from "./served-endpoints.ts";

export type Match<T> =
  | { readonly found: T; readonly parameters: ReadonlyMap<string, string> }
  /** The path exists with these methods only; empty for an unknown path. */
  | { readonly allowed: readonly string[] };

type Node<T> = {
  readonly literals: Map<string, Node<T>>;
  parameter: Node<T> | null;
  /** By method. */
  readonly here: Map<string, T>;
};

const node = <T>(): Node<T> => ({ literals: new Map(), parameter: null, here: new Map() });

export class EndpointTable<T extends ServedEndpoint> {
  readonly #root: Node<T> = node();

  constructor(endpoints: readonly T[]) {
    for (const one of endpoints) {
      let at = this.#root;
      for (const segment of one.segments) {
        const next = "literal" in segment ? at.literals.get(segment.literal) : at.parameter;
        const made: Node<T> = next ?? node();
        if ("literal" in segment) at.literals.set(segment.literal, made);
        else at.parameter = made;
        at = made;
      }
      at.here.set(one.endpoint.method, one);
    }
  }

  match(method: string, segments: readonly string[]): Match<T> {
    const allowed = new Set<string>();
    const found = this.#find(this.#root, method, segments, 0, allowed);
    // What answers GET answers HEAD, without the body (RFC 9110, 9.3.2).
    if (found === null && method === "HEAD" && allowed.has("GET")) return this.match("GET", segments);
    if (found === null) return { allowed: [...allowed, ...(allowed.has("GET") ? ["HEAD"] : [])].sort() };
    const parameters = new Map<string, string>();
    for (const [at, segment] of found.segments.entries())
      if ("parameter" in segment) parameters.set(segment.parameter, segments[at] ?? "");
    return { found, parameters };
  }

  /** A path may fit several templates: the first that has the method answers. */
  #find(at: Node<T>, method: string, segments: readonly string[], depth: number, allowed: Set<string>): T | null {
    const segment = segments[depth];
    if (segment === undefined) {
      for (const one of at.here.keys()) allowed.add(one);
      return at.here.get(method) ?? null;
    }
    const literal = at.literals.get(segment);
    const found = literal === undefined ? null : this.#find(literal, method, segments, depth + 1, allowed);
    if (found !== null || at.parameter === null || segment === "") return found;
    return this.#find(at.parameter, method, segments, depth + 1, allowed);
  }
}
