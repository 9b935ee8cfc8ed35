/** Python labels of an IR to bytecode: one routine a label, steps in the order of the IR, edges as jumps. */
import type { Ir, IrEdge, IrNode, NodeOf, PyData, PyLabel } from "../../ir/graph.ts";
import { Assembler } from "./assembler.ts";
import type { PyCode, PyRoutine } from "./code.ts";
import { Py } from "./instructions.ts";
import { MalformedOperand, Operands, type Registers } from "./operands.ts";

export { MalformedOperand } from "./operands.ts";

/** The bytecode of the Python form of a program, which says at each step where it is if the run is traced. Throws MalformedOperand where the IR is not one that a compiler makes. */
export function emitPython(ir: Ir, isTraced = false): PyCode {
  const asm = new Assembler(isTraced);
  const labels = Object.entries(ir.labels).flatMap(([id, { python }]) =>
    python === undefined ? [] : [{ id, python }],
  );
  const byLabel = new Map(labels.map(({ id }, at) => [id, at]));
  const freeOf = (id: string): readonly string[] => ir.labels[id]?.python?.free ?? [];
  const nodes = grouped(ir.nodes);
  const edges = grouped(ir.edges);
  const routines = labels.map(({ id, python }) =>
    new RoutineEmitter(asm, byLabel, freeOf, id, python).emit(nodes.get(id) ?? [], edges.get(id) ?? []),
  );
  return {
    code: Int32Array.from(asm.words),
    routines,
    byLabel,
    constants: asm.constants.items,
    names: asm.names.items,
    globals: asm.globals.items,
    keywords: asm.keywords.items,
    siteAt: Int32Array.from(asm.siteAt),
    sites: asm.sites,
    stubs: asm.stubs,
  };
}

function grouped<T extends { readonly label: string }>(items: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const known = groups.get(item.label);
    if (known === undefined) groups.set(item.label, [item]);
    else known.push(item);
  }
  return groups;
}

/** Where an edge leads, by port. */
type Targets = { [port: string]: string };

class RoutineEmitter implements Registers {
  private readonly asm: Assembler;
  private readonly byLabel: ReadonlyMap<string, number>;
  private readonly freeOf: (label: string) => readonly string[];
  private readonly label: string;
  private readonly python: PyLabel;
  private readonly operands: Operands;
  private readonly variables = new Map<string, number>();
  private readonly cells = new Map<string, number>();
  free = 0;
  private most = 0;
  private readonly starts = new Map<string, number>();
  /** Words to be filled with the start of a step. */
  private readonly patches: { readonly at: number; readonly to: string }[] = [];

  constructor(
    asm: Assembler,
    byLabel: ReadonlyMap<string, number>,
    freeOf: (label: string) => readonly string[],
    label: string,
    python: PyLabel,
  ) {
    this.asm = asm;
    this.byLabel = byLabel;
    this.freeOf = freeOf;
    this.label = label;
    this.python = python;
    this.operands = new Operands(asm, this);
    for (const name of [...python.cells, ...python.free]) this.cells.set(name, this.cells.size);
  }

  emit(nodes: readonly IrNode[], edges: readonly IrEdge[]): PyRoutine {
    const { asm, python } = this;
    const pc = asm.pc;
    for (const { name } of python.params) this.variable(name);
    for (const node of nodes) if (node.op === "Py") this.declare(node.data);
    for (const node of nodes) if (node.op === "R" && node.data.out !== null) this.variable(node.data.out);
    this.free = this.most = this.variables.size;
    const targets = targetsOf(edges);
    const ends: number[] = [];
    for (const [at, node] of nodes.entries()) {
      this.starts.set(node.id, asm.pc);
      asm.site({ label: this.label, node: node.id, line: node.line ?? null, file: node.file ?? null });
      if (node.step === true) asm.emit(Py.Step);
      if (asm.isTraced) asm.emit(Py.Visit, asm.sites.length - 1);
      this.node(node, targets.get(node.id) ?? {}, nodes[at + 1]?.id);
      ends.push(asm.pc);
    }
    if (nodes.length === 0) asm.emit(Py.Return, this.operands.word({ k: "null" }));
    for (const { at, to } of this.patches) {
      const start = this.starts.get(to);
      if (start === undefined) throw new MalformedOperand(`no step ${to} in ${this.label}`);
      // Every way round a loop leads back somewhere, and is counted there.
      const op = asm.words[asm.words[start] === Py.Visit ? start + 2 : start];
      if (start <= at && op !== Py.Step && op !== Py.Next)
        throw new MalformedOperand(`${this.label} leads back to ${to}, which counts no step`);
      asm.words[at] = start;
    }
    return {
      ...python,
      label: this.label,
      pc,
      end: asm.pc,
      registers: this.most,
      variables: [...this.variables.keys()],
      cellParameters: python.params.flatMap(({ name }, register) =>
        python.cells.includes(name) ? [[register, this.cells.get(name) as number] as const] : [],
      ),
      handlers: this.handlers(nodes, targets, ends),
    };
  }

