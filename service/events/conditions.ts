/** What `when` and `key` of a function say about an event. Each expression is compiled once, and runs with bounds of its own (docs/events.md). */
import { BoundedMap } from "../../compiler/bounded-map.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import { type CompiledExpression, compileExpression } from "../../compiler/python/expression.ts";
import type { Host } from "../../vm/host.ts";

/** Of one evaluation. */
const LIMITS = {
  max_steps: 2000,
  max_depth: 64,
  max_adapter_calls: 0,
  max_time_ms: 200,
  max_frame_bytes: 16 * 1024 * 1024,
} as const;
const KEPT = 1000;
/** Characters of a key. */
const MAX_KEY = 256;

/** `error`: a code. */
export type Said = { readonly value: Json; readonly error: null } | { readonly value: null; readonly error: string };

export class Conditions {
  readonly #host: Pick<Host, "runSync" | "catalog">;
  readonly #compiled = new BoundedMap<CompiledExpression>({ max: KEPT });

  constructor(host: Pick<Host, "runSync" | "catalog">) {
    this.#host = host;
  }

  /** Why an expression cannot be used; null: it can. */
  problem(text: string, gives: "value" | "truth"): string | null {
    return this.#expression(text, gives).problem;
  }

  /** Whether the data are what the expression is about. */
  holds(text: string, data: Json): Said {
    return this.#run(text, "truth", data);
  }

  /** The key that the expression gives; null: none. */
  key(text: string, data: Json): Said {
    const said = this.#run(text, "value", data);
    const { value } = said;
    if (said.error !== null || value === null) return said;
    const isPlain = typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
    const key = isPlain ? String(value) : "";
    return key === "" || key.length > MAX_KEY
      ? { value: null, error: "event_key_invalid" }
      : { value: key, error: null };
  }

  #expression(text: string, gives: "value" | "truth"): CompiledExpression {
    const name = `${gives} ${text}`;
    const known = this.#compiled.get(name);
    if (known !== undefined) return known;
    const made = compileExpression(text, gives, this.#host.catalog);
    this.#compiled.set(name, made);
    return made;
  }

  #run(text: string, gives: "value" | "truth", data: Json): Said {
    const { ir } = this.#expression(text, gives) as { readonly ir: Ir | null };
    if (ir === null) return { value: null, error: "expression_invalid" };
    const answer = this.#host.runSync({ ir, frame: { data }, limits: LIMITS });
    return answer.ok ? { value: answer.out, error: null } : { value: null, error: answer.error.code };
  }
}
