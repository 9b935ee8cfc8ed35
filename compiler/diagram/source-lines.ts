/**
 * The diagram of a program in Python by its source: a box is a line, as it is written, and a frame a function. What the compiler made of a line (its
 * hidden variables, the ways of an exception through handlers, the ends of `finally`) is not shown: ways through it lead to the next line.
 */
import type { AdapterCatalog } from "../catalog.ts";
import { shownText } from "../hidden-characters.ts";
import type { Ir, IrNode, Port } from "../ir/graph.ts";
import { type IrIndex, indexIr } from "../ir/ir-index.ts";
import { FAILURE_PORTS, signs, strongestTier, visitLines } from "./draw.ts";
import { calledText } from "./host-words.ts";
import { functionName } from "./label-names.ts";
import { Blocks, type LogicalLine, logicalLines } from "./logical-lines.ts";
import {
  type Arrow,
  type Box,
  type Diagram,
  type DiagramOptions,
  type Group,
  type StepId,
  type StepVisits,
  stepKey,
} from "./model.ts";
import { startsOf } from "./starts.ts";
import { cutText, MAX_NAME, textLines } from "./text.ts";
import { globalsIn, isDefinition, isShown, type Way, waysPast } from "./written-steps.ts";

/** What a way is taken for, in Python's words. Those of conditions follow from where they lead: `if not a` is compiled as `if a`. */
const WAYS: Partial<Record<Port, string>> = {
  ...{ body: "next", after: "at the end" },
  ...{ err: "on an error", call: "calls", retry: "again", handler: "on an error" },
};

type LineOptions = Pick<DiagramOptions, "marked" | "visits">;

/** `source`: null where it is not known; a line says its number and what it calls. */
export function lineDiagramOf(
  ir: Ir,
  source: string | null,
  catalog: AdapterCatalog,
  options: LineOptions = {},
): Diagram {
  const drawing = new LineDrawing(ir, source, catalog, options);
  for (const label of drawing.index.labelIds) drawing.addFunction(label);
  for (const label of drawing.index.labelIds) drawing.addArrows(label);
  drawing.addStarts();
  return { groups: drawing.groups, arrows: [...drawing.arrows.values()] };
}

class LineDrawing {
  readonly index: IrIndex;
  readonly groups: Group[] = [];
  /** By the two boxes, and by whether it is the way of a failure. */
  readonly arrows = new Map<string, Arrow>();
  readonly #ir: Ir;
  readonly #catalog: AdapterCatalog;
  readonly #options: LineOptions;
  readonly #lines: ReadonlyMap<number, LogicalLine>;
  readonly #blocks: Blocks;
  /** Of each box, the number of its line. */
  readonly #lineNumbers = new Map<string, number>();
  /** Of each node that is shown, the id of its box. */
  readonly #boxes = new Map<IrNode, string>();
  /** Of every node, that of its line. */
  readonly #lineBoxes = new Map<IrNode, string>();
  /** Of each function, the box in which it begins. */
  readonly #entries = new Map<string, string>();
  /** Lambdas and generators of a function, which stand in its lines. */
  readonly #inner = new Map<string, readonly string[]>();
  readonly #ways = new Map<string, readonly Way[]>();
  #count = 0;

  constructor(ir: Ir, source: string | null, catalog: AdapterCatalog, options: LineOptions) {
    this.#options = options;
    this.index = indexIr(ir);
    this.#ir = ir;
    this.#catalog = catalog;
    this.#lines = logicalLines(source ?? "");
    this.#blocks = new Blocks([...new Set(this.#lines.values())]);
    for (const label of this.index.labelIds) {
      const around = this.#around(label);
      if (around !== null) this.#inner.set(around, [...(this.#inner.get(around) ?? []), label]);
    }
  }