  /** Rows of neighbours with one target are one row. */
  private handlers(
    nodes: readonly IrNode[],
    targets: ReadonlyMap<string, Targets>,
    ends: readonly number[],
  ): Int32Array {
    const rows: number[] = [];
    for (const [at, node] of nodes.entries()) {
      const to = targets.get(node.id)?.["err"];
      if (to === undefined) continue;
      const from = this.starts.get(node.id) as number;
      const target = this.starts.get(to) as number;
      if (target === undefined || target <= (this.starts.get(node.id) as number))
        throw new MalformedOperand(`what ${node.id} of ${this.label} raises leads back`);
      if (rows.length > 0 && rows.at(-1) === target && rows.at(-2) === from) rows[rows.length - 2] = ends[at] as number;
      else rows.push(from, ends[at] as number, target);
    }
    return Int32Array.from(rows);
  }

  private declare(data: PyData): void {
    switch (data.do) {
      case "set":
      case "next":
      case "catch":
      case "cleanup":
      case "del":
      case "cell":
        this.variable(data.name);
        return;
      case "unpack":
        for (const name of data.names) this.variable(name);
        return;
      default:
        return;
    }
  }

  private variable(name: string): number {
    let register = this.variables.get(name);
    if (register === undefined) {
      register = this.variables.size;
      this.variables.set(name, register);
    }
    return register;
  }

  find(name: string): { readonly register: number } | { readonly cell: number } {
    const cell = this.cells.get(name);
    if (cell !== undefined) return { cell };
    const register = this.variables.get(name);
    // Read, but set nowhere: it is unset always.
    return { register: register ?? this.asm.unset() };
  }

  private ownCell(name: string): number {
    const cell = this.python.cells.includes(name) ? this.cells.get(name) : undefined;
    if (cell === undefined) throw new MalformedOperand(`${this.label} has no captured variable ${name}`);
    return cell;
  }

  take(): number {
    const register = this.free++;
    if (this.free > this.most) this.most = this.free;
    return register;
  }

  release(to: number): void {
    this.free = to;
  }

  routine(label: string): number {
    const found = this.byLabel.get(label);
    if (found === undefined) throw new MalformedOperand(`no function ${label}`);
    for (const name of this.freeOf(label))
      if (!this.cells.has(name)) throw new MalformedOperand(`${this.label} has no variable ${name} for ${label}`);
    return found;
  }

  /** A word with the start of a step. */
  private target(to: string | undefined): number {
    if (to === undefined) throw new MalformedOperand(`a step of ${this.label} leads nowhere`);
    this.patches.push({ at: this.asm.pc, to });
    return 0;
  }

  private jump(to: string | undefined, following: string | undefined): void {
    if (to === undefined || to === following) return;
    this.asm.emit(Py.Jump);
    this.asm.emit(this.target(to));
  }

  private node(node: IrNode, targets: Targets, following: string | undefined): void {
    const mark = this.free;
    if (node.op === "R") this.adapterCall(node);
    else if (node.op === "Py") this.step(node.data, targets, following);
    else throw new MalformedOperand(`${node.op} in a Python function`);
    this.free = mark;
    this.jump(targets["next"], following);
  }

