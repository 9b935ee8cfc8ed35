/** The agent importer to the letter, and where each part of a profile comes from. */
import { describe, expect, it } from "vitest";
import { importAgent } from "../../compiler/import/agent.ts";
import { compiled, run } from "../support/world.ts";

const WRITER = `---
name: Release Notes Writer
vibe: dry
---
## Mission
Summarise merged changes.
## Rules
- Never invent a change.
## Outputs
One page.
`;

const PROGRAM = String.raw`# Imported from Markdown (agent): release-notes-writer

L1:
  R core.PARSE "{\"kind\":\"agent_profile\",\"slug\":\"release-notes-writer\",\"identity\":\"Release Notes Writer\",\"mission\":\"Summarise merged changes.\",\"tone\":\"calm\"}" ->profile
  Call L_rules ->rules
  Call L_deliverables ->deliverables
  R core.MERGE profile rules deliverables ->out
  J out

L_rules:
  R core.PARSE "{\"rules\":\"Never invent a change.\"}" ->part
  J part

L_deliverables:
  R core.PARSE "{\"deliverables\":\"One page.\"}" ->part
  J part
`;

async function profileOf(markdown: string, tone?: string): Promise<unknown> {
  const { source } = importAgent(markdown, tone === undefined ? {} : { tone });
  const answer = await run(source);
  return answer.ok ? answer.out : answer.error;
}

describe("an imported agent", () => {
  it("is written like this", () => {
    expect(importAgent(WRITER, { tone: "calm" })).toEqual({
      source: PROGRAM,
      meta: {
        provenance: "inline",
        type: "agent",
        title: "Release Notes Writer",
        slug: "release-notes-writer",
        agent_slug: "release-notes-writer",
        parts: ["identity", "mission", "rules", "deliverables", "tone"],
        markdown_chars: 137,
        parsed: true,
        fallback_stub: false,
        target: "core",
        warnings: [],
      },
    });
  });

  it.each([
    ["cache", '  R cache.set "release-notes-writer" "rules" part 3600 ->stored'],
    ["memory", '  R memory.put "agent" "release-notes-writer" "rules" part 3600 ->stored'],
  ] as const)("keeps each part in the target %s", (target, line) => {
    const { source } = importAgent(WRITER, { target });
    expect(source.split("\n")).toContain(line);
    expect(compiled(source).diagnostics).toEqual([]);
  });

  it("is the profile alone when a document has no parts", async () => {
    const { source, meta } = importAgent("# Empty\n");
    expect(meta).toMatchObject({ parts: ["identity"], fallback_stub: true, warnings: ["no_parts_found"] });
    expect(source).not.toContain("Call");
    expect((await run(source)) as unknown).toMatchObject({
      out: { kind: "agent_profile", slug: "empty", identity: "Empty" },
    });
  });
});

const PARTS: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ["identity before name", "---\nidentity: I\nname: N\ndescription: D\n---\n# H", { identity: "I" }],
  ["name with description", "---\nname: N\ndescription: D\n---\n# H", { identity: "N: D" }],
  ["the first heading last", "# H\n", { identity: "H" }],
  ["identity is cut", `---\nidentity: ${"i".repeat(900)}\n---`, { identity: "i".repeat(800) }],
  ["front matter before a section", "---\nmission: M\n---\n## Mission\nS", { mission: "M" }],
  ["headings in their order", "## Purpose\nP\n## Mission\nM", { mission: "M" }],
  ["an empty section is passed over", "## Mission\n## Purpose\nP", { mission: "P" }],
  ["a mission of bullets only", "## Mission\n- a\n- b", { mission: "a\nb" }],
  ["a mission is one paragraph", "## Mission\n- a\n\nb\nc\n\nd", { mission: "b c" }],
  ["pictures, case and your do not matter", "## 🚨 YOUR Rules!\n- a", { rules: "a" }],
  ["headings of several words may continue", "## Critical Rules You Must Follow\n- a", { rules: "a" }],
  ["those of one word may not", "## Process payments\n- a\n## Rules of the road\n- b", {}],
  ["rules of deeper headings belong to it", "## Rules\n### One\n- a\n### Two\n* b\n## Next\n- c", { rules: "a\nb" }],
  ["rules without a list", "## Constraints\nFirst\nparagraph.\n\nSecond.", { rules: "First paragraph." }],
  ["items continue", "## Rules\n- a\n  b\n- c", { rules: "a b\nc" }],
  [
    "rules are cut",
    `## Rules\n- ${"r".repeat(1000)}\n- ${"s".repeat(1000)}`,
    { rules: `${"r".repeat(1000)}\n${"s".repeat(199)}` },
  ],
  ["numbered lines count", "## Workflow\n1. a\n2) b", { workflow: "a\nb" }],
  ["code does not", "## Workflow\n```\n- a\n```\n", {}],
  ["vibe before tone", "---\nvibe: v\ntone: t\n---", { tone: "v" }],
  ["tone is cut", `---\ntone: ${"t".repeat(300)}\n---`, { tone: "t".repeat(200) }],
];

describe("parts", () => {
  it.each(PARTS)("%s", async (_rule, markdown, parts) => {
    expect(await profileOf(markdown)).toEqual({ kind: "agent_profile", slug: expect.any(String), ...parts });
  });

  it.each([
    ["goes before the document", " **loud**\n", "loud"],
    ["does not when it is blank", " ", "v"],
  ])("the tone that is asked for %s", async (_rule, tone, expected) => {
    expect(await profileOf("---\nvibe: v\n---", tone)).toMatchObject({ tone: expected });
  });
});
