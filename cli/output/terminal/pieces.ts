/**
 * Replacing characters in texts of any length. The engine collects the matches of one `replace` in one array and ends the
 * process when that grows too long, so a long text is taken in parts.
 */

const PART = 1 << 20;

/** Every match of a pattern for single characters (flag g) replaced. Surrogate pairs and CR LF stay together. */
export function replaceEach(text: string, pattern: RegExp, by: (character: string) => string): string {
  if (text.length <= PART) return text.replace(pattern, by);
  let made = "";
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + PART, text.length);
    const last = text.charCodeAt(end - 1);
    const joined = (last >= 0xd800 && last <= 0xdbff) || last === 0x0d;
    if (joined && end < text.length) end += 1;
    made += text.slice(start, end).replace(pattern, by);
    start = end;
  }
  return made;
}
