/**
 * A page whose commands are followed in their order, in one folder, against the service that the page starts: what they print stands
 * below them. Ids and times differ from run to run and are compared by their shape. `wf` runs here; other lines need bash and what they name.
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";
import { type ConsoleOptions, wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";
import { realClock } from "../service/serving.ts";
import { readPage, wordsOf } from "./page.ts";

const SERVE = /^wf serve (.*)$/m;
const BLOCK = /^```\n(\$ .*?)^```$/gms;
const COMMAND = /^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm;
const ID = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})\b/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const SPAN = /\b[\d.]+ (?:ms|s|min)\b/g;

const shape = (text: string): string =>
  text.replace(ID, "ID").replace(TIME, "TIME").replace(SPAN, "SPAN").replace(/ {2,}/g, "  ").replace(/ +$/gm, "");

type Following = {
  /** Before the first line that begins so, the service is started. */
  readonly startsBefore: string;
  /** Waits until a command can print what the page says; called before each. */
  ready?(line: string, server: string): Promise<void>;
};

/** Follows a page; with `WEFT_DOCS=write` it writes what the commands print. Returns the text of the page. */
export async function follow(name: string, { startsBefore, ready }: Following): Promise<string> {
  const path = fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
  const page = readPage(name);
  const cwd = folderWith(page.files);
  const options: ConsoleOptions = { cwd, clock: realClock };
  const service = { server: "", stop: (): void => {}, over: Promise.resolve() as Promise<unknown> };
  /** Ids of the page, and those of this run in their place. */
  const ids = new Map<string, string>();
  let { text } = page;
  let at = 0;
  try {
    for (const { line, printed } of commandsOf(page.text)) {
      if (service.server === "" && line.startsWith(startsBefore))
        await start(service, [...wordsOf(SERVE.exec(page.text)?.[1] ?? ""), "--port", "0"], options);
      await ready?.(line, service.server);
      const now = await printedNow(line, ids, service.server, options);
      const [before = [], after = []] = [printed.match(ID) ?? [], now.match(ID) ?? []];
      for (const [index, id] of before.entries()) ids.set(id, after[index] ?? "");
      at = text.indexOf(`$ ${line}\n${printed}`, at) + `$ ${line}\n`.length;
      text = text.slice(0, at) + now + text.slice(at + printed.length);
      if (process.env["WEFT_DOCS"] !== "write") expect(shape(now), line).toBe(shape(printed));
    }
  } finally {
    service.stop();
    await service.over;
  }
  if (process.env["WEFT_DOCS"] === "write") {
    // Commands name what was printed before them.
    for (const [before, after] of ids) text = text.replaceAll(before, after);
    writeFileSync(path, text);
  }
  return readFileSync(path, "utf8");
}

function commandsOf(text: string): { readonly line: string; readonly printed: string }[] {
  return [...text.matchAll(BLOCK)].flatMap(([, block = ""]) =>
    [...block.matchAll(COMMAND)].map(([, line = "", printed = ""]) => ({ line, printed })),
  );
}

async function printedNow(
  line: string,
  ids: ReadonlyMap<string, string>,
  server: string,
  options: ConsoleOptions,
): Promise<string> {
  const [program = "", ...words] = wordsOf(line).map((word) => ids.get(word) ?? word);
  if (program === "wf") {
    const { stdout, stderr } = await wf(words, { ...options, environment: { WF_SERVER: server } });
    return stdout + stderr;
  }
  const script = line.replaceAll("localhost:8770", server.replace("http://", ""));
  const { stdout } = await promisify(execFile)("bash", ["-euc", script], { cwd: options.cwd ?? "." });
  return stdout === "" || stdout.endsWith("\n") ? stdout : `${stdout}\n`;
}

type Service = { server: string; stop(): void; over: Promise<unknown> };

function start(service: Service, words: readonly string[], options: ConsoleOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    service.over = wf(["serve", ...words], {
      ...options,
      onListen: (send) => {
        service.stop = () => send("SIGTERM");
      },
      onComplaint: (said) => {
        const [, url] = /listening on (\S+)/.exec(said) ?? [];
        if (url === undefined) return;
        service.server = url;
        resolve();
      },
    }).catch(reject);
  });
}
