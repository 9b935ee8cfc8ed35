/** A line diff in the unified form, by Myers' greedy algorithm with a bound on the number of differences. */

type Change = { readonly kind: " " | "-" | "+"; readonly line: string };

/** More differing lines than this are shown as one block. */
const MAX_DIFFERENCES = 1_000;
const CONTEXT = 3;

export function unifiedDiff(before: string, after: string, name: string): string {
  const changes = diffLines(before.split("\n"), after.split("\n"));
  if (changes.every((change) => change.kind === " ")) return "";
  return `--- ${name}\n+++ ${name} (formatted)\n${hunks(changes).join("")}`;
}

function diffLines(before: readonly string[], after: readonly string[]): Change[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end += 1;
  const same = (line: string): Change => ({ kind: " ", line });
  return [
    ...before.slice(0, start).map(same),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

function diffMiddle(before: readonly string[], after: readonly string[]): Change[] {
  const path = shortestPath(before, after);
  if (path !== null) return path;
  return [
    ...before.map((line): Change => ({ kind: "-", line })),
    ...after.map((line): Change => ({ kind: "+", line })),
  ];
}

/** The rows of furthest reaching points per number of differences, walked back into changes; null above the bound. */
function shortestPath(before: readonly string[], after: readonly string[]): Change[] | null {
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

function walkBack(rows: readonly Map<number, number>[], before: readonly string[], after: readonly string[]): Change[] {
  const changes: Change[] = [];
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
      changes.push({ kind: " ", line: before[x] ?? "" });
    }
    if (differences === 0) break;
    if (down) changes.push({ kind: "+", line: after[fromY] ?? "" });
    else changes.push({ kind: "-", line: before[fromX] ?? "" });
    x = fromX;
    y = fromY;
  }
  return changes.reverse();
}

function hunks(changes: readonly Change[]): string[] {
  const found: string[] = [];
  let oldLine = 1;
  let newLine = 1;
  let index = 0;
  while (index < changes.length) {
    const first = nextChange(changes, index);
    if (first === -1) break;
    const begin = Math.max(index, first - CONTEXT);
    oldLine += begin - index;
    newLine += begin - index;
    const stop = hunkEnd(changes, first);
    const part = changes.slice(begin, stop);
    const olds = part.filter((change) => change.kind !== "+").length;
    const news = part.filter((change) => change.kind !== "-").length;
    found.push(
      `@@ -${oldLine},${olds} +${newLine},${news} @@\n${part.map((change) => `${change.kind}${change.line}\n`).join("")}`,
    );
    oldLine += olds;
    newLine += news;
    index = stop;
  }
  return found;
}

function nextChange(changes: readonly Change[], from: number): number {
  for (let index = from; index < changes.length; index += 1) if (changes[index]?.kind !== " ") return index;
  return -1;
}

/** Changes closer together than two contexts share a hunk. */
function hunkEnd(changes: readonly Change[], first: number): number {
  let last = first;
  for (
    let next = nextChange(changes, last + 1);
    next !== -1 && next - last <= 2 * CONTEXT + 1;
    next = nextChange(changes, last + 1)
  )
    last = next;
  return Math.min(changes.length, last + 1 + CONTEXT);
}
