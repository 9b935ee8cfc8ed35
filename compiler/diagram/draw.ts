/**
 * The diagram of a program, read from its IR. Ids of boxes are made here, so that no name of a program ever becomes syntax of a diagram.
 */
import { counted } from "../../grammar/text/english.ts";
import { type AdapterCatalog, PRIVILEGE_TIERS, type PrivilegeTier } from "../catalog.ts";
import { shownText } from "../hidden-characters.ts";
import type { Ir, IrEdge, IrNode, Port } from "../ir/graph.ts";
import { type IrIndex, indexIr } from "../ir/ir-index.ts";
import { stepText } from "../ir/step-text.ts";
import { capabilitiesOf } from "../policy/capabilities-of.ts";
import { labelNames } from "./label-names.ts";
import {
  type Arrow,
  type Box,
  type BoxShape,
  type Diagram,
  type DiagramOptions,
  edgeKey,
  type Group,
  stepKey,
  TIER_LETTERS,
} from "./model.ts";
import { startsOf } from "./starts.ts";
import { cutText, MAX_NAME, textLines } from "./text.ts";

export const FAILURE_PORTS: ReadonlySet<Port> = new Set<Port>(["err", "retry", "handler"]);

type Drawing = {
  readonly ir: Ir;
  readonly index: IrIndex;
  readonly nameOf: (label: string) => string;
  readonly catalog: AdapterCatalog;
  readonly options: DiagramOptions;
  readonly ids: Map<string, string>;
  readonly groups: Group[];
  readonly arrows: Arrow[];
};

export function diagramOf(ir: Ir, catalog: AdapterCatalog, options: DiagramOptions = {}): Diagram {
  const index = indexIr(ir);
  const drawing: Drawing = {
    ir,
    index,
    nameOf: labelNames(ir),
    catalog,
    options,
    ids: new Map(),
    groups: [],
    arrows: [],
  };
  const shown = index.labelIds.filter(
    (id) => options.label === undefined || options.label === null || id === options.label,
  );
  for (const id of shown) {
    drawing.groups.push(options.labelsOnly === true ? labelGroup(drawing, id) : stepGroup(drawing, id));
  }
  for (const id of shown) {
    drawArrows(drawing, id);
  }
  drawStarts(drawing, new Set(shown));
  return { groups: drawing.groups, arrows: drawing.arrows };
}

/** Ids count up in the order in which things are first named. */
function idOf({ ids }: Drawing, key: string): string {
  const known = ids.get(key);
  if (known !== undefined) return known;
  const id = `b${ids.size + 1}`;
  ids.set(key, id);
  return id;
}

const shownLabel = ({ nameOf }: Drawing, id: string): string => cutText(shownText(nameOf(id)), MAX_NAME);

function stepGroup(drawing: Drawing, label: string): Group {
  const nodes = drawing.index.nodesOf(label);
  const boxes = nodes.map((node) => stepBox(drawing, node));
  // A label without steps still has a place that arrows can lead to.
  if (boxes.length === 0) boxes.push(plainBox(drawing, entryKey(drawing, label), "label", ["no steps"]));
  const clusters = drawing.options.clusters ?? true;
  if (!clusters) return { id: "", title: null, boxes: withLabelNames(boxes, shownLabel(drawing, label)) };
  return { id: idOf(drawing, `group ${label}`), title: shownLabel(drawing, label), boxes };
}

/** Without frames the first step says which label it begins. */
function withLabelNames(boxes: readonly Box[], name: string): readonly Box[] {
  return boxes.map((box, at) => (at === 0 ? { ...box, lines: [`${name}:`, ...box.lines] } : box));
}

function stepBox(drawing: Drawing, node: IrNode): Box {
  const { marked, visits } = drawing.options;
  const key = stepKey(node.label, node.id);
  const tier = strongestTier([node], drawing.catalog);
  const isMarked = marked?.has(key) ?? false;
  return {
    id: idOf(drawing, key),
    shape: node.op === "If" ? "branch" : "step",
    lines: [
      ...textLines(`${signs(tier, isMarked)}${shownText(stepText(node))}`),
      ...visitLines(visits?.steps.get(key)),
    ],
    tier,
    marked: isMarked,
    step: { label: node.label, node: node.id },
  };
}

export function signs(tier: PrivilegeTier, marked: boolean): string {
  const letter = TIER_LETTERS[tier];
  return `${marked ? "✗ " : ""}${letter === "" ? "" : `[${letter}] `}`;
}

export function visitLines(visit: { count: number; ms: number; errors: number } | undefined): string[] {
  if (visit === undefined) return [];
  const failed = visit.errors === 0 ? "" : `, ${visit.errors} failed`;
  return [`${visit.count}×  ${visit.ms.toFixed(3)} ms${failed}`];
}

