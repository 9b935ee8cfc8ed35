/**
 * Every command of docs/tutorial.md, in its order, in one folder, against the service that the page starts: what they print stands below
 * them. Ids and times differ from run to run and are compared by their shape. Out of date: `WEFT_DOCS=write npx vitest run test/docs/tutorial.test.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { type ConsoleOptions, wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";
import { realClock } from "../service/serving.ts";
import { readPage, wordsOf } from "./page.ts";

const PAGE = fileURLToPath(new URL("../../docs/tutorial.md", import.meta.url));
const SERVE = /^wf serve (.*)$/m;
const ID = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})\b/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const SPAN = /\b[\d.]+ (?:ms|s|min)\b/g;

const shape = (text: string): string =>
  text.replace(ID, "ID").replace(TIME, "TIME").replace(SPAN, "SPAN").replace(/ {2,}/g, "  ").replace(/ +$/gm, "");

async function questions(server: string): Promise<number> {
  const { approvals } = (await (await fetch(`${server}/approvals`)).json()) as {
    readonly approvals: readonly unknown[];
  };
  return approvals.length;
}

it("a newcomer who follows the tutorial sees what it says", { timeout: 120_000 }, async () => {
  const page = readPage("tutorial.md");
  const cwd = folderWith(page.files);
  const serve = SERVE.exec(page.text)?.[1] ?? "";
  let text = page.text;
  let server = "";
  let stop = (): void => {};
  const options: ConsoleOptions = { cwd, clock: realClock };
  let serving: Promise<unknown> | null = null;
  const started = async (): Promise<void> => {
    await new Promise<void>((resolve, reject) => {
      serving = wf(["serve", ...wordsOf(serve), "--port", "0"], {
        ...options,
        onListen: (send) => {
          stop = () => send("SIGTERM");
        },
        onComplaint: (said) => {
          const [, url] = /listening on (\S+)/.exec(said) ?? [];
          if (url === undefined) return;
          server = url;
          resolve();
        },
      }).catch(reject);
    });
  };
  /** Ids of the page, and those of this run in their place. */
  const ids = new Map<string, string>();
  try {
    for (const { line, printed } of page.commands) {
      if (serving === null && line.startsWith("deploy")) await started();
      // A person comes to this later than the job.
      if (line === "approve") await expect.poll(() => questions(server)).toBe(1);
      const words = wordsOf(line).map((word) => ids.get(word) ?? word);
      const { stdout, stderr } = await wf(words, { ...options, environment: { WF_SERVER: server } });
      const now = stdout + stderr;
      const [before = [], after = []] = [printed.match(ID) ?? [], now.match(ID) ?? []];
      for (const [at, id] of before.entries()) ids.set(id, after[at] ?? "");
      text = text.replace(`$ wf ${line}\n${printed}`, () => `$ wf ${line}\n${now}`);
      if (process.env["WEFT_DOCS"] !== "write") expect(shape(now), line).toBe(shape(printed));
    }
  } finally {
    stop();
    await serving;
  }
  if (process.env["WEFT_DOCS"] === "write") writeFileSync(PAGE, text);
  expect(readFileSync(PAGE, "utf8")).toContain("receipt seen");
});
