/**
 * Presets by slug: the bundled templates and the addresses of public ones. A slug matches exactly or not at all; what is near to it is
 * only ever suggested. No network here.
 */
import type { DocumentType } from "../../compiler/import/shapes.ts";
import { nearest } from "../../grammar/text/nearest.ts";
import { AGENT_TEMPLATES } from "./agents.ts";
import { PUBLIC_AGENTS, PUBLIC_WORKFLOWS } from "./public.ts";
import { WORKFLOW_TEMPLATES } from "./workflows.ts";

export type Preset = { readonly slug: string; readonly title: string } & (
  | { readonly origin: "bundled"; readonly markdown: string }
  | { readonly origin: "public"; readonly url: string }
);

export type PresetLookup =
  | { readonly found: true; readonly preset: Preset }
  | { readonly found: false /** Nearest first, at most five. */; readonly close_slugs: readonly string[] };

const MAX_SUGGESTIONS = 5;
const MAX_SLUG_LENGTH = 100;

const PRESETS: Readonly<Record<DocumentType, readonly Preset[]>> = {
  workflow: presetsOf(WORKFLOW_TEMPLATES, PUBLIC_WORKFLOWS),
  agent: presetsOf(AGENT_TEMPLATES, PUBLIC_AGENTS),
};

function presetsOf(
  bundled: Readonly<Record<string, string>>,
  addresses: Readonly<Record<string, string>>,
): readonly Preset[] {
  return [
    ...Object.entries(bundled).map(
      ([slug, markdown]): Preset => ({ slug, title: titleOf(slug), origin: "bundled", markdown }),
    ),
    ...Object.entries(addresses).map(([slug, url]): Preset => ({ slug, title: titleOf(slug), origin: "public", url })),
  ];
}

/** `morning-brief` → `Morning brief`. */
function titleOf(slug: string): string {
  const words = slug.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** All presets of a type: bundled ones first. */
export function listPresets(type: DocumentType): readonly Preset[] {
  return PRESETS[type];
}

/** Finds a preset by its slug; letter case, blanks and underscores do not matter. */
export function findPreset(type: DocumentType, name: string): PresetLookup {
  const slug = name
    .trim()
    .slice(0, MAX_SLUG_LENGTH)
    .toLowerCase()
    .replace(/[\s_]+/g, "-");
  const preset = PRESETS[type].find((candidate) => candidate.slug === slug);
  return preset === undefined ? { found: false, close_slugs: closeSlugs(type, slug) } : { found: true, preset };
}

/** The most alike slug, then those that share a word. */
function closeSlugs(type: DocumentType, slug: string): readonly string[] {
  const slugs = PRESETS[type].map((preset) => preset.slug);
  const words = new Set(slug.split("-").filter((word) => word !== ""));
  const alike = nearest(slug, slugs);
  const sharing = slugs.filter((candidate) => candidate.split("-").some((word) => words.has(word)));
  return [...new Set(alike === null ? sharing : [alike, ...sharing])].slice(0, MAX_SUGGESTIONS);
}