  addFunction(label: string): void {
    if (this.#around(label) !== null) return;
    const own = this.index.nodesOf(label);
    const nodes = [...own, ...this.#innerOf(label).flatMap((one) => this.index.nodesOf(one))];
    const isModule = this.#ir.labels[label]?.python?.kind === "module";
    const shown = nodes.filter((node) => isShown(node) && !(isModule && isDefinition(node)));
    if (shown.length === 0 && !isModule) shown.push(...own.slice(0, 1));
    if (shown.length === 0) return;
    const all = this.#byLine(nodes);
    const id = this.#id();
    const boxes = [...this.#byLine(shown)].map(([key, each]) => this.#box(each, all.get(key) ?? each));
    this.groups.push({ id, title: cutText(shownText(functionName(this.#ir, label) ?? label), MAX_NAME), boxes });
    const entry = this.index.label(label)?.entry ?? null;
    const [first] = entry === null ? [] : this.#reached(label, entry);
    this.#entries.set(label, first?.box ?? (boxes[0] as Box).id);
  }

  addArrows(label: string): void {
    /** Of each line, where its conditions lead. */
    const conditions = new Map<string, Set<string>>();
    for (const node of this.index.nodesOf(label)) {
      const from = this.#lineBoxes.get(node);
      if (from === undefined) continue;
      for (const { port, to, to_kind } of this.index.edgesFrom(label, node.id)) {
        if (to_kind === "label") this.#call(from, to);
        else if (this.#boxes.has(node))
          for (const { box, raised } of this.#reached(label, to))
            if (raised || (port !== "then" && port !== "else")) this.#arrow(from, box, raised ? "err" : port);
            else conditions.set(from, (conditions.get(from) ?? new Set()).add(box));
      }
      for (const name of globalsIn(node)) this.#call(from, name);
    }
    for (const [from, ways] of conditions)
      for (const to of ways) this.#arrow(from, to, "next", this.#truth(from, to, ways));
  }

  /** Whether a way of a condition is that of true: the one into the block of its line. "": its line has no block. */
  #truth(from: string, to: string, ways: ReadonlySet<string>): string {
    const block = this.#blocks.blockOf(this.#lineNumbers.get(from) ?? 0);
    if (block === null) return "";
    const { isInside, next } = block;
    const lines = [...ways].map((box) => this.#lineNumbers.get(box) ?? 0);
    const line = this.#lineNumbers.get(to) ?? 0;
    if (isInside(line)) return "true";
    if (lines.some(isInside) || line === next) return "false";
    return next !== null && lines.includes(next) ? "true" : "";
  }

  addStarts(): void {
    for (const { shape, text, label } of startsOf(this.#ir)) {
      const to = this.#entries.get(label);
      if (to === undefined) continue;
      const box: Box = { id: this.#id(), shape, lines: [text], tier: "pure", marked: false, step: null };
      this.groups.push({ id: "", title: null, boxes: [box] });
      this.#arrow(box.id, to, "next");
    }
  }

  /** The file is run before everything; nothing calls it. */
  #call(from: string, label: string): void {
    const to = this.#entries.get(label);
    if (to !== undefined && this.#ir.labels[label]?.python?.kind !== "module") this.#arrow(from, to, "call");
  }

  #arrow(from: string, to: string, port: Port, text = WAYS[port] ?? ""): void {
    // A loop within a line says nothing, except of a function that calls itself.
    if (from === to && port !== "call") return;
    const failure = FAILURE_PORTS.has(port);
    const key = `${from} ${to} ${failure}`;
    const known = this.arrows.get(key);
    const texts = known === undefined || known.text === "" ? [] : known.text.split(", ");
    if (text !== "" && !texts.includes(text)) texts.push(text);
    this.arrows.set(key, { from, to, text: texts.join(", "), failure, bold: false });
  }

  /** The boxes that a way to a node leads to, past what is not shown. */
  #reached(label: string, id: string): readonly Way[] {
    const key = `${label} ${id}`;
    const known = this.#ways.get(key);
    if (known !== undefined) return known;
    const boxOf = (node: IrNode) => this.#boxes.get(node) ?? null;
    const ways = waysPast(this.index, label, id, boxOf);
    this.#ways.set(key, ways);
    return ways;
  }

  #byLine(nodes: readonly IrNode[]): ReadonlyMap<string, readonly IrNode[]> {
    const lines = new Map<string, IrNode[]>();
    for (const node of nodes) {
      const { key } = this.#lineOf(node);
      const known = lines.get(key);
      if (known === undefined) lines.set(key, [node]);
      else known.push(node);
    }
    return lines;
  }

  /** `own`: what is shown of a line. `all`: also what is not, where a run may stand as well. */
  #box(own: readonly IrNode[], all: readonly IrNode[]): Box {
    const tier = strongestTier(own, this.#catalog);
    const [first] = own as [IrNode];
    const { text = this.#unread(first, all), line } = this.#lineOf(first);
    const id = this.#id();
    this.#lineNumbers.set(id, line);
    for (const node of own) this.#boxes.set(node, id);
    for (const node of all) this.#lineBoxes.set(node, id);
    const keys = all.map((node) => stepKey(node.label, node.id));
    const marked = keys.some((key) => this.#options.marked?.has(key));
    return {
      id,
      shape: "step",
      lines: [...textLines(`${signs(tier, marked)}${shownText(text)}`), ...visitLines(this.#visited(keys))],
      tier,
      marked,
      step: { ...idOf(first), others: all.filter((node) => node !== first).map(idOf) },
    };
  }

  /** As often as the step of the line that was visited most, and the time of all of them. */
  #visited(keys: readonly string[]): StepVisits | undefined {
    const own = keys.flatMap((key) => this.#options.visits?.steps.get(key) ?? []);
    if (own.length === 0) return undefined;
    const sum = (of: (visits: StepVisits) => number) => own.reduce((total, each) => total + of(each), 0);
    return {
      count: Math.max(...own.map(({ count }) => count)),
      ms: sum(({ ms }) => ms),
      errors: sum(({ errors }) => errors),
    };
  }

  /** `text`: absent where the source of the line is not known. */
  #lineOf({ line = 0, file }: IrNode): { readonly key: string; readonly text?: string; readonly line: number } {
    if (file !== undefined) return { key: `${file} ${line}`, line: 0 };
    const found = this.#lines.get(line);
    return found === undefined
      ? { key: String(line), line }
      : { key: String(found.line), text: found.text, line: found.line };
  }

  /** `line 7: http.Get, total`: a line whose text is not known, with what it calls. */
  #unread({ line = 0, file }: IrNode, nodes: readonly IrNode[]): string {
    const called = nodes.flatMap((node) => [
      ...(node.op === "R" ? [calledText(`${node.data.adapter}.${node.data.verb}`)] : []),
      ...globalsIn(node).flatMap((name) => functionName(this.#ir, name) ?? []),
    ]);
    const calls = called.length === 0 ? "" : `: ${[...new Set(called)].join(", ")}`;
    return `${file === undefined ? "" : `${file}, `}line ${line}${calls}`;
  }

  /** The function in whose lines this one stands, where it has no name; null: it has lines of its own. */
  #around(label: string): string | null {
    const name = this.#ir.labels[label]?.python?.name ?? "";
    if (!name.endsWith(">") || name === "<module>") return null;
    const around = label.slice(0, label.lastIndexOf("."));
    return this.index.label(around) === undefined ? null : (this.#around(around) ?? around);
  }

  #innerOf(label: string): readonly string[] {
    return this.#inner.get(label) ?? [];
  }

  #id(): string {
    this.#count += 1;
    return `b${this.#count}`;
  }
}

const idOf = ({ label, id: node }: IrNode): StepId => ({ label, node });
