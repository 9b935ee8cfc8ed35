/**
 * Where times stand on a line. The longest times in which nothing is called become short breaks of one width, so that days of waiting leave
 * room for milliseconds of work; all other times are drawn to one scale.
 */

/** Milliseconds. */
export type Span = { readonly from: number; readonly to: number };
/** `left`, `right`: where the break is drawn, as parts of the line. */
export type Break = Span & { readonly left: number; readonly right: number };
export type Axis = Span & {
  /** In order. */
  readonly breaks: readonly Break[];
  /** From 0 to 1; never less for a later time. */
  readonly placeOf: (ms: number) => number;
};

/** Part of the line that a break takes: its length is written in it, also in a narrow window. */
const WIDTH = 0.13;
/** Shorter pauses are time of the machine: it starts, computes or writes. */
const MIN_MS = 1000;
/** More breaks than that would leave less than half of the line to what was done. */
const MAX_BREAKS = 3;

/** `busy`: spans inside of `whole` in which something is called, in any order. */
export function brokenAxis(busy: readonly Span[], whole: Span): Axis {
  let atScale = lengthOf(whole);
  const broken: Span[] = [];
  const pauses = idleSpans(busy, whole).filter((pause) => lengthOf(pause) >= MIN_MS);
  for (const idle of pauses.toSorted((a, b) => lengthOf(b) - lengthOf(a))) {
    const left = atScale - lengthOf(idle);
    const drawn = (lengthOf(idle) / atScale) * (1 - WIDTH * broken.length);
    // Drawn to scale it takes less room than a break, or nothing would be left that has a length.
    if (broken.length === MAX_BREAKS || drawn <= WIDTH || left <= 0) break;
    broken.push(idle);
    atScale = left;
  }
  const scale = (1 - WIDTH * broken.length) / Math.max(atScale, Number.MIN_VALUE);
  const breaks: Break[] = [];
  let place = 0;
  let at = whole.from;
  for (const span of broken.toSorted((a, b) => a.from - b.from)) {
    const left = place + (span.from - at) * scale;
    place = left + WIDTH;
    at = span.to;
    breaks.push({ ...span, left, right: place });
  }
  return { ...whole, breaks, placeOf: (ms) => placeOn(breaks, ms, { begin: whole.from, scale }) };
}

function placeOn(breaks: readonly Break[], ms: number, { begin, scale }: { begin: number; scale: number }): number {
  let place = 0;
  let at = begin;
  for (const each of breaks) {
    if (ms < each.from) break;
    if (ms < each.to) return each.left + ((ms - each.from) / lengthOf(each)) * (each.right - each.left);
    place = each.right;
    at = each.to;
  }
  return Math.min(1, place + Math.max(0, ms - at) * scale);
}

/** In order; each is as long as it can be. */
function idleSpans(busy: readonly Span[], whole: Span): readonly Span[] {
  const idle: Span[] = [];
  let from = whole.from;
  for (const span of busy.toSorted((a, b) => a.from - b.from)) {
    if (span.from > from) idle.push({ from, to: span.from });
    from = Math.max(from, span.to);
  }
  if (whole.to > from) idle.push({ from, to: whole.to });
  return idle;
}

const lengthOf = ({ from, to }: Span): number => to - from;
