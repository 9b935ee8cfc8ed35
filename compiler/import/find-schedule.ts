/**
 * Where a document says when it runs: front matter first, then a `cron:` in its text, then its first paragraph. The first place that
 * says anything decides, understood or not, so that nothing is guessed from a second one.
 */
import { type Block, firstParagraph, type MarkdownDocument } from "./document.ts";
import { collapsed, cutText, plainText } from "./plain-text.ts";
import { type Schedule, scheduleOf } from "./schedule.ts";

export type FoundSchedule = {
  readonly cron: string | null;
  /** The document's words; null when it says nothing. */
  readonly note: string | null;
  readonly warnings: readonly string[];
};

const CRON_KEYS = ["cron", "schedule_cron", "crontab"];
const CRON_IN_TEXT = /\bcron\b(?:\*\*|__)?[ \t]*[:=](?:\*\*|__)?[ \t]*(\S.*)$/i;
const SEARCHED_CHARACTERS = 4000;
const SEARCHED_LINES = 100;
const MAX_NOTE_LENGTH = 200;
const LABELLED = /^[A-Z][\w ]{0,30}: /;
/** What may stand before a schedule in a sentence. The first says outright that one follows. */
const OUTRIGHT = /^schedule ?[:=] ?/i;
const IN_PASSING = /^(?:(?:this (?:workflow )?|it )?(?:runs|run)|(?:scheduled|schedule)(?: for| to run)?) /i;

export function findSchedule(document: MarkdownDocument): FoundSchedule {
  const { frontMatter, blocks } = document;
  const written = [
    ...CRON_KEYS.map((key) => frontMatter.get(key)),
    cronInText(blocks),
    frontMatter.get("schedule"),
  ].find((text) => text !== undefined && text.trim() !== "");
  if (written !== undefined) return found(written, scheduleOf(unquoted(written)));
  return inParagraph(firstParagraph(blocks)) ?? { cron: null, note: null, warnings: [] };
}

function found(written: string, schedule: Schedule | null): FoundSchedule {
  const note = cutText(collapsed(written), MAX_NOTE_LENGTH);
  if (schedule === null) return { cron: null, note, warnings: [`schedule_not_understood: "${note}"`] };
  const { cron, left_out } = schedule;
  const times = cutText(left_out.join(", "), MAX_NOTE_LENGTH);
  return { cron, note, warnings: times === "" ? [] : [`schedule_times_left_out: ${times}`] };
}

/** What follows the first `cron:` or `cron =` in the first 4000 characters outside code blocks. */
function cronInText(blocks: readonly Block[]): string | undefined {
  let searched = 0;
  for (const block of blocks) {
    if (block.kind === "gap") continue;
    if (searched >= SEARCHED_CHARACTERS) return undefined;
    const written = CRON_IN_TEXT.exec(cutText(block.text, SEARCHED_CHARACTERS - searched))?.[1];
    if (written !== undefined) return written;
    searched += block.text.length + 1;
  }
  return undefined;
}

/** A sentence of the first paragraph that is a schedule and nothing else, or one that starts with `Schedule:`. */
function inParagraph(lines: readonly string[]): FoundSchedule | null {
  for (const sentence of sentencesOf(lines)) {
    const outright = OUTRIGHT.test(sentence);
    const words = sentence.replace(outright ? OUTRIGHT : IN_PASSING, "");
    const schedule = scheduleOf(words);
    if (outright || schedule !== null) return found(outright ? words : sentence, schedule);
  }
  return null;
}

/** Sentences continue over line ends, except into a line such as `Owner: me`. */
function sentencesOf(lines: readonly string[]): readonly string[] {
  const text = lines
    .slice(0, SEARCHED_LINES)
    .map((line) => plainText(line, SEARCHED_CHARACTERS))
    .map((line) => (LABELLED.test(line) ? `\n${line}` : line));
  return text
    .join(" ")
    .slice(0, SEARCHED_CHARACTERS)
    .split(/\n|(?<=[.!?]) /)
    .map((sentence) => sentence.trim());
}

/** Without the back-ticks, quotes or brackets around a whole text. */
function unquoted(text: string): string {
  const inside = /^(["'`])(.*)\1\.?$/.exec(text.trim());
  return inside?.[2] ?? text;
}
