/** The tests that operands mean: each program with its golden file, its property file, and the expectations in its comments. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { commentCase } from "../../vm/testing/comment-case.ts";
import { expandFiles, walk } from "../input/files.ts";
import { type ProgramInput, readProgram } from "../input/input.ts";
import { kindOf } from "../input/path-kind.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { type PropertyCase, readPropertyFile } from "./property.ts";
import { asTest, type GoldenCase, type GoldenFile, readGoldenFile } from "./test-case.ts";

const GOLDEN = ".expected.json";
const PROPERTY = ".property.json";

/** Where a case stands, so that it can be rewritten; null: in comments. */
export type GoldenPlace = { readonly file: string; readonly golden: GoldenFile; readonly at: number };
export type Test = { readonly program: ProgramInput; readonly file: string; readonly name: string } & (
  | { readonly kind: "golden"; readonly case: GoldenCase; readonly place: GoldenPlace | null }
  | { readonly kind: "property"; readonly case: PropertyCase }
);

export async function discoverTests(session: Session, operands: readonly string[]): Promise<Test[]> {
  const tests: Test[] = [];
  for (const file of orphansOf(session.cwd, operands))
    session.screen.warning(`${file} tests nothing: ${programOf(file)} does not exist`);
  for (const program of programsOf(session.cwd, operands)) tests.push(...(await testsOf(session, program)));
  return tests;
}

export function noTestFound(filter: string | undefined): CliFault {
  const among = filter === undefined ? "" : ` with '${filter}' in its name`;
  return new CliFault(`no test found${among}: a program name.py is tested by name.expected.json next to it`, {
    error: "no_test_found",
    exitCode: EXIT.usage,
  });
}

/** A test file stands for its program. */
function programOf(file: string): string {
  return file.replace(/\.(expected|property)\.json$/, ".wf");
}

/** Tests in folders whose program is gone, perhaps to another name: nothing would ever run them. */
function orphansOf(cwd: string, operands: readonly string[]): string[] {
  const folders = (operands.length === 0 ? ["."] : operands).filter((one) => kindOf(resolve(cwd, one)) === "folder");
  const files = folders.flatMap((folder) => walk(cwd, folder)).filter((file) => programOf(file) !== file);
  return [...new Set(files)].map(plainPath).filter((file) => !existsSync(resolve(cwd, programOf(file))));
}

function plainPath(file: string): string {
  return file.replace(/^\.\//, "");
}

function programsOf(cwd: string, operands: readonly string[]): string[] {
  const named = operands.map(programOf);
  return expandOrNone(cwd, named.length === 0 ? ["."] : named);
}

function expandOrNone(cwd: string, operands: readonly string[]): string[] {
  const found = operands.flatMap((operand) => {
    const folder = kindOf(resolve(cwd, operand)) === "folder";
    try {
      return expandFiles(cwd, [operand]);
    } catch (cause) {
      // A folder without programs has no tests; that is reported at the end, for all operands together.
      if (folder && cause instanceof CliFault) return [];
      throw cause;
    }
  });
  return [...new Set(found.map(plainPath))];
}

async function testsOf(session: Session, file: string): Promise<Test[]> {
  const { cwd } = session;
  const program = await readProgram(session.io, cwd, file);
  const stem = file.replace(/\.[^./]*$/, "");
  const [golden, property] = [`${stem}${GOLDEN}`, `${stem}${PROPERTY}`];
  const tests: Test[] = [];
  if (existsSync(resolve(cwd, golden))) {
    const read = readGoldenFile(cwd, golden);
    for (const [at, one] of read.cases.entries()) {
      const name = one.name ?? (read.list ? `case ${at + 1}` : "expected");
      tests.push({ kind: "golden", program, file: golden, name, case: one, place: { file: golden, golden: read, at } });
    }
  }
  if (existsSync(resolve(cwd, property))) {
    for (const one of readPropertyFile(cwd, property))
      tests.push({ kind: "property", program, file: property, name: one.name ?? "property", case: one });
  }
  const { content } = program;
  const comments = content.kind === "source" ? asTest(file, () => commentCase(content.text)) : null;
  if (comments !== null) tests.push({ kind: "golden", program, file, name: "comments", case: comments, place: null });
  return tests;
}
