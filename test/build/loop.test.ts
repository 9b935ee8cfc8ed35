/**
 * The rules of the interpreter loop that no compiler checks: nothing that allocates, waits or iterates by protocol stands in it, and in
 * the built file its cases are integer literals (with names that are looked up it runs at a third of the speed).
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const LOOP = fileURLToPath(new URL("../../vm/machine/loop.ts", import.meta.url));

const FORBIDDEN: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.AwaitExpression, "await"],
  [ts.SyntaxKind.YieldExpression, "yield"],
  [ts.SyntaxKind.ArrowFunction, "closure"],
  [ts.SyntaxKind.FunctionExpression, "closure"],
  [ts.SyntaxKind.ForOfStatement, "for of"],
  [ts.SyntaxKind.ForInStatement, "for in"],
  [ts.SyntaxKind.SpreadElement, "spread"],
  [ts.SyntaxKind.SpreadAssignment, "spread"],
  [ts.SyntaxKind.ObjectLiteralExpression, "object literal"],
  [ts.SyntaxKind.ArrayLiteralExpression, "array literal"],
  [ts.SyntaxKind.TemplateExpression, "text template"],
  [ts.SyntaxKind.AsyncKeyword, "async"],
]);

/** What functions of the source hold that the loop must not hold, with its line. */
function violations(text: string): string[] {
  const source = ts.createSourceFile("loop.ts", text, ts.ScriptTarget.ES2023, true);
  const found: string[] = [];
  const pending: ts.Node[] = source.statements.filter(ts.isFunctionDeclaration);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const word = FORBIDDEN.get(node.kind);
    if (word !== undefined) found.push(`${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${word}`);
    pending.push(...node.getChildren());
  }
  return found;
}

describe("the interpreter loop", () => {
  it("neither allocates, waits nor iterates by protocol", () => {
    expect(violations(readFileSync(LOOP, "utf8"))).toEqual([]);
    expect(violations("async function f(a) { for (const b of a) await g({ b }); }").length).toBeGreaterThan(3);
  });

  it("switches over integer literals once it is built", async () => {
    const result = await build({
      entryPoints: [LOOP],
      bundle: true,
      write: false,
      format: "esm",
      platform: "node",
      target: "node20",
    });
    const text = result.outputFiles[0]?.text ?? "";
    const source = ts.createSourceFile("loop.js", text, ts.ScriptTarget.ES2023, true);
    const switches: ts.SwitchStatement[] = [];
    const pending: ts.Node[] = [source];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (ts.isSwitchStatement(node)) switches.push(node);
      pending.push(...node.getChildren());
    }
    const largest = switches.sort((a, b) => b.caseBlock.clauses.length - a.caseBlock.clauses.length)[0];
    const cases = largest?.caseBlock.clauses.filter(ts.isCaseClause) ?? [];
    expect(cases.length).toBeGreaterThan(40);
    expect(
      cases.filter(({ expression }) => !ts.isNumericLiteral(expression)).map((one) => one.expression.getText()),
    ).toEqual([]);
  });
});
