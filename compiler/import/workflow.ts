/**
 * A workflow document → a program that returns its plan: one label per step, called in order, and a summary. Pure and total: any
 * text gives a program that passes strict checks and runs (docs/import.md).
 */
import { readDocument, titleOf } from "./document.ts";
import { findSchedule } from "./find-schedule.ts";
import { commentText, jsonLiteral, weftString } from "./literals.ts";
import { codePoints, slugOf } from "./plain-text.ts";
import type { Imported, ImportOptions, ImportTarget, WorkflowMeta } from "./shapes.ts";
import { readSteps } from "./steps.ts";
import { storeLine } from "./store-line.ts";

export function importWorkflow(markdown: string, options: ImportOptions = {}): Imported<WorkflowMeta> {
  const { target = "core", provenance = "inline", name } = options;
  const document = readDocument(markdown);
  const title = titleOf(document, name);
  const slug = slugOf(title);
  const schedule = findSchedule(document);
  const found = readSteps(document);
  const stub = found.titles.length === 0;
  const titles = stub ? [title] : found.titles;
  return {
    source: [
      ...header(slug, schedule.cron, schedule.note),
      ...mainLabel(slug, titles.length),
      ...titles.flatMap((step, index) => stepLabel({ slug, number: index + 1, title: step, target })),
    ].join("\n"),
    meta: {
      provenance,
      type: "workflow",
      title,
      slug,
      cron: schedule.cron,
      schedule_note: schedule.note,
      steps: titles.length,
      markdown_chars: codePoints(markdown),
      parsed: !stub,
      fallback_stub: stub,
      target,
      warnings: [
        ...document.warnings,
        ...schedule.warnings,
        ...found.warnings,
        stub ? "no_steps_found" : "step bodies are not translated",
      ],
    },
  };
}

function header(slug: string, cron: string | null, note: string | null): readonly string[] {
  const origin = `# Imported from Markdown (workflow): ${commentText(slug)}`;
  if (cron === null) return [origin, ""];
  return [origin, `# Schedule: ${cron} (from: ${commentText(note ?? cron)})`, `S core cron ${weftString(cron)}`, ""];
}

function mainLabel(slug: string, steps: number): readonly string[] {
  const calls = Array.from({ length: steps }, (_, index) => `  Call L_step_${index + 1} ->r${index + 1}`);
  const summary = jsonLiteral({ workflow: slug, steps, status: "complete" });
  return ["L1:", ...calls, `  R core.PARSE ${summary} ->summary`, "  J summary", ""];
}

type Step = {
  readonly slug: string;
  readonly number: number;
  readonly title: string;
  readonly target: ImportTarget;
};

function stepLabel({ slug, number, title, target }: Step): readonly string[] {
  return [
    `L_step_${number}:`,
    `  R core.PARSE ${jsonLiteral({ step: number, title })} ->step`,
    ...storeLine({ target, kind: "workflow", slug, key: `step_${number}`, value: "step" }),
    "  J step",
    "",
  ];
}
