/** Which steps of a program in Python say what is written in its source, and where ways lead past the others. */
import type { IrNode, IrOperand } from "../ir/graph.ts";
import type { IrIndex } from "../ir/ir-index.ts";

/** `raised`: an exception continues by it. */
export type Way = { readonly box: string; readonly raised: boolean };

/** Places that are looked at past one step: a program has some tens of them at most. */
const MAX_PLACES = 2000;

type Place = { readonly id: string; readonly raised: boolean; readonly flags: Flags };
/** Constants in the compiler's own variables: by them a `finally` knows how it was entered. */
type Flags = { readonly [name: string]: number };

/** The boxes that follow from a node on: its own, or those that the steps without a box lead to. */
export function waysPast(
  index: IrIndex,
  label: string,
  id: string,
  boxOf: (node: IrNode) => string | null,
): readonly Way[] {
  const ways = new Map<string, Way>();
  const seen = new Set<string>();
  const places: Place[] = [{ id, raised: false, flags: {} }];
  for (let at = 0; at < Math.min(places.length, MAX_PLACES); at++) {
    const place = places[at] as Place;
    const key = JSON.stringify(place);
    const node = index.node(label, place.id);
    if (seen.has(key) || node === undefined) continue;
    seen.add(key);
    const box = boxOf(node);
    if (box !== null) ways.set(`${box} ${place.raised}`, { box, raised: place.raised });
    else places.push(...after(index, node, place));
  }
  return [...ways.values()];
}

function after(index: IrIndex, node: IrNode, { raised, flags }: Place): readonly Place[] {
  if (node.op !== "Py") return [];
  const { data } = node;
  const isRaising = data.do === "reraise";
  const port = data.do === "if" ? chosen(data.cond, flags) : null;
  const next = data.do === "set" && data.value.k === "num" ? { ...flags, [data.name]: data.value.v } : flags;
  return index
    .edgesFrom(node.label, node.id)
    .filter(
      (edge) => edge.to_kind === "node" && (edge.port === "err") === isRaising && (port === null || edge.port === port),
    )
    .map(({ to }) => ({ id: to, raised: raised || isRaising, flags: next }));
}

/** The way of a condition about a flag; null: it is not known. */
function chosen(cond: IrOperand, flags: Flags): "then" | "else" | null {
  if (cond.k !== "call" || cond.fn !== "py.is") return null;
  const [subject, value] = cond.args;
  if (subject?.k !== "var" || value?.k !== "num" || !Object.hasOwn(flags, subject.v)) return null;
  return flags[subject.v] === value.v ? "then" : "else";
}

const isHiddenName = (name: string): boolean => name.startsWith("$");

/** The definition of a function. */
export function isDefinition(node: IrNode): boolean {
  if (node.op !== "Py" || node.data.do !== "set_global") return false;
  const { value } = node.data;
  return value.k === "call" && value.fn === "py.function";
}

/** A step of the run, or what says something of its line that no step says: the type of an `except`, the pattern of a `case`. */
export function isShown(node: IrNode): boolean {
  if (node.step === true || node.op !== "Py") return true;
  const { data } = node;
  switch (data.do) {
    case "if":
      return isWritten(data.cond);
    case "return":
    case "yield":
    case "eval":
      return isWritten(data.value);
    case "set":
      return !isHiddenName(data.name) && data.value.k !== "null" && isWritten(data.value);
    case "raise":
    case "next":
      return true;
    default:
      return false;
  }
}

/** It names something that is written in the source: more than constants and variables of the compiler. */
function isWritten(operand: IrOperand): boolean {
  return operandsIn(operand).some(
    (one) => one.k === "global" || one.k === "lib" || one.k === "path" || (one.k === "var" && !isHiddenName(one.v)),
  );
}

/** An operand and what is in it. */
function operandsIn(operand: IrOperand): readonly IrOperand[] {
  const all: IrOperand[] = [operand];
  for (let at = 0; at < all.length; at++) {
    const one = all[at] as IrOperand;
    if (one.k === "call") all.push(...one.args);
    else if (one.k === "list") all.push(...one.items);
    else if (one.k === "map") all.push(...one.entries.map(([, value]) => value));
  }
  return all;
}

/** Names of functions and other globals that a step uses. */
export function globalsIn(node: IrNode): readonly string[] {
  if (isDefinition(node)) return [];
  const operands: IrOperand[] = [];
  if (node.op === "R") operands.push(...node.data.args);
  if (node.op === "Py") {
    const { data } = node;
    if ("value" in data) operands.push(data.value);
    if (data.do === "if") operands.push(data.cond);
  }
  return operands.flatMap(operandsIn).flatMap((one) => (one.k === "global" ? [one.v] : []));
}
