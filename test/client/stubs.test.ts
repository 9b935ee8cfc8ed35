/** The Python module `weft` for editors: made from the catalog, importable without Weft, and right about the programs of this repository. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { isPython } from "../../grammar/surface.ts";
import { namesText, stubText } from "./stub-text.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGE = join(ROOT, "clients/python");

it.each([
  ["weft/__init__.pyi", stubText],
  ["weft/_names.py", namesText],
])("%s is what the catalog says (WEFT_DOCS=write writes it)", (file, made) => {
  const path = join(PACKAGE, file);
  if (process.env["WEFT_DOCS"] === "write") writeFileSync(path, made());
  expect(readFileSync(path, "utf8")).toBe(made());
});

it("no text tells to install a package called weft, a name that somebody else may hold", () => {
  const told = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
    .filter((path) => /^(?:docs|skills|examples|clients|compiler|cli|mcp|README\.md|llms\.txt)/.test(path))
    .filter((path) => /\.(?:md|ts|txt|json|py|pyi|toml)$/.test(path))
    .filter((path) => /pip3? install weft(?!-client)/.test(readFileSync(join(ROOT, path), "utf8")));
  expect(told).toEqual([]);
});

const python = spawnSync("python3", ["--version"], { encoding: "utf8" }).status === 0;

describe.skipIf(!python)("without Weft", () => {
  const said = (code: string): string =>
    execFileSync("python3", ["-c", code], { encoding: "utf8", env: { ...process.env, PYTHONPATH: PACKAGE } }).trim();

  it("the module is imported, marks change nothing, and calls raise", () => {
    const code = `
from weft import *
from weft import http, cache, api, cron, retry, parallel, sort_by, AdapterError, Answer, Record

@api("/a", method="GET")
@cron("@daily")
def main(n):
    return n

def failure(call):
    try:
        call()
    except RuntimeError as error:
        return str(error)

assert main(3) == 3 and Record(a=1).a == 1 and issubclass(AdapterError, RuntimeError)
try:
    bool(Answer(a=1))
except TypeError:
    print("no truth")
for call in (lambda: http.Get("u"), lambda: parallel(main, [1]), lambda: retry(3), lambda: sort_by([], "a")):
    print(failure(call))
`;
    const needs = "needs Weft: run the program with wf run";
    expect(said(code).split("\n")).toEqual([
      "no truth",
      ...["http.Get", "parallel", "retry", "sort_by"].map((name) => `${name} ${needs}`),
    ]);
  });
});

/** Installed next to the other tools, or on the path. */
const pyright = [join(ROOT, "node_modules/.bin"), ...(process.env["PATH"] ?? "").split(delimiter)]
  .map((folder) => join(folder, "pyright"))
  .find((path) => existsSync(path));

describe.skipIf(pyright === undefined)("pyright", { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "weft-stubs-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What pyright says of some files, as `name:line rule message`. */
  function findings(programs: ReadonlyMap<string, string>): readonly string[] {
    for (const [name, text] of programs) writeFileSync(join(folder, name), text);
    // A script reads its inputs without setting them, and whether a record exists is what its program knows.
    const quiet = {
      reportUndefinedVariable: "none",
      reportOptionalSubscript: "none",
      reportOptionalMemberAccess: "none",
    };
    const settings = { extraPaths: [PACKAGE], ...quiet };
    writeFileSync(join(folder, "pyrightconfig.json"), JSON.stringify(settings));
    const { stdout } = spawnSync(pyright ?? "", ["--outputjson", "-p", folder], { encoding: "utf8" });
    const { generalDiagnostics } = JSON.parse(stdout) as {
      readonly generalDiagnostics: readonly {
        readonly file: string;
        readonly severity: string;
        readonly message: string;
        readonly rule?: string;
        readonly range: { readonly start: { readonly line: number } };
      }[];
    };
    return generalDiagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ file, message, rule = "", range }) => {
        const name = file.slice(file.lastIndexOf("/") + 1);
        return `${name}:${range.start.line + 1} ${rule} ${message.split("\n")[0]}`;
      });
  }

  it("finds no fault in the types themselves, nor in any program of this repository", () => {
    const programs = new Map(
      programTexts().map((text, at): [string, string] => [`program${at}.py`, `${importsOf(text)}${text}`]),
    );
    programs.set("stub.pyi", readFileSync(join(PACKAGE, "weft/__init__.pyi"), "utf8"));
    expect(programs.size).toBeGreaterThan(60);
    expect(findings(programs)).toEqual([]);
  });

  it.each([
    ["a verb that does not exist", "http.Gett('u')", "reportAttributeAccessIssue"],
    ["an option that does not exist", "cache.set('k', 1, ttl_sec=5)", "reportCallIssue"],
    ["an option of another type", "http.Get('u', response='xml')", "reportArgumentType"],
    ["a missing argument", "cache.set('k')", "reportCallIssue"],
    ["a member that no answer has", "http.Get('u').stat", "reportAttributeAccessIssue"],
    ["a text for a number", "http.Get('u').status + 'a'", "reportOperatorIssue"],
    ["a method of a decorator", "api('/a', method='FETCH')", "reportArgumentType"],
  ])("finds %s", (_what, code, rule) => {
    const text = `from weft import http, cache, api\n\ndef main():\n    return ${code}\n`;
    expect(findings(new Map([["wrong.py", text]])).filter((one) => one.startsWith("wrong.py"))).toEqual([
      expect.stringContaining(rule),
    ]);
  });
});

/** Imports are optional in Weft: of the names that a program calls and does not set itself. */
function importsOf(text: string): string {
  const own = (name: string): boolean =>
    new RegExp(`(?:def|class|import|for|as|,)[^\\n]*\\b${name}\\b|^\\s*${name}\\s*[:=][^=]`, "m").test(text);
  const used = NAMES.filter((name) => new RegExp(`(?<![.\\w])${name}\\s*[.(]`).test(text) && !own(name));
  return used.length === 0 ? "" : `from weft import ${used.join(", ")}\n`;
}

const NAMES = [...namesText().matchAll(/"(\w+)",/g)]
  .map(([, name = ""]) => name)
  .concat("api", "cron", "job", "parallel", "retry", "AdapterError");

/** Programs in Python of the examples, the documentation that compile and do not show a failure. */
function programTexts(): readonly string[] {
  const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((path) =>
    /^(?:examples|docs|skills|README\.md).*\.(?:wf|py|md)$|^README\.md$/.test(path),
  );
  const texts = files.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), "utf8");
    if (!path.endsWith(".md")) return [text];
    return [...text.matchAll(/^```(?:python|py)\n(.*?)^```/gms)].map(([, code = ""]) => code);
  });
  return [...new Set(texts)].filter((text) => isPython(text) && !/^# fails:/m.test(text) && compile(text).ok);
}
