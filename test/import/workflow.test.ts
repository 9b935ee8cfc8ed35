/** The workflow importer to the letter, and its rules for titles, steps and schedules one by one. */
import { describe, expect, it } from "vitest";
import { importWorkflow } from "../../compiler/import/workflow.ts";
import { run } from "../support/world.ts";
import { stepTitles } from "./programs.ts";

const PLANTS = `---
name: water-plants
schedule: "7am, 6pm"
---
# Water the plants
## 1. Check soil
Look at it.
## 2. Run the "pump"
Press start.
`;

const PROGRAM = String.raw`# Imported from Markdown (workflow): water-plants
# Schedule: 0 7,18 * * * (from: 7am, 6pm)
S core cron "0 7,18 * * *"

L1:
  Call L_step_1 ->r1
  Call L_step_2 ->r2
  R core.PARSE "{\"workflow\":\"water-plants\",\"steps\":2,\"status\":\"complete\"}" ->summary
  J summary

L_step_1:
  R core.PARSE "{\"step\":1,\"title\":\"Check soil\"}" ->step
  J step

L_step_2:
  R core.PARSE "{\"step\":2,\"title\":\"Run the \\\"pump\\\"\"}" ->step
  J step
`;

describe("an imported workflow", () => {
  it("is written like this", async () => {
    expect(importWorkflow(PLANTS, { provenance: "preset:water-plants" })).toEqual({
      source: PROGRAM,
      meta: {
        provenance: "preset:water-plants",
        type: "workflow",
        title: "water-plants",
        slug: "water-plants",
        cron: "0 7,18 * * *",
        schedule_note: "7am, 6pm",
        steps: 2,
        markdown_chars: 130,
        parsed: true,
        fallback_stub: false,
        target: "core",
        warnings: ["step bodies are not translated"],
      },
    });
    expect(await run(PROGRAM)).toMatchObject({ out: { workflow: "water-plants", steps: 2, status: "complete" } });
  });

  it.each([
    ["cache", '  R cache.set "water-plants" "step_2" step 3600 ->stored'],
    ["memory", '  R memory.put "workflow" "water-plants" "step_2" step 3600 ->stored'],
  ] as const)("keeps each step in the target %s", (target, line) => {
    const lines = importWorkflow(PLANTS, { target }).source.split("\n");
    expect(lines.filter((written) => written === line)).toHaveLength(1);
    expect(lines[lines.indexOf(line) + 1]).toBe("  J step");
  });

  it("stands for the title alone when a document has no steps", async () => {
    const { source, meta } = importWorkflow("Just prose.", { name: "My_Notes" });
    expect(meta).toMatchObject({ title: "My_Notes", slug: "my-notes", fallback_stub: true, parsed: false });
    expect(await stepTitles(source)).toEqual(["My_Notes"]);
  });
});

const STEPS: readonly (readonly [string, string, readonly string[]])[] = [
  ["numbered headings win over lines and bullets", "## 1. A\n1. B\n- C", ["A"]],
  ["numbered lines win over bullets", "- C\n1. B", ["B"]],
  ["headings of any level and form", "# Step 1: A\n###### 2) B\n## STEP 3 — C\n## step 4. D", ["A", "B", "C", "D"]],
  ["a number inside a heading is not a step", "## Version 1.5\n## 1.5 Things\n## Step one\n- A", ["A"]],
  ["a heading without text is not a step", "## 1.\n## Step 2:\n- A", ["A"]],
  ["closing marks belong to no title", "## 1. A ##\n## 2. C#\n", ["A", "C#"]],
  ["seven marks, or a mark without a space, are not a heading", "####### 1. A\n#1. B\n- C", ["C"]],
  ["a line indented by four is code", "    1. A\n\t1. B\n   1. C", ["C"]],
  ["bullets that are indented belong to others", "- A\n  - B\n + C", ["A", "C"]],
  ["bullets may repeat", "- A\n- A", ["A", "A"]],
  ["rules are not bullets", "* * *\n- - -\n- A", ["A"]],
  ["marks go, code stays", "1. **a** _b_ ~~c~~ `d_*e*` [f](g) ![h](i) j_k_l 2 * 3", ["a b c d_*e* f h j_k_l 2 * 3"]],
  ["blanks collapse", "1.  a \t b\u00a0\u3000c  ", ["a b c"]],
  ["long titles are cut between code points", `1. ${"😀".repeat(600)}`, ["😀".repeat(500)]],
  ["at most 25 bullets", "- a\n".repeat(30), Array.from({ length: 25 }, () => "a")],
];

describe("steps", () => {
  it.each(STEPS)("%s", async (_rule, markdown, titles) => {
    expect(await stepTitles(importWorkflow(markdown).source)).toEqual(titles);
  });

  it("are at most 200, and those left out are counted", async () => {
    const markdown = Array.from({ length: 230 }, (_, index) => `${index + 1}. Step ${index + 1}`).join("\n");
    const { source, meta } = importWorkflow(markdown);
    expect([meta.steps, meta.warnings]).toEqual([200, ["steps_left_out: 30", "step bodies are not translated"]]);
    expect(await run(source)).toMatchObject({ out: { steps: 200, status: "complete" } });
  });
});

const TITLES: readonly (readonly [string, string, string])[] = [
  ["front matter title", "---\ntitle: A\nname: B\n---\n# C", "A"],
  ["front matter name", "---\nname: B\n---\n# C", "B"],
  ["first heading", "## X\n# C *c*\n# D", "C c"],
  ["the name of the file", "text", "file"],
  ["an empty one does not count", '---\ntitle: ""\nname: ``\n---\n#\n# `` \n# D', "D"],
];

const SCHEDULES: readonly (readonly [string, string, string | null, string | null])[] = [
  [
    "cron before everything",
    "---\nschedule: daily\ncrontab: 1 2 * * *\n---\ncron: 3 4 * * *",
    "1 2 * * *",
    "1 2 * * *",
  ],
  ["the text before schedule", "---\nschedule: daily\n---\ncron = 3 4 * * *", "3 4 * * *", "3 4 * * *"],
  ["the first that says anything decides", "---\ncron: soon\nschedule: daily\n---\n", null, "soon"],
  ["not in code", "~~~\ncron: 3 4 * * *\n~~~\n", null, null],
  ["not after 4000 characters", `${"x".repeat(4000)}\ncron: 3 4 * * *`, null, null],
  ["a word in prose is not a schedule", "My daily life at 7am.", null, null],
  ["a sentence with more in it is not a schedule", "Runs daily at 7am except on mondays.", null, null],
  ["a sentence is", "It is good. This workflow runs daily at 7am.", "0 7 * * *", "This workflow runs daily at 7am."],
  ["a line of facts is", "**Owner:** me\n**Schedule:** weekdays\n**Place:** here", "0 9 * * 1-5", "weekdays"],
  ["only in the first paragraph", "Hello.\n\nRuns daily.", null, null],
  ["not in a list", "- Runs daily.\n", null, null],
];

describe("title and schedule", () => {
  it.each(TITLES)("title: %s", (_rule, markdown, title) => {
    expect(importWorkflow(markdown, { name: "file" }).meta.title).toBe(title);
  });

  it.each(SCHEDULES)("schedule: %s", (_rule, markdown, cron, schedule_note) => {
    expect(importWorkflow(markdown).meta).toMatchObject({ cron, schedule_note });
  });
});
