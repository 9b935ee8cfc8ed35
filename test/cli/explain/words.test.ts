/**
 * `wf explain` knows every word that Weft prints. What stands in a table is taken from it; where the code writes a word by itself it is
 * found in the source, so that a new one cannot be forgotten.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ADAPTER_CODES } from "../../../adapters/errors.ts";
import { ISSUE_CODES } from "../../../compiler/ir/issues.ts";
import { ERRORS } from "../../../service/wire/errors.ts";
import { RUNTIME_CODES, WORDS_BY_DATA } from "../../../vm/errors/error-codes.ts";
import { ERROR_WORDS } from "../../../vm/words/errors.ts";
import { ISSUE_WORDS } from "../../../vm/words/issues.ts";
import { INTERRUPTION_REASONS } from "../../../vm/words/reasons.ts";
import { WARNING_WORDS } from "../../../vm/words/warnings.ts";
import { documentOf, wf } from "../console.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SURFACES = ["service", "mcp", "cli"];
const FLOORS = ["grammar", "compiler", "vm", "adapters", ...SURFACES];

const WORDS = [ERROR_WORDS, WARNING_WORDS, INTERRUPTION_REASONS, ISSUE_WORDS];

/** The code below a folder without its comments, the tables of words left out. */
function codeOf(folders: readonly string[]): string {
  const files = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, name)),
  );
  return files
    .filter((file) => !file.startsWith(join("vm", "words")))
    .map((file) => readFileSync(join(ROOT, file), "utf8").replace(/^\s*(?:\/?\*|\/\/).*$/gm, ""))
    .join("\n");
}

function wordsIn(code: string, ...patterns: readonly RegExp[]): string[] {
  return [...new Set(patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, word = ""]) => word)))].sort();
}

async function explained(): Promise<ReadonlySet<string>> {
  const { codes } = documentOf(await wf(["explain", "--list", "codes", "--json"])) as {
    readonly codes: readonly { readonly code: string; readonly names: readonly string[] }[];
  };
  return new Set(codes.flatMap(({ code, names }) => [code, ...names]));
}

describe("wf explain knows", () => {
  it("every row of the tables", async () => {
    const runs = Object.values(RUNTIME_CODES).flatMap(({ word }) => word ?? []);
    const byData = Object.values(WORDS_BY_DATA).flat();
    const tables = [ERRORS, RUNTIME_CODES, ADAPTER_CODES, ...WORDS].flatMap(Object.keys);
    const known = await explained();
    expect([...tables, ...ISSUE_CODES, ...runs, ...byData].filter((word) => !known.has(word))).toEqual([]);
  });

  it("every word of a fault that a surface writes", async () => {
    const written = wordsIn(
      codeOf([...SURFACES, "compiler/import", "vm"]),
      /\b(?:error|error_kind): "([a-z_]+)"/g,
      /\b(?:ServiceFault|FetchRefusal|inputFault|later|failed|refused|fault)\(\s*"([a-z]+(?:_[a-z]+)*)"/g,
    );
    expect(written).toEqual(
      expect.arrayContaining(["file_exists", "path_not_found", "fetch_failed", "unknown_preset"]),
    );
    const known = await explained();
    expect(written.filter((word) => !NO_FAULTS.includes(word) && !known.has(word))).toEqual([]);
  });

  it("every code of an issue that a surface writes", async () => {
    const written = wordsIn(codeOf([...SURFACES, "vm"]), /\bcode: "([a-z_]+)"/g);
    expect(written).toEqual(expect.arrayContaining(["exclusive", "range", "required_by_profile"]));
    const known = await explained();
    // zod's own, which callers get as `type`.
    expect(written.filter((word) => word !== "invalid_type" && !known.has(word))).toEqual([]);
  });

  it("every word that a warning begins with", async () => {
    const written = wordsIn(
      codeOf(FLOORS),
      /["`]([a-z]+(?:_[a-z]+)+): /g,
      /\bwarn\("([a-z]+(?:_[a-z]+)+)/g,
      /\bstub \? \[?"([a-z]+(?:_[a-z]+)+)"/g,
    ).filter((word) => !NO_WARNINGS.includes(word));
    expect(written).toEqual(expect.arrayContaining(["limit_ignored", "legacy_ignored", "no_steps_found"]));
    expect(written.filter((word) => !Object.hasOwn(WARNING_WORDS, word))).toEqual([]);
  });

  it("no word that nothing writes", () => {
    const code = codeOf(FLOORS);
    const words = WORDS.flatMap(Object.keys);
    expect(words.filter((word) => !new RegExp(`\\b${word}\\b`).test(code))).toEqual([]);
  });
});

/** The severity of a diagnostic, and the type of a member. */
const NO_FAULTS = ["error", "text"];
/** Beginnings of other messages: a line of the log in `wf audit verify`. */
const NO_WARNINGS = ["adapter_call"];

describe("wf explain", () => {
  it("explains cause and fix of a word", async () => {
    const { code, stdout } = await wf(["explain", "adapter_not_enabled"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^adapter_not_enabled {2}the program uses an adapter that is not enabled$/m);
    expect(stdout).toMatch(/^ {2}cause {5}\S.*$/m);
    expect(stdout).toMatch(/^ {2}fix {7}--enable-adapter NAME/m);
  });

  it("explains both when a warning and a failed run have the same word", async () => {
    const { codes } = documentOf(await wf(["explain", "adapter_not_allowed", "--json"])) as {
      readonly codes: readonly { readonly code: string }[];
    };
    expect(codes.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["adapter_not_allowed", "RUNTIME_ADAPTER_NOT_ALLOWED", "WF5008"]),
    );
  });
});
