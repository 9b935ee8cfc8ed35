/**
 * Every diagnostic and runtime code has its section in the documentation and every section its code; names are unique. The tables are
 * TypeScript, so they are translated in memory and loaded from there.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./tools.mjs";

async function load(path) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [path],
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
    logLevel: "silent",
  });
  const code = Buffer.from(result.outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}

/** Codes that stand in a heading of the document. */
function documentedCodes(path, pattern) {
  const text = readFileSync(join(root, path), "utf8");
  return [...text.matchAll(/^#{2,4} (.+)$/gm)].flatMap((heading) => heading[1].match(pattern) ?? []);
}

function compare(title, codes, documented) {
  const problems = [];
  for (const code of codes) if (!documented.includes(code)) problems.push(`${title}: ${code} has no section`);
  for (const code of documented)
    if (!codes.includes(code)) problems.push(`${title}: ${code} is documented and does not exist`);
  const twice = documented.filter((code, index) => documented.indexOf(code) !== index);
  for (const code of twice) problems.push(`${title}: ${code} has two sections`);
  return problems;
}

export async function checkErrorTables() {
  const { DIAGNOSTIC_CODES } = await load("compiler/diagnostic-codes.ts");
  const { RUNTIME_CODES } = await load("vm/errors/error-codes.ts");
  const diagnostics = Object.keys(DIAGNOSTIC_CODES);
  const runtime = Object.keys(RUNTIME_CODES);
  if (diagnostics.length === 0 || runtime.length === 0) throw new Error("a table is empty");
  const problems = [
    ...compare("docs/diagnostics.md", diagnostics, documentedCodes("docs/diagnostics.md", /\bWF\d{4}\b/g)),
    ...compare("docs/errors.md", runtime, documentedCodes("docs/errors.md", /\bRUNTIME_[A-Z_]+\b/g)),
  ];
  const { ADAPTER_CODES } = await load("adapters/errors.ts");
  const rows = readFileSync(join(root, "docs/adapters/README.md"), "utf8").match(/^\| `ADAPTER_[A-Z_]+`/gm) ?? [];
  const ofAdapters = rows.map((row) => row.slice(3, -1));
  problems.push(...compare("docs/adapters/README.md", Object.keys(ADAPTER_CODES), ofAdapters));
  const names = Object.values(DIAGNOSTIC_CODES).map((entry) => entry.name);
  for (const name of new Set(names.filter((name, index) => names.indexOf(name) !== index))) {
    problems.push(`compiler/diagnostic-codes.ts: the name ${name} is used twice`);
  }
  for (const [code, entry] of Object.entries(RUNTIME_CODES)) {
    if (entry.title === "" || entry.fix === "")
      problems.push(`vm/errors/error-codes.ts: ${code} lacks a title or a fix`);
  }
  return {
    ok: problems.length === 0,
    note: `${diagnostics.length + runtime.length} codes`,
    details: problems.join("\n"),
  };
}
