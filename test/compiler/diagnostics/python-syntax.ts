/** The smallest programs with each fault of Python's grammar. */
function lines(...written: readonly string[]): string {
  return `${written.join("\n")}\n`;
}

export const PYTHON_SYNTAX: readonly { readonly code: string; readonly line: number; readonly source: string }[] = [
  { code: "WF6101", line: 2, source: lines("def main(xs):", "    return len(xs") },
  { code: "WF6102", line: 2, source: lines("def main(n):", "    return n?") },
  {
    code: "WF6103",
    line: 2,
    source: lines("def main(n):", `    return ${"lambda: ".repeat(60)}n`),
  },
  {
    code: "WF6104",
    line: 2,
    source: lines("def main(n):", "    if n > 1", "        n = 1", "    return n"),
  },
  {
    code: "WF6105",
    line: 2,
    source: lines("def main(a, b):", "    return a + \\ # sum", "        b"),
  },
  { code: "WF6106", line: 2, source: lines("def main(n):", "    return n + 007") },
  { code: "WF6107", line: 2, source: lines("def main(n):", '    return "\\x4"') },
  { code: "WF6108", line: 2, source: lines("def main(d):", '    return f"{d["name"]}"') },
  { code: "WF6109", line: 2, source: lines("def main(a, b):", "    return a && b") },
  { code: "WF6110", line: 2, source: lines("def main(n):", "    n + 1 = n", "    return n") },
  { code: "WF6111", line: 2, source: lines("def main(xs):", "    *rest = xs", "    return rest") },
  {
    code: "WF6112",
    line: 2,
    source: lines("def main(xs):", "    return sorted(reverse=True, xs)"),
  },
  { code: "WF6113", line: 1, source: lines("def main(a=1, b):", "    return a + b") },
  {
    code: "WF6114",
    line: 1,
    source: lines("from json import loads,", "", "def main(x):", "    return loads(x)"),
  },
  {
    code: "WF6115",
    line: 4,
    source: lines(
      "def main(x):",
      "    try:",
      "        return int(x)",
      "    except ValueError, TypeError:",
      "        return 0",
    ),
  },
  {
    code: "WF6116",
    line: 3,
    source: lines(
      "def main(x):",
      "    match x:",
      "        case other:",
      "            return 0",
      "        case 1:",
      "            return 1",
    ),
  },
  {
    code: "WF6117",
    line: 3,
    source: lines("def main(n):", "    if n > 1:", "        break", "    return n"),
  },
  {
    code: "WF6118",
    line: 3,
    source: lines("def main(n):", "    total = n", "    global total", "    return total"),
  },
  {
    code: "WF6119",
    line: 1,
    source: lines("type Id = int", "", "def main(n: int):", "    return n"),
  },
];
