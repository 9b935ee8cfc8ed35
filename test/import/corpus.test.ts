/** Every document of the corpus, as workflow and as agent, for every target: what is found, and that the program holds. */
import { describe, expect, it } from "vitest";
import { importAgent } from "../../compiler/import/agent.ts";
import { importMarkdown } from "../../compiler/import/import.ts";
import { IMPORT_TARGETS } from "../../compiler/import/shapes.ts";
import { importWorkflow } from "../../compiler/import/workflow.ts";
import { verifies } from "../support/requirements.ts";
import { compiled, irOf, run } from "../support/world.ts";
import { CORPUS } from "./corpus.ts";
import { stepTitles } from "./programs.ts";

const UNPRINTABLE = /[^\P{C}\n\p{Cf}]|[\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]/u;

describe.each(CORPUS)("$name", ({ markdown, steps, cron = null, parts = ["identity"], warnings = [] }) => {
  it("gives its steps and schedule as a workflow", async () => {
    const { source, meta } = importWorkflow(markdown);
    expect(await stepTitles(source)).toEqual(steps);
    expect(meta).toMatchObject({ type: "workflow", cron, steps: steps.length, parsed: !meta.fallback_stub });
    expect(meta.warnings.filter((warning) => warning !== "step bodies are not translated")).toEqual(warnings);
    expect(source.includes("S core cron")).toBe(cron !== null);
  });

  it("gives its parts as an agent", async () => {
    const { source, meta } = importAgent(markdown);
    const answer = await run(source);
    const profile = answer.ok ? answer.out : null;
    const { warnings: _other, ...facts } = meta;
    expect(facts).toMatchObject({ type: "agent", parts, agent_slug: meta.slug });
    expect(Object.keys(profile ?? {}).sort()).toEqual(["kind", "slug", ...parts].sort());
  });

  it.each(["workflow", "agent"] as const)("is a strict program that runs under core alone, as %s", async (type) => {
    verifies("import.runnable");
    const result = importMarkdown(markdown, type);
    if (!result.ok) throw new Error(result.message);
    expect(compiled(result.source).diagnostics).toEqual([]);
    expect(UNPRINTABLE.test(result.source)).toBe(false);
    const answer = await run(result.source, { allowedAdapters: ["core"] });
    expect(answer).toMatchObject({ ok: true, out: expect.any(Object) });
    expect(importMarkdown(markdown, type)).toEqual(result);
  });

  it.each(IMPORT_TARGETS)("calls nothing but core and its target %s", (target) => {
    for (const type of ["workflow", "agent"] as const) {
      const result = importMarkdown(markdown, type, { target });
      if (!result.ok) throw new Error(result.message);
      expect(compiled(result.source).diagnostics).toEqual([]);
      const called = irOf(result.source).nodes.map((node) => (node.op === "R" ? node.data.adapter : "core"));
      expect(called.filter((adapter) => adapter !== "core" && adapter !== target)).toEqual([]);
    }
  });
});
