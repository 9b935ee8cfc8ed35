/**
 * The titles of a workflow's steps. The first of three forms that gives any decides: numbered headings, numbered lines, bullets. What
 * stands under a title is prose for a person or a model and is not read.
 */
import type { Block, MarkdownDocument } from "./document.ts";
import { plainText } from "./plain-text.ts";

export type Steps = { readonly titles: readonly string[]; readonly warnings: readonly string[] };

const MAX_STEPS = 200;
const MAX_BULLETS = 25;
const MAX_TITLE_LENGTH = 500;
const NUMBERED_HEADING = /^(?:\d{1,9}[.)] |step \d{1,9} ?[:.)\u2013\u2014-] ?)(.+)$/i;
/** `- [ ] text` and `- [x] text`. */
const TASK_BOX = /^\[[ x]\] /i;
/** Lines such as "Using your calendar skill" tell how, not what. */
const MANNER = /^using your\b/i;

export function readSteps({ blocks }: MarkdownDocument): Steps {
  const headings = distinct(titlesOf(blocks, headingTitle));
  if (headings.titles.length > 0) return atMost(headings, MAX_STEPS);
  const lines = distinct(titlesOf(blocks, lineTitle));
  if (lines.titles.length > 0) return atMost(lines, MAX_STEPS);
  return atMost({ titles: titlesOf(blocks, bulletTitle), warnings: [] }, MAX_BULLETS);
}

function titlesOf(blocks: readonly Block[], titleOf: (block: Block) => string | undefined): readonly string[] {
  return blocks.map(titleOf).filter((title) => title !== undefined && title !== "") as readonly string[];
}

function headingTitle(block: Block): string | undefined {
  if (block.kind !== "heading") return undefined;
  return NUMBERED_HEADING.exec(plainText(block.text, MAX_TITLE_LENGTH))?.[1]?.trim();
}

function lineTitle(block: Block): string | undefined {
  return block.kind === "item" && block.ordered && block.indent < 4 ? itemTitle(block.text) : undefined;
}

function bulletTitle(block: Block): string | undefined {
  if (block.kind !== "item" || block.ordered || block.indent > 1) return undefined;
  const title = itemTitle(block.text);
  return MANNER.test(title) ? undefined : title;
}

function itemTitle(text: string): string {
  return plainText(text.replace(TASK_BOX, ""), MAX_TITLE_LENGTH);
}

function distinct(titles: readonly string[]): Steps {
  const byFoldedTitle = new Map<string, string>();
  for (const title of titles) {
    const folded = title.toLowerCase();
    if (!byFoldedTitle.has(folded)) byFoldedTitle.set(folded, title);
  }
  const repeated = titles.length - byFoldedTitle.size;
  return {
    titles: [...byFoldedTitle.values()],
    warnings: repeated === 0 ? [] : [`repeated_steps_dropped: ${repeated}`],
  };
}

function atMost({ titles, warnings }: Steps, most: number): Steps {
  if (titles.length <= most) return { titles, warnings };
  return { titles: titles.slice(0, most), warnings: [...warnings, `steps_left_out: ${titles.length - most}`] };
}