  private adapterCall({ id, line, data: { adapter, verb, args, out } }: NodeOf<"R">): void {
    const { asm } = this;
    if (typeof adapter !== "string" || typeof verb !== "string")
      throw new MalformedOperand("the name of an adapter is never computed in a Python function");
    const words = this.operands.words(args);
    const d = out === null ? this.take() : this.variable(out);
    asm.stubs.push({ label: this.label, node: id, line: line ?? null, adapter, verb });
    asm.emit(Py.Adapter, d, asm.stubs.length - 1, words.length, ...words);
  }

  /** Into a variable, wherever it is kept. */
  private store(name: string, write: (register: number) => void): void {
    const place = this.find(name);
    if ("register" in place) {
      write(place.register);
      return;
    }
    const register = this.take();
    write(register);
    this.asm.emit(Py.StoreCell, place.cell, register);
  }

  private step(data: PyData, targets: Targets, following: string | undefined): void {
    const { asm, operands } = this;
    switch (data.do) {
      case "set":
        this.store(data.name, (register) => operands.into(data.value, register));
        return;
      case "set_global": {
        const value = operands.word(data.value);
        asm.emit(Py.SetGlobal, asm.globals.add(data.name, data.name), value);
        return;
      }
      case "del": {
        const place = this.find(data.name);
        if ("cell" in place) asm.emit(Py.DelCell, place.cell);
        else asm.emit(Py.Del, place.register);
        return;
      }
      case "del_global":
        asm.emit(Py.DelGlobal, asm.globals.add(data.name, data.name));
        return;
      case "cell":
        asm.emit(Py.NewCell, this.ownCell(data.name));
        return;
      case "eval":
        operands.effect(data.value);
        return;
      case "if": {
        const cond = operands.word(data.cond);
        const { then: yes, else: no } = targets;
        asm.emit(Py.Branch, cond);
        asm.emit(this.target(no ?? yes));
        this.jump(yes, following);
        return;
      }
      case "next": {
        const iter = operands.word({ k: "var", v: data.iter });
        const place = this.find(data.name);
        const register = "register" in place ? place.register : this.take();
        asm.emit(Py.Next, register, iter);
        asm.emit(this.target(targets["after"]));
        if ("cell" in place) asm.emit(Py.StoreCell, place.cell, register);
        this.jump(targets["body"], following);
        return;
      }
      case "pass":
        asm.emit(Py.Pass, data.loop);
        return;
      case "join":
        return;
      case "return": {
        const value = operands.word(data.value);
        if (asm.isTraced) asm.emit(Py.Leave, value);
        asm.emit(Py.Return, value);
        return;
      }
      case "raise": {
        const [value, cause] = operands.words([data.value, data.cause ?? { k: "null" }]);
        asm.emit(Py.Raise, value as number, cause as number);
        return;
      }
      case "reraise":
        asm.emit(Py.Reraise, operands.word({ k: "var", v: data.name }));
        return;
      case "catch":
        this.store(data.name, (register) => asm.emit(Py.Catch, register));
        return;
      case "cleanup":
        this.store(data.name, (register) => asm.emit(Py.Cleanup, register));
        return;
      case "recancel":
        asm.emit(Py.Recancel, operands.word({ k: "var", v: data.name }));
        return;
      case "unpack": {
        const value = operands.word(data.value);
        const places = data.names.map((name) => this.find(name));
        const registers = places.map((place) => ("register" in place ? place.register : this.take()));
        asm.emit(Py.Unpack, value, data.star, registers.length, ...registers);
        for (const [at, place] of places.entries())
          if ("cell" in place) asm.emit(Py.StoreCell, place.cell, registers[at] as number);
        return;
      }
      case "yield":
        if (this.python.kind !== "generator") throw new MalformedOperand(`${this.label} is not a generator`);
        asm.emit(Py.Yield, operands.word(data.value));
        return;
    }
  }
}

function targetsOf(edges: readonly IrEdge[]): ReadonlyMap<string, Targets> {
  const targets = new Map<string, Targets>();
  for (const { from, to, to_kind, port } of edges) {
    if (to_kind !== "node") continue;
    const known = targets.get(from);
    if (known === undefined) targets.set(from, { [port]: to });
    else known[port] = to;
  }
  return targets;
}
