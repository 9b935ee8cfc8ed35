/**
 * "Did you mean": the nearest valid word to a misspelt one. Edit distance (swapped letters are one edit) at most 2, at most 1
 * for words of up to 4 characters and always less than the word is long, ignoring case; ties go to the first by code
 * point. Underscores at the beginning are not counted, because words share them: `_done` is not nearer to `_role` than `done` to `role`.
 */

/** Longer words are never suggested for: keeps the distance table small whatever the input is. */
const MAX_WORD_LENGTH = 64;

const LEADING_MARKS = /^_+/;

/** The candidate nearest to `word`, or null when none is near enough. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  if (word.length === 0 || word.length > MAX_WORD_LENGTH) return null;
  const wanted = word.toLowerCase();
  let best: string | null = null;
  // A word of which nothing need be kept is near to every word of its length.
  const letters = word.replace(LEADING_MARKS, "").length;
  let bestDistance = Math.min(letters <= 4 ? 1 : 2, letters - 1);
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance || (distance === bestDistance && (best === null || comesBefore(candidate, best)))) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Edits between the words, two swapped neighbours being one edit, or any number above `limit` as soon as it must exceed it. */
function editDistance(left: string, right: string, limit: number): number {
  if (left === right) return 0;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let smallest = row;
    for (let column = 1; column <= right.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      let cost = Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1] && row > 1 && column > 1) {
        cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1);
      }
      current.push(cost);
      if (cost < smallest) smallest = cost;
    }
    if (smallest > limit) return limit + 1;
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? limit + 1;
}

/** Order by code points, which UTF-16 order is not for characters beyond U+FFFF. */
function comesBefore(left: string, right: string): boolean {
  const a = Array.from(left, (character) => character.codePointAt(0) ?? 0);
  const b = Array.from(right, (character) => character.codePointAt(0) ?? 0);
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return a.length < b.length;
}
