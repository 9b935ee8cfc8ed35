/**
 * Jumps as nested regions. Bytecode that was made of blocks of Python jumps out of blocks and back to the heads of loops; each target forwards is the end of
 * a block, which a jump to it leaves, and each target backwards the head of a loop.
 */

export type Jump = { readonly from: number; readonly to: number };

/** Instructions from `start` up to `end`. */
export type Region = { readonly kind: "block" | "loop"; readonly start: number; readonly end: number };

type Open = { readonly kind: Region["kind"]; start: number; end: number };

/** More are not worth it: nesting them takes time that grows with the square. */
const MOST_REGIONS = 300;

/** From the outermost to the innermost, by where they start; null: they do not nest. `after`: where the instruction at a place ends. */
export function regionsOf(jumps: readonly Jump[], after: (pc: number) => number): readonly Region[] | null {
  const loops = new Map<number, number>();
  const blocks = new Map<number, number>();
  for (const { from, to } of jumps) {
    if (to <= from) loops.set(to, Math.max(loops.get(to) ?? 0, after(from)));
    else blocks.set(to, Math.min(blocks.get(to) ?? from, from));
  }
  const open: Open[] = [
    ...[...loops].map(([start, end]) => ({ kind: "loop" as const, start, end })),
    ...[...blocks].map(([end, start]) => ({ kind: "block" as const, start, end })),
  ];
  if (open.length > MOST_REGIONS || !nested(open)) return null;
  return open.sort((a, b) => a.start - b.start || b.end - a.end || (a.kind === "block" ? -1 : 1));
}

/** Lets blocks begin earlier, and loops end later, until none crosses another; false: a jump leads into a loop. */
function nested(open: readonly Open[]): boolean {
  for (let isMoved = true; isMoved; ) {
    isMoved = false;
    for (const one of open) {
      for (const other of open) {
        if (!(other.start < one.start && one.start < other.end && other.end < one.end)) continue;
        // An inner loop that ends by beginning the outer one again stands after its last jump.
        if (one.kind === "block") one.start = other.start;
        else if (other.kind === "loop") other.end = one.end;
        else return false;
        isMoved = true;
      }
    }
  }
  return true;
}
