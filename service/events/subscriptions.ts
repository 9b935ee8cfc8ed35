/** What programs say about the events that start their jobs (`@on`), read from their IR. */
import type { Ir, IrDeclaration } from "../../compiler/ir/graph.ts";
import { resolveReference } from "../../compiler/ir/references.ts";
import type { JsonObject } from "../../compiler/json.ts";

/** A function that an event starts. `when`, `key`: expressions over the data of the event; `parameter`: the one that takes the event. */
export type Subscription = {
  readonly name: string;
  /** Id. */
  readonly label: string;
  readonly parameter: string;
  readonly when: string | null;
  readonly key: string | null;
  /** Rules for its jobs, as they are written. */
  readonly flow: JsonObject;
  readonly line: number;
};

type Declaring = Pick<Ir, "declarations" | "labels">;

/** In the order of the program. */
export function subscriptionsOf({ declarations, labels }: Declaring): readonly Subscription[] {
  return declarations.flatMap(({ op, slots: [label = "", name], settings = {}, line }): readonly Subscription[] => {
    if (op !== "On" || name === undefined) return [];
    const id = resolveReference(label, (one) => Object.hasOwn(labels, one));
    const { when, key, ...flow } = settings;
    const parameter = labels[id]?.python?.params[0]?.name ?? "event";
    return [{ name, label: id, parameter, when: textOf(when), key: textOf(key), flow, line }];
  });
}

/** Names of the events that start jobs of a program, each once. `ir`: JSON. */
export function eventsIn(ir: string): readonly string[] {
  // Few programs have any, and reading a large one takes a moment.
  if (!ir.includes('"op":"On"')) return [];
  const { declarations } = JSON.parse(ir) as { readonly declarations: readonly IrDeclaration[] };
  return [...new Set(declarations.flatMap(({ op, slots }) => (op === "On" ? (slots[1] ?? []) : [])))];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
