/**
 * Which labels of a program can be written as the blocks of the one step that goes to them. Knows references and how labels end; whether the blocks
 * mean the same is known when the programs are compared.
 */

import type { LabelLine, Ref, SourceFile, Step } from "../../grammar/ast.ts";
import type { Ir } from "../ir/graph.ts";
import { resolveReference } from "../ir/references.ts";

/** A label with all its steps. */
type Labelled = { readonly id: string; readonly steps: readonly Step[] };
/** `next`: the block of `else`, or what follows a loop. */
export type BlockParts = { readonly body: Labelled; readonly next: Labelled };

export type LabelBlocks = {
  readonly isBlock: (label: string) => boolean;
  readonly of: (step: Step) => BlockParts | null;
  readonly stepsOf: (line: LabelLine) => readonly Step[];
  /** The name of each label in `after`, the compiled text; `labelOf` names the graphs. */
  readonly namesIn: (after: Ir, labelOf: (id: string) => string) => (id: string) => string;
};

type Way = { readonly parent: string; readonly port: string };

/** Without blocks where they are not wanted. */
export function findBlocks(file: SourceFile, isWanted: boolean): LabelBlocks {
  const steps = stepsByLabel(file);
  if (!isWanted) return blocksWith(new Map(), new Map(), steps);
  const known = (id: string): boolean => steps.has(id);
  const idOf = ({ text }: Ref): string => resolveReference(text, known);
  const uses = usesOf(file, steps, idOf);
  const [entry] = steps.keys();
  const isFree = (id: string, parent: string): boolean =>
    id !== entry &&
    id !== parent &&
    (steps.get(id)?.length ?? 0) > 0 &&
    uses.get(id) === 1 &&
    !/^(?:ENTRY$|EXIT_)/.test(id);
  const parts = new Map<Step, BlockParts>();
  const ways = new Map<string, Way>();
  for (const [parent, own] of steps) {
    const last = own.at(-1);
    const [first, second] = last === undefined ? [] : waysOf(last);
    if (last === undefined || first === undefined || second === undefined) continue;
    const [body, next] = [idOf(first), idOf(second)];
    if (body === next || !isFree(body, parent) || !isFree(next, parent)) continue;
    const bodySteps = steps.get(body) ?? [];
    if (last.op !== "If" && !endsInNull(bodySteps)) continue;
    parts.set(last, { body: { id: body, steps: bodySteps }, next: { id: next, steps: steps.get(next) ?? [] } });
    ways.set(body, { parent, port: last.op === "If" ? "then" : "body" });
    ways.set(next, { parent, port: last.op === "If" ? "else" : "after" });
  }
  for (const id of [...ways.keys()]) if (isCircular(id, ways)) return blocksWith(new Map(), new Map(), steps);
  return blocksWith(parts, ways, steps);
}

function blocksWith(
  parts: ReadonlyMap<Step, BlockParts>,
  ways: ReadonlyMap<string, Way>,
  steps: ReadonlyMap<string, readonly Step[]>,
): LabelBlocks {
  return {
    isBlock: (label) => ways.has(label),
    of: (step) => parts.get(step) ?? null,
    stepsOf: (line) => steps.get(line.id) ?? line.steps,
    namesIn: (after, labelOf) => {
      const targets = new Map<string, string>(
        after.edges.flatMap(({ label, port, to, to_kind }) =>
          to_kind === "label" ? [[`${label}\0${port}`, to] as const] : [],
        ),
      );
      // Blocks in blocks are named by way of those around them.
      const names = new Map<string, string>();
      const nameOf = (id: string): string => {
        const known = names.get(id);
        if (known !== undefined) return known;
        const way = ways.get(id);
        const name = way === undefined ? labelOf(id) : (targets.get(`${nameOf(way.parent)}\0${way.port}`) ?? id);
        names.set(id, name);
        return name;
      };
      return nameOf;
    },
  };
}

function stepsByLabel({ lines }: SourceFile): ReadonlyMap<string, readonly Step[]> {
  const found = new Map<string, Step[]>();
  let own: Step[] | undefined;
  for (const line of lines) {
    if (line.kind === "label") {
      own = found.get(line.id) ?? [];
      found.set(line.id, own);
      own.push(...line.steps);
    } else if (line.kind === "step") own?.push(line.step);
  }
  return found;
}

/** The ways out of a step that ends its label, when it has two. A text comparison has no form as an expression. */
function waysOf(step: Step): readonly Ref[] {
  if (step.op === "Loop") return [step.body, step.after];
  if (step.op !== "If" && step.op !== "While") return [];
  let { cond } = step;
  while (cond.c === "not") cond = cond.of;
  if (cond.c === "text_eq") return [];
  if (step.op === "While") return [step.body, step.after];
  return step.else === null ? [] : [step.then, step.else];
}

function endsInNull(steps: readonly Step[]): boolean {
  const last = steps.at(-1);
  return last?.op === "J" && last.value?.k === "null";
}

/** How often each label is gone to, by steps and by declarations. */
function usesOf(
  { lines }: SourceFile,
  steps: ReadonlyMap<string, readonly Step[]>,
  idOf: (ref: Ref) => string,
): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  const add = (ref: Ref | null): void => {
    if (ref !== null) uses.set(idOf(ref), (uses.get(idOf(ref)) ?? 0) + 1);
  };
  for (const own of steps.values()) for (const step of own) for (const ref of referencesOf(step)) add(ref);
  for (const line of lines) {
    if (line.kind !== "declaration") continue;
    for (const slot of line.slots) add({ ...slot, text: slot.text.replace(/^->/, "") } as unknown as Ref);
  }
  return uses;
}

function referencesOf(step: Step): readonly (Ref | null)[] {
  switch (step.op) {
    case "If":
      return [step.then, step.else];
    case "Loop":
    case "While":
      return [step.body, step.after];
    case "Err":
      return [step.handler];
    case "Call":
      return [step.label];
    case "Each":
      return [step.body];
    case "Par":
      return step.bodies;
    default:
      return [];
  }
}

/** Whether the way to a label leads through itself. */
function isCircular(id: string, ways: ReadonlyMap<string, Way>): boolean {
  const seen = new Set<string>();
  for (let at: string | undefined = id; at !== undefined; at = ways.get(at)?.parent) {
    if (seen.has(at)) return true;
    seen.add(at);
  }
  return false;
}
