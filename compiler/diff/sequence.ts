/**
 * Which elements two sequences share, in order: Myers' greedy algorithm with a bound on the number of differences. Elements are texts,
 * lines of a file or keys of steps, and are equal when their texts are.
 */

export type SequenceChange = { readonly kind: " " | "-" | "+"; readonly text: string };

/** More differing elements than this are shown as one block. */
const MAX_DIFFERENCES = 1_000;

/** All elements of both in order, shared ones once. */
export function alignSequences(before: readonly string[], after: readonly string[]): SequenceChange[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const same = (text: string): SequenceChange => ({ kind: " ", text });
  return [
    ...before.slice(0, start).map(same),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

function diffMiddle(before: readonly string[], after: readonly string[]): SequenceChange[] {
  const path = shortestPath(before, after);
  if (path !== null) return path;
  return [
    ...before.map((text): SequenceChange => ({ kind: "-", text })),
    ...after.map((text): SequenceChange => ({ kind: "+", text })),
  ];
}

/** The rows of furthest reaching points per number of differences, walked back into changes; null above the bound. */
function shortestPath(before: readonly string[], after: readonly string[]): SequenceChange[] | null {
  const reach = new Map<number, number>([[1, 0]]);
  const rows: Map<number, number>[] = [];
  const most = Math.min(before.length + after.length, MAX_DIFFERENCES);
  for (let differences = 0; differences <= most; differences += 1) {
    rows.push(new Map(reach));
    for (let k = -differences; k <= differences; k += 2) {
      const down = k === -differences || (k !== differences && (reach.get(k - 1) ?? 0) < (reach.get(k + 1) ?? 0));
      let x = down ? (reach.get(k + 1) ?? 0) : (reach.get(k - 1) ?? 0) + 1;
      let y = x - k;
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x += 1;
        y += 1;
      }
      reach.set(k, x);
      if (x >= before.length && y >= after.length) return walkBack(rows, before, after);
    }
  }
  return null;
}

function walkBack(
  rows: readonly Map<number, number>[],
  before: readonly string[],
  after: readonly string[],
): SequenceChange[] {
  const changes: SequenceChange[] = [];
  let x = before.length;
  let y = after.length;
  for (let differences = rows.length - 1; differences >= 0; differences -= 1) {
    const row = rows[differences];
    const k = x - y;
    const down = k === -differences || (k !== differences && (row?.get(k - 1) ?? 0) < (row?.get(k + 1) ?? 0));
    const previous = down ? k + 1 : k - 1;
    const fromX = row?.get(previous) ?? 0;
    const fromY = fromX - previous;
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      x -= 1;
      y -= 1;
      changes.push({ kind: " ", text: before[x] ?? "" });
    }
    if (differences === 0) break;
    if (down) changes.push({ kind: "+", text: after[fromY] ?? "" });
    else changes.push({ kind: "-", text: before[fromX] ?? "" });
    x = fromX;
    y = fromY;
  }
  return changes.reverse();
}
