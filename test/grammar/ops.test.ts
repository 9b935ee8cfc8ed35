/** The op table (docs/reference.md, statements). */
import { describe, expect, it } from "vitest";
import { OP_EXAMPLES } from "../../grammar/op-examples.ts";
import { findOp, minimumSlots, OPS, requiredSlotsText, signatureOf } from "../../grammar/ops.ts";
import { parse } from "../../grammar/parse.ts";

describe("the op table", () => {
  it("names every op and alias once", () => {
    const words = OPS.flatMap((op) => [op.name, ...op.aliases]);
    expect(new Set(words).size).toBe(words.length);
    expect(OPS.filter((op) => op.kind === "step").map((op) => op.name)).toEqual(
      "R J If Err Retry Call Set X Filt Sort Loop While Each Par CacheGet CacheSet QueuePut Tx Enf".split(" "),
    );
  });

  it.each([
    ["R", "R"],
    ["Filter", "Filt"],
    ["ForEach", "Loop"],
    ["INCLUDE", "include"],
    ["Env", "ops.Env"],
    ["ops.Env", "ops.Env"],
    ["arch.Svc", "Svc"],
    ["test.D", "D"],
    ["FRetry", "fe.FetchRetry"],
    ["RagSrc", "rag.Src"],
  ])("%s is %s", (word, name) => {
    expect(findOp(word)?.name).toBe(name);
  });

  it.each(Object.entries(OP_EXAMPLES))("the example of %s is that op, and whole", (name, example) => {
    const kind = OPS.find((op) => op.name === name)?.kind;
    const { lines, findings } = parse(kind === "step" ? `L1:\n  ${example}\n` : `${example}\n`);
    expect(findings).toEqual([]);
    const last = lines.at(-1);
    const said = last?.kind === "step" ? last.step.word : last?.word;
    expect(said?.text).toBe(kind === "label" ? example : name);
  });

  it("every op that acts has an example", () => {
    const acting = OPS.filter(({ meaning }) => meaning).map(({ name }) => name);
    expect(Object.keys(OP_EXAMPLES).sort()).toEqual(acting.sort());
  });

  it.each(["r", "L1:", "arch.R", "arch.ops.Env", "test.include", "L<id>:", "", "__proto__", "constructor"])(
    "%j is not an op",
    (word) => {
      expect(findOp(word)).toBeUndefined();
    },
  );

  it.each([
    ["R", 1],
    ["J", 0],
    ["Loop", 4],
    ["Lay", 2],
    ["Cr", 2],
    ["U", 0],
    ["Filt", 5],
    ["E", 3],
  ])("%s needs %i slots", (word, count) => {
    const op = findOp(word);
    expect(op && minimumSlots(op)).toBe(count);
  });

  it("writes signatures", () => {
    const signature = (word: string): string => signatureOf(findOp(word) ?? OPS[0]!);
    expect(signature("CacheGet")).toBe("CacheGet cache key ->out? fallback?");
    expect(signature("While")).toBe("While condition ->L_body ->L_after limit=N?");
    expect(signature("Lay")).toBe("Lay name slots+");
    expect(requiredSlotsText(findOp("Loop") ?? OPS[0]!)).toBe("list, item, ->L_body and ->L_after");
  });

  it("says which steps end their label", () => {
    expect(OPS.filter((op) => op.terminal).map((op) => op.name)).toEqual(["J", "If", "Loop", "While"]);
  });
});
