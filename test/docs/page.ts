/**
 * What a page of the documentation promises: the files it writes down (a line with the name in backticks and a colon, then the block)
 * and the commands it shows (`$ wf …`) with exactly what they print. `WEFT_DOCS=write` writes down what they print instead.
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { Clock } from "../../vm/run.ts";
import { stillClock, wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";

export type Command = { readonly line: string; readonly printed: string };
export type Page = {
  readonly text: string;
  readonly files: Readonly<Record<string, string>>;
  readonly commands: readonly Command[];
};

const BLOCK = /^```\n(\$ wf .*?)^```$/gms;
const COMMAND = /^\$ wf (.*)\n((?:(?!\$ wf ).*\n)*)/gm;

const urlOf = (name: string): URL => new URL(`../../docs/${name}`, import.meta.url);

export function readPage(name: string): Page {
  const text = readFileSync(urlOf(name), "utf8");
  const files = [...text.matchAll(/^`([\w./-]+)`:\n\n```[\w ]+\n(.*?)^```$/gms)];
  const commands = [...text.matchAll(BLOCK)].flatMap(([, block = ""]) =>
    [...block.matchAll(COMMAND)].map(([, line = "", printed = ""]) => ({ line, printed })),
  );
  return { text, files: Object.fromEntries(files.map(([, path = "", body = ""]) => [path, body])), commands };
}

/** Figures of time are 0, and deadlines of adapters are real ones. */
const clock: Clock = {
  ...stillClock,
  wait: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** What a command prints in a fresh folder with the files of its page. */
export async function printedBy(page: Page, { line }: Command): Promise<string> {
  const result = await wf(wordsOf(line), { cwd: folderWith(page.files), clock });
  return result.stdout + result.stderr;
}

export async function rewritePage(name: string): Promise<void> {
  const page = readPage(name);
  let { text } = page;
  for (const command of page.commands) {
    const printed = await printedBy(page, command);
    text = text.replace(`$ wf ${command.line}\n${command.printed}`, () => `$ wf ${command.line}\n${printed}`);
  }
  writeFileSync(urlOf(name), text);
}

/** The words of a line as a shell reads them; quotes are single ones. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, ...words]) => words.find((word) => word !== undefined) ?? "",
  );
}
