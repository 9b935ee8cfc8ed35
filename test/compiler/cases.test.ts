/**
 * The shared conformance cases for compiling, every one in its mode: ok, the errors that must be reported, the ops of each
 * label and the default entry. Kinds are the cases' own words; the table below maps them to our codes.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import type { CompileResult } from "../../compiler/options.ts";
import { includeFiles } from "./lower/include-files.ts";
import { testCatalog } from "./test-catalog.ts";

type ExpectedDiagnostic = { line: number | number[]; kind: string | string[] | null };
type CompileCase = {
  name: string;
  source: string;
  files?: Record<string, string>;
  strict: boolean;
  ok: boolean;
  diagnostics: ExpectedDiagnostic[];
  entry?: string;
  ops?: Record<string, string[]>;
};

const CODES_OF_KIND: Readonly<Record<string, readonly string[]>> = {
  arity: ["WF2004"],
  unknown_op: ["WF2001"],
  unknown_module_prefix: ["WF2001"],
  unknown_module_op: ["WF2001"],
  label_form: ["WF2006"],
  unknown_adapter_verb: ["WF5001", "WF5002"],
  core_runtime_unimplemented: ["WF5003"],
  unterminated_string: ["WF1001"],
  empty_label_id: ["WF1006"],
  duplicate_label: ["WF2005"],
  label_autoclose: ["WF2002"],
  label_scope_top_level: ["WF2003"],
  undeclared_label: ["WF3001"],
  undeclared_endpoint_label: ["WF3001"],
  label_missing_steps: ["WF2010"],
  label_j_count: ["WF2011"],
  label_must_end_j: ["WF2009", "WF2011"],
  endpoint_label_target: ["WF3003"],
  endpoint_j_count: ["WF2011"],
  endpoint_return_mismatch: ["WF3006"],
  if_branch_target: ["WF3004"],
  err_missing_handler: ["WF2007"],
  call_return_binding: ["WF2008"],
  graph_err_at_node_unknown: ["WF3002"],
  graph_retry_at_node_unknown: ["WF3002"],
  graph_unreachable: ["WF2009"],
  graph_edge_invalid_port: ["WF2009"],
  graph_dataflow_undefined: ["WF4001"],
  undefined_cache: ["WF3007"],
  undefined_queue: ["WF3008"],
  undefined_transaction: ["WF3009"],
  undefined_policy: ["WF3010"],
  include_syntax: ["WF3011"],
  include_not_found: ["WF3012"],
  include_cycle: ["WF3013"],
  include_contract: ["WF3014"],
  include_label_conflict: ["WF3015"],
  include_module_has_errors: ["WF3016"],
};

/** Errors that may follow from another one, on other lines than those expected. */
const CONSEQUENCES: ReadonlySet<string> = new Set([
  "WF2009",
  "WF2010",
  "WF2011",
  "WF3001",
  "WF3002",
  "WF3013",
  "WF3016",
  "WF4001",
]);

/** Case name → the sentence of contract or design that the case contradicts. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

/** The given cases, and neighbours of them that were derived from the contract. */
const cases = ["compile.json", "compile-more.json"].flatMap(
  (file) => JSON.parse(readFileSync(new URL(`../cases/${file}`, import.meta.url), "utf8")) as readonly CompileCase[],
);

function asList<T>(value: T | T[]): T[] {
  return Array.isArray(value) ? value : [value];
}

function codesOf(kind: ExpectedDiagnostic["kind"]): ReadonlySet<string> | null {
  if (kind === null) return null;
  return new Set(
    asList(kind).flatMap((word) => {
      const codes = /^WF\d{4}$/.test(word) ? [word] : CODES_OF_KIND[word];
      if (codes === undefined) throw new Error(`no code for kind ${word}`);
      return codes;
    }),
  );
}

/** What differs from the case, in words; empty when nothing does. */
function differences(test: CompileCase, result: CompileResult): string[] {
  const found: string[] = [];
  if (result.ok !== test.ok) found.push(`ok is ${result.ok}`);
  if (result.ok !== (result.ir !== null)) found.push("ok and ir disagree");
  const errors = result.diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  const expectedLines = new Set(test.diagnostics.flatMap(({ line }) => asList(line)));
  for (const expected of test.diagnostics) {
    const codes = codesOf(expected.kind);
    const lines = asList(expected.line);
    const met = errors.some(
      ({ code, span }) => span !== null && lines.includes(span.line) && (codes === null || codes.has(code)),
    );
    if (!met) found.push(`missing ${JSON.stringify(expected)}`);
  }
  for (const { code, span } of errors) {
    if (span !== null && expectedLines.has(span.line)) continue;
    if (!CONSEQUENCES.has(code)) found.push(`surplus ${code} at line ${span?.line}`);
  }
  if (test.entry !== undefined && result.ir?.entry !== test.entry) found.push(`entry is ${result.ir?.entry}`);
  for (const [label, ops] of Object.entries(test.ops ?? {})) {
    const nodes = result.ir?.nodes.filter((node) => node.label === label).map((node) => node.op) ?? [];
    if (result.ir !== null && !Object.hasOwn(result.ir.labels, label)) found.push(`no label ${label}`);
    if (JSON.stringify(nodes) !== JSON.stringify(ops)) found.push(`ops of ${label} are ${nodes.join(" ")}`);
  }
  return found;
}

function run(test: CompileCase): CompileResult {
  return compile(test.source, {
    strict: test.strict,
    catalog: testCatalog,
    includes: includeFiles(test.files ?? {}),
  });
}

describe("compile cases", () => {
  it.each(cases.map((test) => [test.name, test] as const))("%s", (name, test) => {
    const result = run(test);
    const found = differences(test, result);
    if (Object.hasOwn(EXCEPTIONS, name)) {
      expect(found, `${name} passes now: remove it from the exceptions`).not.toEqual([]);
      return;
    }
    const reported = result.diagnostics.map(
      (d) => `${d.span?.file ?? ""}:${d.span?.line} ${d.severity} ${d.code} ${d.message}`,
    );
    expect(found, `${test.source}\n--- reported ---\n${reported.join("\n")}`).toEqual([]);
  });

  it("names only known cases as exceptions", () => {
    const names = new Set(cases.map((test) => test.name));
    expect(Object.keys(EXCEPTIONS).filter((name) => !names.has(name))).toEqual([]);
  });

  it("reads every case of the file once", () => {
    expect(new Set(cases.map((test) => test.name)).size).toBe(cases.length);
    expect(cases.length).toBeGreaterThan(300);
  });
});
