/**
 * An agent document → a program that returns the agent's profile: who it is, and one label per longer part, merged. Pure and total:
 * any text gives a program that passes strict checks and runs (docs/import.md).
 */
import type { JsonObject } from "../json.ts";
import { firstHeading, type MarkdownDocument, readDocument, titleOf } from "./document.ts";
import { commentText, jsonLiteral } from "./literals.ts";
import { codePoints, cutText, plainText, slugOf } from "./plain-text.ts";
import { type Reading, sectionsOf, sectionText } from "./sections.ts";
import type { AgentMeta, Imported, ImportOptions, ImportTarget } from "./shapes.ts";
import { storeLine } from "./store-line.ts";

/** Parts that stand in sections. */
const SECTION_PARTS = [
  { name: "mission", headings: ["core mission", "mission", "purpose"], reading: "paragraph", limit: 800 },
  { name: "rules", headings: ["critical rules", "rules", "constraints"], reading: "list", limit: 1200 },
  {
    name: "deliverables",
    headings: ["deliverables", "outputs", "technical deliverables"],
    reading: "list",
    limit: 1200,
  },
  {
    name: "workflow",
    headings: ["workflow process", "workflow", "workflows", "process"],
    reading: "list",
    limit: 1200,
  },
] as const satisfies readonly {
  readonly name: string;
  readonly headings: readonly string[];
  readonly reading: Reading;
  readonly limit: number;
}[];

const MAX_IDENTITY_LENGTH = 800;
const MAX_TONE_LENGTH = 200;
/** Parts that are long enough for a label of their own. */
const LABELLED = ["rules", "deliverables", "workflow"] as const;
type LabelledPart = (typeof LABELLED)[number];

type PartName = "identity" | "tone" | (typeof SECTION_PARTS)[number]["name"];
/** Absent parts are empty. */
type Parts = Readonly<Record<PartName, string>>;

export function importAgent(markdown: string, options: ImportOptions = {}): Imported<AgentMeta> {
  const { target = "core", provenance = "inline", name, tone } = options;
  const document = readDocument(markdown);
  const title = titleOf(document, name);
  const slug = slugOf(title);
  const parts = readParts(document, tone);
  const found = Object.entries(parts).flatMap(([part, text]) => (text === "" ? [] : [part]));
  const stub = SECTION_PARTS.every((part) => parts[part.name] === "");
  return {
    source: [`# Imported from Markdown (agent): ${commentText(slug)}`, "", ...labels(slug, parts, target)].join("\n"),
    meta: {
      provenance,
      type: "agent",
      title,
      slug,
      agent_slug: slug,
      parts: found,
      markdown_chars: codePoints(markdown),
      parsed: !stub,
      fallback_stub: stub,
      target,
      warnings: [...document.warnings, ...(stub ? ["no_parts_found"] : [])],
    },
  };
}

function readParts(document: MarkdownDocument, tone: string | undefined): Parts {
  const { frontMatter, blocks } = document;
  const places = { blocks, sections: sectionsOf(blocks) };
  const inSections = SECTION_PARTS.map((part) => {
    const written = multiline(frontMatter.get(part.name) ?? "", part.limit);
    return [part.name, written === "" ? sectionText(places, part.headings, part) : written] as const;
  });
  const { mission = "", rules = "", deliverables = "", workflow = "" } = Object.fromEntries(inSections);
  return { identity: identityOf(document), mission, rules, deliverables, workflow, tone: toneOf(document, tone) };
}

function identityOf(document: MarkdownDocument): string {
  const [identity, name, description] = ["identity", "name", "description"].map((key) =>
    plainText(document.frontMatter.get(key) ?? "", MAX_IDENTITY_LENGTH),
  );
  const described = [name, description].filter((text) => text !== "").join(": ");
  return cutText(identity || described || firstHeading(document), MAX_IDENTITY_LENGTH);
}

function toneOf({ frontMatter }: MarkdownDocument, asked: string | undefined): string {
  const tones = [asked, frontMatter.get("vibe"), frontMatter.get("tone")];
  return tones.map((tone) => plainText(tone ?? "", MAX_TONE_LENGTH)).find((tone) => tone !== "") ?? "";
}

/** Text of front matter whose lines matter. */
function multiline(text: string, limit: number): string {
  const lines = text.split("\n").map((line) => plainText(line, limit));
  return cutText(lines.filter((line) => line !== "").join("\n"), limit);
}

function labels(slug: string, parts: Parts, target: ImportTarget): readonly string[] {
  const { identity, mission, tone } = parts;
  const profile = jsonLiteral({ kind: "agent_profile", slug, ...present({ identity, mission, tone }) });
  const own = LABELLED.filter((part) => parts[part] !== "");
  return [
    "L1:",
    `  R core.PARSE ${profile} ->profile`,
    ...(own.length === 0 ? ["  J profile", ""] : mergedParts(own)),
    ...own.flatMap((part) => partLabel(part, parts[part], { slug, target })),
  ];
}

function mergedParts(own: readonly LabelledPart[]): readonly string[] {
  const calls = own.map((part) => `  Call L_${part} ->${part}`);
  return [...calls, `  R core.MERGE profile ${own.join(" ")} ->out`, "  J out", ""];
}

type Place = { readonly slug: string; readonly target: ImportTarget };

function partLabel(part: LabelledPart, text: string, { slug, target }: Place): readonly string[] {
  return [
    `L_${part}:`,
    `  R core.PARSE ${jsonLiteral({ [part]: text })} ->part`,
    ...storeLine({ target, kind: "agent", slug, key: part, value: "part" }),
    "  J part",
    "",
  ];
}

function present(members: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, text]) => text !== ""));
}
