/**
 * The first calls of the pages about the service, as a shell runs them against a service that keeps its jobs: the answers are those that
 * stand below them. `…` stands for any text; ids and times differ from run to run. Needs bash and curl.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";
import { readPage } from "./page.ts";
import { lacksCurl } from "./shell.ts";

const ID = /"(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{4,8}-?…)"/g;
const TIME = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g;
const FIGURE = /"duration_ms":[\d.]+/g;
const isAbsent = lacksCurl("test/docs/calls.test.ts");

type Call = { readonly line: string; readonly printed: string };

/** The calls below a heading, in their order. */
function callsBelow(text: string, heading: string): readonly Call[] {
  const [, section = ""] = text.split(`\n## ${heading}\n`);
  const [, block = ""] = /^```\n(.*?)^```$/ms.exec(section) ?? [];
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [line = "", ...printed] = part.split("\n");
      return { line, printed: printed.join("\n").trim() };
    });
}

const shape = (text: string): string =>
  text.replace(ID, '"ID"').replace(TIME, '"TIME"').replace(FIGURE, '"duration_ms":0');

/** What an answer must be like: `…` is any text. */
function pattern(printed: string): RegExp {
  const parts = shape(printed)
    .split("…")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[\\s\\S]*?")}$`);
}

let service: JobServing;
const folders: { readonly path: string; remove(): Promise<void> }[] = [];
beforeAll(async () => {
  const [state, work] = [await temporaryFolder(), await temporaryFolder()];
  folders.push(state, work);
  service = await servingJobs({ stateDir: state.path });
});
afterAll(async () => {
  await service.stop();
  for (const folder of folders) await folder.remove();
});

describe.skipIf(isAbsent)("the first calls", () => {
  it.each(["http.md", "jobs.md"])("of docs/%s answer what the page says", async (page) => {
    const calls = callsBelow(readPage(page).text, "Three calls");
    const requests = calls.filter(({ line }) => line.includes("curl"));
    expect(requests).toHaveLength(3);
    const marked = calls.map(({ line }) => `${line}\necho '=='`).join("\n");
    const script = marked.replaceAll("localhost:8770", `127.0.0.1:${service.port}`);
    const cwd = folders[1]?.path ?? "";
    const { stdout } = await promisify(execFile)("bash", ["-euc", script], { cwd });
    const answers = stdout.split(/^==\n/m).map((answer) => answer.trim());
    for (const [at, { line, printed }] of calls.entries())
      expect(shape(answers[at] ?? ""), line).toMatch(pattern(printed));
  });
});
