/** The presets: exact slugs, suggestions, and every bundled template as a program. */
import { describe, expect, it } from "vitest";
import { importMarkdown } from "../../compiler/import/import.ts";
import type { DocumentType } from "../../compiler/import/shapes.ts";
import { findPreset, listPresets } from "../../mcp/presets/presets.ts";
import { verifies } from "../support/requirements.ts";
import { compiled, run } from "../support/world.ts";

const TYPES = ["workflow", "agent"] as const satisfies readonly DocumentType[];
const ALL = TYPES.flatMap((type) => listPresets(type).map((preset) => ({ type, preset })));

describe("presets", () => {
  it("are these", () => {
    const slugs = (type: DocumentType, origin: string): readonly string[] =>
      listPresets(type).flatMap((preset) => (preset.origin === origin ? [preset.slug] : []));
    expect(slugs("workflow", "bundled")).toEqual([
      "morning-brief",
      "feed-watch",
      "backup-check",
      "weekly-review",
      "disk-alert",
    ]);
    expect(slugs("workflow", "public")).toEqual([
      "check-calendar",
      "morning-journal",
      "prep-tomorrow",
      "plan-week",
      "check-email",
    ]);
    expect(slugs("agent", "bundled")).toEqual([
      "code-reviewer",
      "release-notes-writer",
      "data-analyst",
      "incident-scribe",
      "workflow-planner",
    ]);
    expect(slugs("agent", "public")).toEqual([
      "mcp-builder",
      "agents-orchestrator",
      "engineering-frontend-developer",
      "specialized-workflow-architect",
      "accounts-payable-agent",
    ]);
  });

  it.each(ALL)("$preset.slug is found by its slug", ({ type, preset }) => {
    verifies("import.presets-exact");
    expect(findPreset(type, preset.slug)).toEqual({ found: true, preset });
    expect(findPreset(type, ` ${preset.slug.toUpperCase().replace("-", "_").replace("-", " ")} `)).toMatchObject({
      found: true,
    });
    expect(preset.title).toMatch(/^[A-Z][a-z ]+$/);
    if (preset.origin === "public")
      expect(preset.url).toMatch(/^https:\/\/[\w.]+\/[\w-]+\/[\w-]+\/[0-9a-f]{40}\/.+\.md$/);
  });
});

const UNKNOWN: readonly (readonly [DocumentType, string, readonly string[]])[] = [
  ["workflow", "morning-brie", ["morning-brief", "morning-journal"]],
  ["workflow", "check", ["backup-check", "check-calendar", "check-email"]],
  ["workflow", "feedwatch", ["feed-watch"]],
  ["workflow", "code-reviewer", []],
  ["agent", "code-review", ["code-reviewer"]],
  ["agent", "morning-brief", []],
  ["agent", "", []],
  ["agent", "--", []],
  ["agent", "__proto__", []],
  ["agent", "constructor", []],
  ["agent", "x".repeat(100_000), []],
];

describe("an unknown slug", () => {
  it.each(UNKNOWN)("%s %#: suggests and gives nothing", (type, name, close_slugs) => {
    verifies("import.presets-exact");
    expect(findPreset(type, name)).toEqual({ found: false, close_slugs });
  });
});

describe("bundled templates", () => {
  const bundled = ALL.flatMap(({ type, preset }) => (preset.origin === "bundled" ? [{ type, ...preset }] : []));

  it.each(bundled)("$slug is a strict program that runs under core", async ({ type, slug, markdown }) => {
    const result = importMarkdown(markdown, type, { provenance: `preset:${slug}` });
    if (!result.ok) throw new Error(result.message);
    expect(compiled(result.source).diagnostics).toEqual([]);
    expect(result.meta).toMatchObject({ slug, type, fallback_stub: false, provenance: `preset:${slug}` });
    expect(await run(result.source, { allowedAdapters: ["core"] })).toMatchObject({
      ok: true,
      out: expect.any(Object),
    });
  });

  it("show what the importers read", () => {
    const metas = bundled.map(({ type, slug, markdown }) => {
      const result = importMarkdown(markdown, type);
      if (!result.ok) return [slug];
      const { meta } = result;
      return meta.type === "workflow" ? [slug, meta.steps, meta.cron] : [slug, meta.parts.length];
    });
    expect(metas).toEqual([
      ["morning-brief", 4, "30 7 * * 1-5"],
      ["feed-watch", 5, "0 */2 * * *"],
      ["backup-check", 5, "15 5 * * *"],
      ["weekly-review", 5, "0 16 * * 5"],
      ["disk-alert", 4, "*/30 * * * *"],
      ["code-reviewer", 6],
      ["release-notes-writer", 6],
      ["data-analyst", 6],
      ["incident-scribe", 6],
      ["workflow-planner", 6],
    ]);
  });
});
