/**
 * Paths on which a variable is still unset: which labels can start before any step has set a name that other paths set. Where the
 * analysis is not exact (what a called label sets), it errs on the side of silence.
 */
import type { LoweredLabel, LoweredStep } from "../../lower/lowered.ts";
import type { ProgramView } from "../program-view.ts";
import { entryLabels } from "./entry-labels.ts";
import { writtenBy } from "./flow-graph.ts";

/** Steps looked at for all names together. Programs that need more get no further findings. */
const MAX_VISITS = 2_000_000;

export class UnsetPaths {
  readonly #view: ProgramView;
  readonly #known = new Map<string, PathsOfName>();
  #entries: readonly string[] | null = null;
  #callers: ReadonlyMap<string, readonly string[]> | null = null;
  #visits = MAX_VISITS;

  constructor(view: ProgramView) {
    this.#view = view;
  }

  /** Whether step `at` of `label` can run while `name` is unset, although some step sets it. */
  canBeUnset(name: string, label: LoweredLabel, at: number): boolean {
    let paths = this.#known.get(name);
    if (paths === undefined) {
      paths = this.#pathsOf(name);
      this.#known.set(name, paths);
    }
    if (!paths.starts.has(label.id)) return false;
    return !label.steps.slice(0, at).some((step) => sets(step, name, paths.setters));
  }

  #pathsOf(name: string): PathsOfName {
    const setters = this.#labelsThatMaySet(name);
    const starts = new Set<string>();
    if (setters.size === 0) return { setters, starts };
    this.#entries ??= entryLabels(this.#view);
    const waiting = [...this.#entries];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const label = this.#labelOf(id);
      if (label === undefined || starts.has(id)) continue;
      starts.add(id);
      this.#visits -= label.steps.length;
      if (this.#visits < 0) return { setters, starts: new Set() };
      waiting.push(...reachedWithout(name, label, setters));
    }
    return { setters, starts };
  }

  /** The labels with a step that sets the name, and those that lead to one. */
  #labelsThatMaySet(name: string): ReadonlySet<string> {
    this.#callers ??= callersOf(this.#view);
    const found = new Set<string>();
    const waiting: string[] = [];
    for (const label of this.#view.program.labels) {
      this.#visits -= label.steps.length;
      if (label.steps.some((step) => writtenBy(step).includes(name))) waiting.push(label.id);
    }
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (found.has(id)) continue;
      found.add(id);
      waiting.push(...(this.#callers.get(id) ?? []));
    }
    return found;
  }

  #labelOf(id: string): LoweredLabel | undefined {
    return this.#view.program.labels[this.#view.labelIndex.get(id) ?? -1];
  }
}

type PathsOfName = {
  /** Labels that may set the name. */
  readonly setters: ReadonlySet<string>;
  /** Labels that can start while it is unset. */
  readonly starts: ReadonlySet<string>;
};

/** Whether the name counts as set after the step. */
function sets(lowered: LoweredStep, name: string, setters: ReadonlySet<string>): boolean {
  if (writtenBy(lowered).includes(name)) return true;
  return lowered.step.op === "Call" && lowered.targets.some(({ id }) => setters.has(id));
}

/** The labels that one label enters while the name is unset. */
function reachedWithout(name: string, label: LoweredLabel, setters: ReadonlySet<string>): readonly string[] {
  const reached: string[] = [];
  /** Nodes that can fail while the name is unset. */
  const before = new Set<string>();
  let isSet = false;
  for (const lowered of label.steps) {
    const { step, node, targets, protects } = lowered;
    if (!isSet) {
      if (node !== null) before.add(node.id);
      const hidden = (step.op === "Loop" || step.op === "Each") && step.item.name === name;
      for (const { id, exists, port } of targets) if (exists && !(hidden && port === "body")) reached.push(id);
      isSet = sets(lowered, name, setters);
    } else if (protects !== null && before.has(protects)) {
      for (const { id, exists } of targets) if (exists) reached.push(id);
    }
  }
  return reached;
}

function callersOf({ program }: ProgramView): ReadonlyMap<string, readonly string[]> {
  const callers = new Map<string, string[]>();
  for (const label of program.labels) {
    for (const { targets } of label.steps) {
      for (const { id, exists } of targets) {
        if (!exists) continue;
        const known = callers.get(id);
        if (known === undefined) callers.set(id, [label.id]);
        else if (known.at(-1) !== label.id) known.push(label.id);
      }
    }
  }
  return callers;
}
