/** A difference of two texts as rows of a table with two sides. */

/** Lines that stand at the same height; null: nothing does. */
export type Pair = { readonly before: string | null; readonly after: string | null };

/** What stands between pairs: the file, or the line that the next ones begin at. */
export type Heading = { readonly heading: string };

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The rows of a unified diff (`compiler/diff/text-diff.ts`): lines that were taken away stand next to those in their place. */
export function rowsOf(difference: string): readonly (Pair | Heading)[] {
  const rows: (Pair | Heading)[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  let left = { before: 0, after: 0 };
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      rows.push({ before: removed[at] ?? null, after: added[at] ?? null });
    removed = [];
    added = [];
  };
  for (const line of difference.replace(/\n$/, "").split("\n")) {
    const text = line.slice(1);
    if (left.before > 0 || left.after > 0) {
      if (line.startsWith("-")) removed.push(text);
      else if (line.startsWith("+")) added.push(text);
      else if (!line.startsWith("\\")) {
        flush();
        rows.push({ before: text, after: text });
      }
      left = { before: left.before - Number(!/^[+\\]/.test(line)), after: left.after - Number(!/^[-\\]/.test(line)) };
      continue;
    }
    flush();
    const [, before = "1", from = "", after = "1"] = HUNK.exec(line) ?? [];
    if (from !== "") {
      left = { before: Number(before), after: Number(after) };
      rows.push({ heading: `line ${from}` });
    } else if (line.startsWith("+++ ")) rows.push({ heading: line.slice(4).replace(/\t.*$/, "") });
  }
  flush();
  return rows;
}
