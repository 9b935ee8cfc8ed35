/**
 * What two programs differ in, as programs: what they may touch, their labels, steps and ways. Layout, comments and line numbers are
 * no difference. Labels are matched by name, steps of a label by what they do, so that an inserted step is one addition.
 */
import type { AdapterCatalog } from "../catalog.ts";
import { canonicalJson } from "../ir/canonical.ts";
import { DECLARATIONS_WITH_MEANING } from "../ir/checksum.ts";
import { type DeclaredInput, readDeclaredInputs } from "../ir/frame-inputs.ts";
import type { Ir, IrNode, Port } from "../ir/graph.ts";
import { type IrIndex, indexIr } from "../ir/ir-index.ts";
import { labelName } from "../ir/references.ts";
import { stepText } from "../ir/step-text.ts";
import type { Json, JsonObject } from "../json.ts";
import { type PowerChange, powerChanges } from "./powers.ts";
import { alignSequences } from "./sequence.ts";

type StepRef = {
  readonly node: string;
  readonly line: number | null;
  readonly file: string | null;
  readonly text: string;
};
export type StepChange =
  | { readonly change: "added"; readonly after: StepRef }
  | { readonly change: "removed"; readonly before: StepRef }
  | { readonly change: "changed"; readonly before: StepRef; readonly after: StepRef };
/** Where a step that both have leads: a label id or a node id, null for nowhere. `node` is the id after the change. */
export type WayChange = {
  readonly node: string;
  readonly port: Port;
  readonly before: string | null;
  readonly after: string | null;
};
export type LabelChange =
  | { readonly change: "added" | "removed"; readonly label: string; readonly steps: number }
  | {
      readonly change: "changed";
      readonly label: string;
      readonly steps: readonly StepChange[];
      readonly ways: readonly WayChange[];
    };
export type TextChange = { readonly change: "added" | "removed"; readonly text: string };
export type ProgramDiff = {
  readonly same: boolean;
  /** What the program may touch, first, because it decides who may run it. */
  readonly powers: readonly PowerChange[];
  /** null: the entry is the same. */
  readonly entry: { readonly before: string | null; readonly after: string | null } | null;
  readonly labels: readonly LabelChange[];
  readonly endpoints: readonly TextChange[];
  readonly declarations: readonly TextChange[];
};

const PORTS: readonly Port[] = ["next", "err", "retry", "handler", "then", "else", "body", "after", "call"];

export function diffPrograms(before: Ir, after: Ir, catalog: AdapterCatalog): ProgramDiff {
  const sides = { before: indexIr(before), after: indexIr(after) };
  const ids = [...new Set([...sides.before.labelIds, ...sides.after.labelIds])];
  const found = {
    powers: powerChanges(before, after, catalog),
    entry: before.entry === after.entry ? null : { before: before.entry, after: after.entry },
    labels: labelChanges(ids, sides.before, sides.after),
    endpoints: listChanges(endpointTexts(before), endpointTexts(after)),
    declarations: listChanges(declarationTexts(before), declarationTexts(after)),
  };
  const { powers, entry, labels, endpoints, declarations } = found;
  const same = entry === null && [powers, labels, endpoints, declarations].every((list) => list.length === 0);
  return { same, ...found };
}

function labelChanges(ids: readonly string[], before: IrIndex, after: IrIndex): LabelChange[] {
  const found: LabelChange[] = [];
  for (const id of ids) {
    found.push(...labelChange(id, before, after));
  }
  return found;
}

function labelChange(label: string, before: IrIndex, after: IrIndex): LabelChange[] {
  const was = before.label(label) !== undefined;
  const is = after.label(label) !== undefined;
  if (!was || !is) {
    const steps = (was ? before : after).nodesOf(label).length;
    return [{ change: was ? "removed" : "added", label, steps }];
  }
  const { pairs, steps } = matchSteps(before.nodesOf(label), after.nodesOf(label));
  const ways = wayChanges(label, before, after, pairs);
  return steps.length + ways.length === 0 ? [] : [{ change: "changed", label, steps, ways }];
}

type Pair = { readonly before: IrNode; readonly after: IrNode };

