/**
 * Full Unicode case mapping without locale, within the text cap. Upper case can be three times as long as its source,
 * so long texts are measured first.
 */
import { cutsPair } from "../code-points.ts";
import { MAX_TEXT_UNITS, tooLarge } from "../values.ts";
import { charge, WORK_CHUNK, type WorkMeter } from "../work-meter.ts";

/** "ΐ" becomes three units. */
const MOST_UPPER_UNITS = 3;
/** The one character whose lower case has more units than itself. */
const DOTTED_CAPITAL_I = "\u0130";

export function upperText(text: string, meter: WorkMeter): string {
  charge(meter, text.length);
  if (text.length * MOST_UPPER_UNITS > MAX_TEXT_UNITS) testUpperLength(text, meter);
  return text.toUpperCase();
}

/** Upper case of a text is that of its code points one after another, so pieces can be measured alone. */
function testUpperLength(text: string, meter: WorkMeter): void {
  let length = 0;
  for (let start = 0; start < text.length; ) {
    const cut = start + WORK_CHUNK;
    const end = cutsPair(text, cut) ? cut + 1 : cut;
    charge(meter, WORK_CHUNK);
    length += text.slice(start, end).toUpperCase().length;
    if (length > MAX_TEXT_UNITS) throw tooLarge();
    start = end;
  }
}

export function lowerText(text: string, meter: WorkMeter): string {
  charge(meter, text.length);
  if (text.length * 2 > MAX_TEXT_UNITS) {
    let length = text.length;
    for (let at = text.indexOf(DOTTED_CAPITAL_I); at >= 0; at = text.indexOf(DOTTED_CAPITAL_I, at + 1)) length++;
    if (length > MAX_TEXT_UNITS) throw tooLarge();
  }
  return text.toLowerCase();
}
