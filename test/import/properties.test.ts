/** Any text at all gives a refusal with a code or a strict program that runs; and texts come back as they went in. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importMarkdown } from "../../compiler/import/import.ts";
import { commentText, jsonLiteral, weftString } from "../../compiler/import/literals.ts";
import { cutText, plainText, slugOf } from "../../compiler/import/plain-text.ts";
import { MAX_DOCUMENT_BYTES } from "../../compiler/import/shapes.ts";
import { verifies } from "../support/requirements.ts";
import { compiled, run } from "../support/world.ts";

const anyText = fc.string({ unit: "binary", maxLength: 60 });
const hostile = fc.constantFrom(
  '"',
  "\\",
  '\\"',
  "'",
  "`",
  "```",
  "~~~",
  "\u2028",
  "\u0085",
  "\u202e",
  "\ud800",
  "\udc00",
  "\u0000",
  "\u001b[2J",
  "\t",
  "->x",
  "L1:",
  "R fs.delete /",
  "# frame: x",
  "{}",
  "(now)",
  "$x",
  "<!--",
  "-->",
  "__proto__",
  "😀",
);
const piece = fc.oneof(hostile, anyText, fc.constantFrom("7am", "daily", "0 7 * * *", "text", " ", "*", "_", "[a](b)"));
const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));
const prefix = fc.constantFrom(
  "",
  "# ",
  "## 1. ",
  "## Rules ",
  "## Mission",
  "1. ",
  "- ",
  "  - ",
  "name: ",
  "title: ",
  "cron: ",
  "schedule: ",
  "identity: ",
  "rules: |",
  "---",
  "> ",
  "Schedule: ",
);
const line = fc.tuple(prefix, text).map(([start, rest]) => start + rest);
const markdown = fc
  .tuple(
    fc.constantFrom("", "---\n", "\uFEFF---\r\n"),
    fc.array(line, { maxLength: 8 }),
    fc.constantFrom("", "\n---\n"),
    fc.array(line, { maxLength: 12 }),
    fc.constantFrom("\n", "\r\n", "\r"),
  )
  .map(([open, front, close, body, end]) => open + front.join("\n") + close + body.join(end));
const options = fc.record(
  {
    target: fc.constantFrom("core", "cache", "memory"),
    name: text,
    tone: text,
    provenance: text,
  },
  { requiredKeys: [] },
);

describe("any document", () => {
  it("gives a refusal with a code, or a strict program that runs to a value under core", async () => {
    verifies("import.runnable");
    const property = fc.asyncProperty(
      markdown,
      fc.constantFrom("workflow", "agent"),
      options,
      async (document, type, given) => {
        const result = importMarkdown(document, type, given);
        if (!result.ok) {
          expect([result.error, document.includes("\0")]).toEqual(["not_text", true]);
          return;
        }
        expect(compiled(result.source).diagnostics).toEqual([]);
        expect(importMarkdown(document, type, given)).toEqual(result);
        if (result.meta.target !== "core") return;
        const answer = await run(result.source, { allowedAdapters: ["core"] });
        expect(answer).toMatchObject({ ok: true, out: expect.any(Object) });
      },
    );
    await fc.assert(property, { numRuns: 600 });
  });

  it("keeps the title of a step as it is", async () => {
    const property = fc.asyncProperty(text, async (written) => {
      // A letter in front, so that it is not a mark of a list or box.
      const result = importMarkdown(`1. z${written}`, "workflow");
      if (!result.ok) return;
      const answer = await run(result.source, { finalFrame: true });
      const [line = ""] = written.split(/\r\n|\r|\n/);
      expect(answer.frame?.["r1"]).toMatchObject({ step: 1, title: plainText(`z${line}`, 500) });
    });
    await fc.assert(property, { numRuns: 300 });
  });
});

describe("text in a program", () => {
  it("is read back by core.PARSE as it was", async () => {
    const value = fc.dictionary(fc.oneof(text, fc.constant("__proto__")), text, { maxKeys: 4, noNullPrototype: true });
    const property = fc.asyncProperty(value, async (object) => {
      const source = `L1:\n  R core.PARSE ${jsonLiteral(object)} ->value\n  J value\n`;
      const answer = await run(source);
      expect(JSON.stringify(answer.ok ? answer.out : answer.error)).toBe(JSON.stringify(object));
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it("is one string literal for ordinary text", async () => {
    const property = fc.asyncProperty(fc.string({ unit: "grapheme" }), async (ordinary) => {
      expect(await run(`L1:\n  J ${weftString(ordinary)}\n`)).toMatchObject({ ok: true, out: ordinary });
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it("never ends a comment or turns its direction", () => {
    fc.assert(
      fc.property(text, (words) => {
        expect(commentText(words)).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        const source = `# ${commentText(words)}\nL1:\n  J 1\n`;
        expect(source.split(/[\n\r\u0085\u2028\u2029\v\f]/)).toHaveLength(4);
        expect(compiled(source).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      }),
    );
  });
});

describe("slugs and plain text", () => {
  it("a slug is that of itself, short, and only letters, digits and single hyphens", () => {
    fc.assert(
      fc.property(text, (title) => {
        const slug = slugOf(title);
        expect(slugOf(slug)).toBe(slug);
        expect(slug).toMatch(/^[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*$/u);
        expect([...slug].length).toBeLessThanOrEqual(80);
      }),
      { numRuns: 1000 },
    );
  });

  it("cutting keeps whole code points", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (long, limit) => {
        expect(cutText(long, limit)).toBe([...long].slice(0, limit).join(""));
      }),
    );
  });
});

const MEGABYTE = MAX_DOCUMENT_BYTES;
const fill = (unit: string): string => unit.repeat(Math.floor(MEGABYTE / Buffer.byteLength(unit)));
const HUGE: readonly (readonly [string, string])[] = [
  ["one line", fill("a")],
  ["one heading", `# ${fill("# ").slice(4)}`],
  ["headings that all match", fill("# rules\n")],
  ["nested headings", fill("# rules\n## rules\n### rules\n#### rules\n##### rules\n###### rules\n")],
  ["numbered lines", fill("1. a\n")],
  ["distinct steps", Array.from({ length: 60_000 }, (_, index) => `${index}. s${index}`).join("\n")],
  ["brackets", `1. ${fill("[").slice(8)}`],
  ["open links", `1. ${fill("[](").slice(8)}`],
  ["stars", `- ${fill("* ").slice(8)}`],
  ["underscores", `- ${fill("_ ").slice(8)}`],
  ["back-ticks", fill("`")],
  ["blank lines", fill("\n")],
  ["blanks", fill(" ")],
  ["tabs and hashes", fill("#\t")],
  ["fences", fill("```\n~~~\n")],
  ["comments", fill("<!--\n")],
  ["tags", fill("<a")],
  ["quotes", fill("> ")],
  ["front matter", `---\nname: ${fill("x").slice(100)}\n---`],
  ["front matter quotes", `---\nname: "${fill("' ").slice(100)}\n---`],
  ["front matter that has no end", `---\n${fill("a: b\n").slice(8)}`],
  ["crons", fill("cron: cron: ")],
  ["one paragraph", fill("Runs at 7am. ")],
  ["items that continue", `## Rules\n- a\n${fill("b\n").slice(100)}`],
  ["astral", fill("😀")],
];

describe("huge documents", () => {
  it.each(HUGE)("%s", async (_name, document) => {
    for (const type of ["workflow", "agent"] as const) {
      const result = importMarkdown(document, type);
      if (!result.ok) throw new Error(result.message);
      expect(result.source.length).toBeLessThan(400_000);
      expect(await run(result.source)).toMatchObject({ ok: true });
    }
  });

  it.each([
    ["too_large", fill("a").concat("a")],
    ["too_large", "é".repeat(MEGABYTE / 2 + 1)],
    ["not_text", "\u0089PNG\r\n\u001a\n\0\0\0\rIHDR"],
  ])("refusal %s", (error, document) => {
    expect(importMarkdown(document, "agent")).toMatchObject({ ok: false, error });
  });
});
