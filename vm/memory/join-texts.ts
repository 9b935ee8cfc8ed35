/** Joining texts for the machine, in pieces where a part is a large container. */
import type { Json } from "../../compiler/json.ts";
import { Heap } from "../values/heap-size.ts";
import { numberBytes, textBytes } from "../values/json-size.ts";
import { textOf } from "../values/text.ts";
import { MAX_TEXT_UNITS, tooLarge } from "../values/values.ts";
import { book, bookValue, Mark, noteText, UNCOUNTED_UNITS } from "./accounting.ts";
import { operand } from "./containers.ts";
import type { FrameState } from "./frame-state.ts";
import { finish } from "./long-work.ts";
import { isLargePart, joinedText } from "./part-texts.ts";

/** `Concat d n a…`: sizes come from the parts, so that joined texts are not flattened to be measured. */
export function concat(m: FrameState, pc: number): void {
  const { code, unset_at } = m.tables;
  const count = code[pc + 2] as number;
  if (m.task !== null) {
    longConcat(m, pc, count);
    return;
  }
  let text = "";
  let size = 2;
  let exact = Mark.ExactText;
  for (let i = 0; i < count; i++) {
    const at = pc + 3 + i;
    let slot = code[at] as number;
    if (m.V[slot] === undefined) slot = unset_at[at] as number;
    const value = m.V[slot] as Json;
    if (typeof value === "string") {
      if (text.length + value.length > MAX_TEXT_UNITS) throw tooLarge();
      text += value;
      size += (m.SZ[slot] as number) - 2;
      if ((m.OWN[slot] as number) < Mark.ExactText) exact = 0;
    } else if (typeof value === "number") {
      text += String(value);
      size += numberBytes(value);
    } else {
      if (isLargePart(value)) {
        longConcat(m, pc, count);
        return;
      }
      const part = textOf(value, m.meter);
      if (text.length + part.length > MAX_TEXT_UNITS) throw tooLarge();
      text += part;
      size += textBytes(part) - 2;
      exact = 0;
    }
  }
  if (text.length > MAX_TEXT_UNITS) throw tooLarge();
  const d = code[pc + 1] as number;
  m.made += count * Heap.Join;
  if (text.length > UNCOUNTED_UNITS) m.meter.charge(text.length);
  book(m, d, text, size);
  // Parts without lone surrogates at their seams add up exactly.
  m.OWN[d] = exact;
  if (text.length > UNCOUNTED_UNITS) noteText(m, d, text.length);
}

/** With containers among the parts whose text is made in pieces. */
function longConcat(m: FrameState, pc: number, count: number): void {
  const parts = (): Json[] => Array.from({ length: count }, (_, i) => operand(m, pc + 3 + i));
  const text = finish(m, () => joinedText(parts(), m));
  bookValue(m, m.tables.code[pc + 1] as number, text);
}
