/** Results of tests for people, for programs (JSON, TAP 14) and for build servers (JUnit XML). */

import { diffLines } from "../../compiler/diff/text-diff.ts";
import { widthOf } from "../../grammar/text/width.ts";
import type { Mismatch } from "../../vm/testing/outcome.ts";
import { thousandths } from "../../vm/values/durations.ts";
import { padTo, visible, visibleLines } from "../output/terminal/columns.ts";
import { jsonIndented } from "../output/terminal/json.ts";
import { markupText } from "../output/terminal/markup.ts";
import { counted, duration } from "../output/terminal/table.ts";
import type { Screen } from "../session/screen.ts";
import { coverageTable, type ProgramCoverage, totalsOf } from "./coverage.ts";
import type { TestReport, TestResult } from "./run-tests.ts";

export const REPORTERS = ["human", "json", "tap", "junit"] as const;
export type Reporter = (typeof REPORTERS)[number];

const MS_COLUMNS = 10;

export function humanReport(report: TestReport, screen: Screen, utf8: boolean): string {
  const { results } = report;
  const width = (text: (result: TestResult) => string): number =>
    Math.max(0, ...results.map((one) => widthOf(text(one))));
  const program = (result: TestResult): string => visible(result.test.program.name);
  const name = (result: TestResult): string => visible(result.test.name);
  const [programs, names] = [width(program), width(name)];
  const { ok, error } = screen.paint;
  const [passed, failed] = utf8 ? [ok("✓"), error("✗")] : [ok("ok  "), error("FAIL")];
  const lines = results.flatMap((result) => [
    `${result.ok ? passed : failed} ${padTo(program(result), programs)}  ${padTo(name(result), names)}  ${duration(result.durationMs).padStart(MS_COLUMNS)}`,
    ...mismatchLines(result, screen),
  ]);
  const table = report.coverage === null ? "" : `\n${coverageTable(report.coverage, screen.width)}`;
  return `${[...lines, ...rewriteLines(report)].map((line) => `${line}\n`).join("")}${table}${summaryLine(report)}\n`;
}

function mismatchLines({ mismatches, drawn }: TestResult, screen: Screen): string[] {
  const lines = mismatches.flatMap((mismatch) => [
    `    ${visible(mismatch.what)}`,
    ...changedLines(mismatch).map((line) => {
      const shown = `    ${line}`;
      return line.startsWith("-") ? screen.paint.error(shown) : line.startsWith("+") ? screen.paint.ok(shown) : shown;
    }),
  ]);
  if (drawn === null || mismatches.length === 0) return lines;
  return [`    frame ${visible(JSON.stringify(drawn.frame))}`, `    again with --seed ${drawn.seed}`, ...lines];
}

/** `-` what was expected, `+` what came. */
function changedLines({ expected, actual }: Mismatch): string[] {
  return diffLines(jsonIndented(expected), jsonIndented(actual)).map((line) => visibleLines(line));
}

function rewriteLines({ rewrites, recorded }: TestReport): string[] {
  return [
    ...rewrites.flatMap(({ diff, file }) =>
      diff === "" ? [`${file} written`] : visibleLines(diff).trimEnd().split("\n"),
    ),
    ...recorded.map((file) => `recorded ${visible(file)}`),
  ];
}

function summaryLine({ results, skipped, coverage }: TestReport): string {
  const failed = results.filter(({ ok }) => !ok).length;
  const counts = [counted(results.length, "test"), `${failed} failed`, ...(skipped > 0 ? [`${skipped} not run`] : [])];
  return `${counts.join(", ")}${coverage === null ? "" : `   ${coverageLine(coverage)}`}`;
}

function coverageLine(coverage: readonly ProgramCoverage[]): string {
  const { labels, edges } = totalsOf(coverage);
  const [first, ...more] = coverage.flatMap(({ path, labels }) =>
    labels.filter(({ entered }) => !entered).map(({ label }) => `${visible(path)} ${visible(label)} never entered`),
  );
  const missed = first === undefined ? "" : ` (${first}${more.length > 0 ? `, ${more.length} more` : ""})`;
  return `coverage: labels ${labels.taken}/${labels.total}, edges ${edges.taken}/${edges.total}${missed}`;
}

export function reportDocument(report: TestReport): object {
  const { coverage } = report;
  const failed = report.results.filter(({ ok }) => !ok).length;
  return {
    ok: failed === 0 && report.skipped === 0,
    tests: report.results.map(({ test, ok, durationMs, mismatches, drawn }) => ({
      path: test.program.name,
      file: test.file,
      name: test.name,
      kind: test.kind,
      ok,
      duration_ms: thousandths(durationMs),
      mismatches,
      ...(drawn === null ? {} : drawn),
    })),
    passed: report.results.length - failed,
    failed,
    not_run: report.skipped,
    updated: report.rewrites.map(({ file }) => file),
    recorded: report.recorded,
    ...(coverage === null ? {} : { coverage: { ...totalsOf(coverage), programs: coverage } }),
  };
}

export function tapReport({ results }: TestReport): string {
  const lines = results.flatMap(({ test, ok, mismatches }, at) => [
    `${ok ? "ok" : "not ok"} ${at + 1} - ${tapText(`${test.program.name} ${test.name}`)}`,
    ...(ok
      ? []
      : [
          "  ---",
          ...jsonIndented({ mismatches })
            .split("\n")
            .map((line) => `  ${line}`),
          "  ...",
        ]),
  ]);
  return ["TAP version 14", `1..${results.length}`, ...lines, ""].join("\n");
}

/** `#` begins a directive. */
const tapText = (text: string): string => visible(text).replaceAll("\\", "\\\\").replaceAll("#", "\\#");

export function junitReport({ results }: TestReport): string {
  const files = [...new Set(results.map(({ test }) => test.program.name))];
  const suites = files.map((file) => {
    const own = results.filter(({ test }) => test.program.name === file);
    const failures = own.filter(({ ok }) => !ok).length;
    const head = `  <testsuite name="${markupText(file)}" tests="${own.length}" failures="${failures}">`;
    return [head, ...own.map(junitCase), "  </testsuite>"].join("\n");
  });
  const failures = results.filter(({ ok }) => !ok).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${results.length}" failures="${failures}">`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

function junitCase({ test, ok, durationMs, mismatches }: TestResult): string {
  const head = `    <testcase classname="${markupText(test.program.name)}" name="${markupText(test.name)}" time="${(durationMs / 1000).toFixed(6)}"`;
  if (ok) return `${head}/>`;
  const text = mismatches.map((one) => `${one.what}\n${changedLines(one).join("\n")}`).join("\n");
  const message = mismatches.map(({ what }) => what).join(", ");
  return `${head}>\n      <failure message="${markupText(message)}">${markupText(text)}</failure>\n    </testcase>`;
}
