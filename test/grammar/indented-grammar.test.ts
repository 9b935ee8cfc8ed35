/** The chevrotain grammar of the indented form, checked by all that chevrotain knows of grammars; programs leave that out. */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { checkedParser } from "../../grammar/indented/parser/program.ts";
import { parse } from "../../grammar/parse.ts";

describe("the grammar of the indented form", () => {
  it("has no ambiguous alternatives, no left recursion and no rule that is missing", () => {
    expect(() => checkedParser()).not.toThrow();
  });

  it("reads a file in pieces as it reads it whole", () => {
    const statement = "  x = f(a, [1, 2], {k: a + 1})\n  if x > 3 and not a:\n    x += 1\n  else:\n    x = 2\n";
    const graph = (name: string, count: number): string => `${name}:\n${statement.repeat(count)}  out x\n`;
    const one = parse(graph("main", 1)).lines.filter(({ kind }) => kind === "step").length;
    const large = parse(`${graph("main", 400)}${graph("other", 400)}`);
    const steps = large.lines.filter(({ kind }) => kind === "step").length;
    // Of each graph the last step, `out`, stands once.
    expect(steps).toBe(2 * (400 * (one - 1) + 1));
    // Of `x += 1` nothing reads what it gives.
    expect(large.findings.filter(({ code }) => code !== "WF9034")).toEqual([]);
    expect(large.lines.flatMap((line) => (line.kind === "label" && !line.id.includes("~") ? [line.id] : []))).toEqual([
      "_entry",
      "_other",
    ]);
  });

  it("does not keep a large file until the next one is read", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const text = `main:\n${"  x = [1, 2, {k: 3}]\n".repeat(2_000)}  out x\n`;
    // In a function of its own, so that nothing here holds the result. What it is made of are places of the tokens.
    const read = (): readonly WeakRef<object>[] => partsOf(parse(text)).map((part) => new WeakRef(part));
    const parts = read();
    expect(parts.length).toBeGreaterThan(10_000);
    let left = parts.length;
    // What is compiled in the background at this moment holds what its code held.
    for (let turn = 0; turn < 10 && left > parts.length / 100; turn++) {
      await setImmediate();
      collect();
      left = parts.filter((part) => part.deref() !== undefined).length;
    }
    expect(left).toBeLessThanOrEqual(parts.length / 100);
  });
});

/** All objects that a value is made of. */
function partsOf(root: object): readonly object[] {
  const parts = new Set<object>([root]);
  for (const part of parts) {
    for (const member of Object.values(part) as readonly unknown[])
      if (typeof member === "object" && member !== null) parts.add(member);
  }
  return [...parts];
}
