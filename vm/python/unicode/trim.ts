/** Ends of texts cut off in one pass: an expression such as `x+$` would look at a run once for each of its characters. */

export function trimEnd(text: string, isCut: (unit: number) => boolean): string {
  let end = text.length;
  while (end > 0 && isCut(text.charCodeAt(end - 1))) end -= 1;
  return end === text.length ? text : text.slice(0, end);
}

export function trimStart(text: string, isCut: (unit: number) => boolean): string {
  let start = 0;
  while (start < text.length && isCut(text.charCodeAt(start))) start += 1;
  return start === 0 ? text : text.slice(start);
}
