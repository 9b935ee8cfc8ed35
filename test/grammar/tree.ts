/**
 * Views of syntax trees for tests: without places, and without what the formatter may change by its own rules.
 */
import type { SourceFile } from "../../grammar/ast.ts";

const PLACES = new Set(["span", "op_span"]);

/** A copy without spans. */
export function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !PLACES.has(key));
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutPlaces(member)]));
}

/** What two spellings of the same program share: lines and inputs, steps freed from their label lines. */
export function meaningOf(file: SourceFile): unknown {
  const lines = file.lines.flatMap((line): unknown[] => {
    if (line.kind !== "label") return [canonical(withoutPlaces(line))];
    const steps = line.steps.map((step) => ({ kind: "step", step: canonical(withoutPlaces(step)) }));
    return [{ kind: "label", id: line.id }, ...steps];
  });
  return { lines, inputs: withoutPlaces(file.inputs) };
}

/** Members that the formatter's rules change: spelling of op words, arrows, layout, order of result arrow. */
const LAYOUT = new Set(["word", "multiline", "arrow", "split", "too_short", "faulty"]);

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !LAYOUT.has(key));
  const record: Record<string, unknown> = Object.fromEntries(entries.map(([key, member]) => [key, canonical(member)]));
  if ("text" in record && !("quoted" in record) && typeof record.text === "string") {
    const { text } = record;
    if (Object.keys(record).length === 1) record.text = text.startsWith("L") || text.includes("/") ? text : `L${text}`;
  }
  if (record.op === "Filt") return { ...record, cmp: filterComparator(record.cmp) };
  if (record.op === "X") return functionForm(record);
  if (record.op === "E") return { ...record, slots: endpointSlots(record.slots) };
  if (record.kind === "include") return { ...record, slots: [] };
  return record;
}

function filterComparator(cmp: unknown): unknown {
  const slot = cmp as { text: string; quoted: boolean };
  return !slot.quoted && slot.text === "=" ? { ...slot, text: "==" } : slot;
}

/** The target of an endpoint, in its one spelling. */
function endpointSlots(slots: unknown): unknown {
  return (slots as { text: string }[]).map((slot, index) => {
    if (index !== 2) return slot;
    const bare = slot.text.replace("->", "").replace(/:$/, "");
    return { ...slot, text: bare.startsWith("L") || bare.includes("/") ? bare : `L${bare}` };
  });
}

/** `X n (f a)` and `X n f a` are the same. */
function functionForm(record: Record<string, unknown>): unknown {
  const first = record.first as {
    k: string;
    infix?: boolean;
    fn?: { text: string };
    args?: unknown[];
    v?: string;
    text?: string;
  };
  if (first.k === "call" && first.infix === false && (first.args ?? []).length > 0) {
    return { ...record, first: first.fn?.text, args: first.args };
  }
  return first.k === "name" || first.k === "path" ? { ...record, first: first.v ?? first.text } : record;
}