function labelGroup(drawing: Drawing, label: string): Group {
  const { marked, visits } = drawing.options;
  const nodes = drawing.index.nodesOf(label);
  const tier = strongestTier(nodes, drawing.catalog);
  const isMarked = nodes.some((node) => marked?.has(stepKey(label, node.id)) === true);
  const first = drawing.index.label(label)?.entry ?? nodes[0]?.id ?? "";
  const count = visits?.steps.get(stepKey(label, first))?.count;
  const box: Box = {
    id: idOf(drawing, entryKey(drawing, label)),
    shape: "label",
    lines: [
      `${signs(tier, isMarked)}${shownLabel(drawing, label)}`,
      counted(nodes.length, "step"),
      ...(count === undefined ? [] : [`${count}×`]),
    ],
    tier,
    marked: isMarked,
    step: null,
  };
  return { id: "", title: null, boxes: [box] };
}

function plainBox(drawing: Drawing, key: string, shape: BoxShape, lines: readonly string[]): Box {
  return { id: idOf(drawing, key), shape, lines, tier: "pure", marked: false, step: null };
}

/** The box an arrow to a label leads to: the label's own, or its first step. */
function entryKey({ index, options }: Drawing, label: string): string {
  const first = index.label(label)?.entry ?? index.nodesOf(label)[0]?.id;
  return options.labelsOnly === true || first === undefined ? `label ${label}` : stepKey(label, first);
}

export function strongestTier(nodes: readonly IrNode[], catalog: AdapterCatalog): PrivilegeTier {
  let rank = 0;
  for (const node of nodes) {
    for (const { privilege_tier } of capabilitiesOf(node.op, node.data, catalog))
      rank = Math.max(rank, PRIVILEGE_TIERS.indexOf(privilege_tier));
  }
  return PRIVILEGE_TIERS[rank] ?? "operator_sensitive";
}

function drawArrows(drawing: Drawing, label: string): void {
  const { index, options } = drawing;
  const edges = index.nodesOf(label).flatMap((node) => index.edgesFrom(label, node.id));
  if (options.labelsOnly === true)
    drawLabelArrows(
      drawing,
      label,
      edges.filter((edge) => edge.to_kind === "label"),
    );
  else for (const edge of edges) drawing.arrows.push(stepArrow(drawing, edge));
}

function stepArrow(drawing: Drawing, edge: IrEdge): Arrow {
  const count = drawing.options.visits?.edges.get(edgeKey(edge.label, edge.from, edge.port)) ?? 0;
  const to = edge.to_kind === "node" ? idOf(drawing, stepKey(edge.label, edge.to)) : labelBox(drawing, edge.to);
  return {
    from: idOf(drawing, stepKey(edge.label, edge.from)),
    to,
    text: arrowText(edge.port === "next" ? [] : [edge.port], count),
    failure: FAILURE_PORTS.has(edge.port),
    bold: count > 0,
  };
}

/** One arrow for all ways from one label to another. */
function drawLabelArrows(drawing: Drawing, label: string, edges: readonly IrEdge[]): void {
  for (const target of new Set(edges.map(({ to }) => to))) {
    const ways = edges.filter(({ to }) => to === target);
    const taken = ways.map((edge) => drawing.options.visits?.edges.get(edgeKey(label, edge.from, edge.port)) ?? 0);
    const count = taken.reduce((sum, one) => sum + one, 0);
    drawing.arrows.push({
      from: idOf(drawing, entryKey(drawing, label)),
      to: labelBox(drawing, target),
      text: arrowText([...new Set(ways.map(({ port }) => port))], count),
      failure: ways.every(({ port }) => FAILURE_PORTS.has(port)),
      bold: count > 0,
    });
  }
}

function arrowText(ports: readonly Port[], count: number): string {
  return [...ports, ...(count > 0 ? [`${count}×`] : [])].join(" ");
}

/** The box of a label that is led to; one that is not shown, or does not exist, gets a box of its own. */
function labelBox(drawing: Drawing, label: string): string {
  const { index, options, ids, groups } = drawing;
  const exists = index.label(label) !== undefined;
  const shown = exists && (options.label === undefined || options.label === null || options.label === label);
  if (shown) return idOf(drawing, entryKey(drawing, label));
  const key = `beyond ${label}`;
  if (!ids.has(key)) {
    const lines = exists ? [shownLabel(drawing, label)] : [shownLabel(drawing, label), "does not exist"];
    groups.push({ id: "", title: null, boxes: [plainBox(drawing, key, exists ? "label" : "missing", lines)] });
  }
  return idOf(drawing, key);
}

function drawStarts(drawing: Drawing, shown: ReadonlySet<string>): void {
  const { ir, groups, arrows } = drawing;
  for (const { key, shape, text, label } of startsOf(ir)) {
    if (!shown.has(label)) continue;
    const box = plainBox(drawing, key, shape, [text]);
    groups.push({ id: "", title: null, boxes: [box] });
    arrows.push({ from: box.id, to: labelBox(drawing, label), text: "", failure: false, bold: false });
  }
}
