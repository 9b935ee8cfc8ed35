/** Whether `r` is the exact sum, difference or product of two plain numbers: an int of ints, or a float that is not whole. */
export function isExact(r: number, a: number, b: number): boolean {
  if (Math.floor(r) !== r) return true;
  return Math.floor(a) === a && Math.floor(b) === b && r <= Number.MAX_SAFE_INTEGER && r >= -Number.MAX_SAFE_INTEGER;
}
