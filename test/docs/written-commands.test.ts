/**
 * Commands that pages tell people to type exist: those of wf with their actions, flags and operands, and those of curl with the routes and
 * parameters of the service. Lines for other programs are only read.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseArgv } from "../../cli/argv/argv.ts";
import { Cli, PlainCli } from "../../cli/argv/clipanion.ts";
import { commandSpecs } from "../../cli/commands/command-specs.ts";
import { COMMANDS } from "../../cli/registry.ts";
import { type JobServing, servingJobs, temporaryFolder } from "../service/jobs/serving-jobs.ts";
import { readPage } from "./page.ts";
import { PAGES } from "./pages.ts";
import { writtenLines } from "./written-lines.ts";

type Operation = { readonly parameters?: readonly { readonly name: string; readonly in: string }[] };
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const classes = await Promise.all(COMMANDS.map(({ load }) => load()));
const cli = PlainCli.of(classes);
const specs = commandSpecs(cli, classes);
const texts = PAGES.map((name) => readPage(name).text).join("\n");
const pages = PAGES.map((name) => ({ name, lines: writtenLines(readPage(name).text) }));
const typed = (program: string) =>
  pages.flatMap(({ name, lines }) =>
    lines
      .filter(({ words, isWrong }) => words[0] === program && !isWrong)
      .map(({ line, words }) => ({ place: `docs/${name}:${line}`, words: words.slice(1) })),
  );

let service: JobServing;
let paths: Paths;
let figures: Readonly<Record<string, unknown>>;
let metrics: readonly string[];
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await servingJobs({ stateDir: folder.path, variables: { WF_DEPLOY: "1" } });
  paths = (await service.call("GET", "/openapi.json")).body.paths;
  const { text } = await service.call("GET", "/metrics?format=prometheus");
  metrics = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = ""]) => name);
  figures = (await service.call("GET", "/metrics?format=json")).body;
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

/** What is wrong with a line of wf; null: nothing. */
function faultOf(words: readonly string[]): string | null {
  try {
    const parsed = parseArgv(words, specs);
    if (parsed.kind !== "command") return null;
    const at = specs.indexOf(parsed.command);
    const one = cli.commandOf(classes[at] as (typeof classes)[number], parsed.words, Cli.defaultContext as never);
    if (one === null) return "too many operands";
    const { actions, usageLine } = parsed.command;
    // An id may stand in place of an action.
    if (/\| [A-Z]+ /.test(usageLine)) return null;
    const [action = ""] = parsed.words.operands;
    return actions === null || action === "" || Object.hasOwn(actions, action) ? null : `no action ${action}`;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

/** Flags of curl with a value that pages use, and those that send a body. */
const VALUED = new Set([
  "-X",
  "--request",
  "-H",
  "--header",
  "-d",
  "--data",
  "--data-binary",
  "-o",
  "-u",
  "-w",
  "-F",
  "-T",
  "--max-time",
]);
const BODIES = new Set(["-d", "--data", "--data-binary", "--json", "-F"]);
const BASE =
  /^(?:\$[A-Z_]+|(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|(?:[\w-]+\.)*weft[\w.-]*|service)(?::\d+)?)(?=[/?]|$)/;

/** The request of a line of curl; null: it goes to another server. */
function requestOf(words: readonly string[]) {
  let method: string | null = null;
  let url = "";
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === "-X" || word === "--request") method = words[at + 1] ?? "";
    if (BODIES.has(word)) method ??= "POST";
    if (VALUED.has(word) || word === "--json") at += 1;
    else if (!word.startsWith("-")) url = word;
  }
  const base = BASE.exec(url)?.[0];
  if (base === undefined) return null;
  const [path = "", query = ""] = url.slice(base.length).split("?");
  const names = query === "" ? [] : query.split("&").map((pair) => pair.split("=")[0] ?? "");
  return { method: (method ?? "GET").toLowerCase(), path, names };
}

/** The operation at a path; a word of the template in braces is any word. */
function operationOf(path: string, method: string): Operation | undefined {
  const words = path.split("/");
  const fits = (template: string): boolean => {
    const parts = template.split("/");
    return parts.length === words.length && parts.every((part, at) => part.startsWith("{") || part === words[at]);
  };
  const found = Object.keys(paths).filter(fits);
  const exact = found.find((template) => !template.includes("{")) ?? found[0];
  return exact === undefined ? undefined : paths[exact]?.[method];
}

/** `curl … /metrics | jq .failures_by_error` and the like. */
const runbookJq = [...readPage("runbook.md").text.matchAll(/^curl -sS "\$URL(\/metrics)" \| jq \.(\w+)$/gm)].map(
  ([, path = "", name = ""]) => ({ place: "docs/runbook.md", path, name }),
);

describe("the pages", () => {
  it("have lines of wf and of curl that are read", () => {
    expect(typed("wf").length).toBeGreaterThan(300);
    expect(typed("curl").length).toBeGreaterThan(25);
  });

  it.each(typed("wf"))("$place: wf has the command, the flags and the operands", ({ words }) => {
    expect(faultOf(words), words.join(" ")).toBeNull();
  });

  it.each(typed("curl"))("$place: the service has the route and its parameters", ({ words }) => {
    const request = requestOf(words);
    if (request === null || request.path.startsWith("/app/")) return;
    const operation = operationOf(request.path, request.method);
    expect(operation, words.join(" ")).toBeDefined();
    const known = (operation?.parameters ?? []).filter((one) => one.in === "query").map(({ name }) => name);
    for (const name of request.names) expect(known, words.join(" ")).toContain(name);
  });

  it.each(typed("jq"))("$place: /metrics and other answers have the members that jq takes", ({ words }) => {
    const [filter = ""] = words.filter((word) => !word.startsWith("-"));
    const names = [...filter.matchAll(/^\{([^}]*)\}$/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
    for (const name of names) expect(Object.keys(figures), filter).toContain(name);
  });

  it.each(typed("grep"))("$place: metrics and events have the names that grep looks for", ({ words }) => {
    const pattern = words.at(-1) ?? "";
    const [, list, single = list] = /^\^wf_(?:\(([\w|]+)\)|(\w+))$/.exec(pattern) ?? [];
    for (const name of (single ?? "").split("|").filter((one) => one !== ""))
      expect(
        metrics.filter((metric) => metric.startsWith(`wf_${name}`)),
        pattern,
      ).not.toEqual([]);
    const [, event] = /^"event":"(\w+)"$/.exec(pattern) ?? [];
    if (event !== undefined) expect(texts.includes(`\`${event}\``), pattern).toBe(true);
  });

  it.each(runbookJq)("$place: $path has the member $name", async ({ path, name }) => {
    expect(Object.keys((await service.call("GET", path)).body)).toContain(name);
  });
});
