/** The examples of docs/import.md give exactly the programs that stand below them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { importAgent } from "../../compiler/import/agent.ts";
import { importWorkflow } from "../../compiler/import/workflow.ts";

const PAGE = readFileSync(new URL("../../docs/import.md", import.meta.url), "utf8");
const examples = [...PAGE.matchAll(/^```md (workflow|agent)\n(.*?)^```$.*?^```wf\n(.*?)^```$/gms)].map(
  ([, type, document = "", program = ""]) => ({ type, document, program }),
);

describe("docs/import.md", () => {
  it("has an example of each type", () => {
    expect(examples.map(({ type }) => type)).toEqual(["workflow", "agent"]);
  });

  it.each(examples)("$type", ({ type, document, program }) => {
    const imported = type === "workflow" ? importWorkflow(document) : importAgent(document, { tone: "calm" });
    expect(imported.source).toBe(program);
  });
});