/** Steps that do the same are pairs; between them, steps of one op that come in turn are the same step, changed. */
function matchSteps(before: readonly IrNode[], after: readonly IrNode[]): { pairs: Pair[]; steps: StepChange[] } {
  const pairs: Pair[] = [];
  const steps: StepChange[] = [];
  let removed: IrNode[] = [];
  let added: IrNode[] = [];
  const closeGap = (): void => {
    for (const pair of pairedByOp(removed, added)) {
      if ("before" in pair && "after" in pair) {
        pairs.push(pair);
        steps.push({ change: "changed", before: refOf(pair.before), after: refOf(pair.after) });
      } else if ("before" in pair) steps.push({ change: "removed", before: refOf(pair.before) });
      else steps.push({ change: "added", after: refOf(pair.after) });
    }
    removed = [];
    added = [];
  };
  const [olds, news] = [before.values(), after.values()];
  const taken = (from: IterableIterator<IrNode>): IrNode[] => [from.next().value].filter((node) => node !== undefined);
  for (const { kind } of alignSequences(before.map(keyOf), after.map(keyOf))) {
    if (kind === "-") removed.push(...taken(olds));
    else if (kind === "+") added.push(...taken(news));
    else {
      closeGap();
      const [old] = taken(olds);
      const [fresh] = taken(news);
      if (old !== undefined && fresh !== undefined) pairs.push({ before: old, after: fresh });
    }
  }
  closeGap();
  return { pairs, steps };
}

type Gap = Pair | { readonly before: IrNode } | { readonly after: IrNode };

function pairedByOp(removed: readonly IrNode[], added: readonly IrNode[]): Gap[] {
  const found: Gap[] = [];
  const placesOfOp = new Map<string, number[]>();
  for (const [at, { op }] of added.entries()) {
    const places = placesOfOp.get(op);
    if (places === undefined) placesOfOp.set(op, [at]);
    else places.push(at);
  }
  // Backwards, so that the first place is the last of its list and can be taken off.
  for (const places of placesOfOp.values()) places.reverse();
  let next = 0;
  for (const before of removed) {
    const places = placesOfOp.get(before.op) ?? [];
    while ((places.at(-1) ?? next) < next) places.pop();
    const at = places.pop();
    const after = at === undefined ? undefined : added[at];
    if (at === undefined || after === undefined) {
      found.push({ before });
      continue;
    }
    for (const passed of added.slice(next, at)) found.push({ after: passed });
    found.push({ before, after });
    next = at + 1;
  }
  for (const passed of added.slice(next)) found.push({ after: passed });
  return found;
}

// Data of a node is JSON by construction; optional members are absent, never undefined.
const keyOf = (node: IrNode): string => canonicalJson([node.op, node.data as unknown as Json]);

function refOf(node: IrNode): StepRef {
  return { node: node.id, line: node.line ?? null, file: node.file ?? null, text: stepText(node) };
}

function wayChanges(label: string, before: IrIndex, after: IrIndex, pairs: readonly Pair[]): WayChange[] {
  const renamed = new Map(pairs.map((pair) => [pair.before.id, pair.after.id]));
  const kept = new Set(renamed.values());
  const found: WayChange[] = [];
  for (const pair of pairs) {
    for (const port of PORTS) {
      const was = before.edge(label, pair.before.id, port);
      const is = after.edge(label, pair.after.id, port);
      const from = was?.to_kind === "node" ? (renamed.get(was.to) ?? null) : (was?.to ?? null);
      const to = is?.to ?? null;
      if (from === to && was?.to_kind === is?.to_kind) continue;
      // Added and removed steps already show their place; only a changed order of the kept steps is reported.
      if (port === "next" && (from === null || to === null || !kept.has(to))) continue;
      found.push({ node: pair.after.id, port, before: was?.to ?? null, after: to });
    }
  }
  return found;
}

function endpointTexts(ir: Ir): string[] {
  return ir.endpoints.map(({ method, path, label, returns, settings }) =>
    [method, path, `->${labelName(ir, label)}`, ...(returns === null ? [] : [returns]), ...jsonOf(settings)].join(" "),
  );
}

function declarationTexts(ir: Ir): string[] {
  const meant = ir.declarations.filter(({ op }) => DECLARATIONS_WITH_MEANING.has(op));
  const declared = meant.map(({ op, slots, settings }) => [op, ...slots, ...jsonOf(settings)].join(" "));
  // Those of functions are their parameters.
  const inputs = meant.some(({ op }) => op === "frame") ? [] : readDeclaredInputs(ir);
  return [...declared, ...inputs.map(inputText)];
}

function inputText({ name, types, required }: DeclaredInput): string {
  return ["frame", name, types.join(" or "), ...(required === null ? [] : ["required"])].join(" ");
}

function jsonOf(settings: JsonObject | undefined): string[] {
  return settings === undefined ? [] : [JSON.stringify(settings)];
}

function listChanges(before: readonly string[], after: readonly string[]): TextChange[] {
  return alignSequences(before, after).flatMap(({ kind, text }): TextChange[] =>
    kind === " " ? [] : [{ change: kind === "+" ? "added" : "removed", text }],
  );
}
