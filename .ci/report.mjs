/**
 * Reads the JSON reports of vitest for `.ci/run`.
 *
 *     node .ci/report.mjs failed REPORT            the files with a failed test, a line each
 *     node .ci/report.mjs summary REPORT[=AGAIN]…  every failure, then "N passed, N failed"; fails when one is left
 *
 * `AGAIN` is the report of a second run of the files that failed in `REPORT`: what passed there counts as passed, and is named.
 */
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const LINES_OF_A_MESSAGE = 25;

/** The report, or undefined when the test runner left none. */
function read(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** What failed in a report: its file, its name, and what was said. A file that could not be loaded fails as a whole. */
function failures(report) {
  return report.testResults.flatMap((suite) => {
    const file = relative(process.cwd(), suite.name);
    const failed = suite.assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0 && suite.status === "failed")
      return [{ file, name: "the whole file", message: suite.message }];
    return failed.map((test) => ({ file, name: test.fullName, message: test.failureMessages.join("\n") }));
  });
}

function indented(message) {
  return message
    .split("\n")
    .slice(0, LINES_OF_A_MESSAGE)
    .map((line) => `    ${line}`)
    .join("\n");
}

/** What the test runner printed, from its errors that belong to no test on (a process that was lost), or undefined without such. */
function errorsOutsideOfTests(file) {
  try {
    const printed = readFileSync(`${file}.log`, "utf8");
    const from = printed.indexOf("Unhandled Error");
    return from < 0 ? undefined : printed.slice(from);
  } catch {
    return undefined;
  }
}

/** Prints what failed in a first run and, where there was one, in the second; answers how many tests passed and failed. */
function summary(file, again) {
  const report = read(file);
  if (report === undefined) {
    console.log(`the test runner left no report in ${file}`);
    return { passed: 0, failed: 1 };
  }
  const first = failures(report);
  const second = again === undefined ? undefined : read(again);
  const left = second === undefined ? first : failures(second);
  const mended = second?.success === true && left.length === 0 && second.numPassedTests > 0;
  for (const { file: of, name, message } of mended ? first : left) {
    console.log(
      `${mended ? "failed beside other files, passed alone" : "failed"}: ${of} › ${name}\n${indented(message)}`,
    );
  }
  if (mended) return { passed: report.numPassedTests + first.length, failed: 0 };
  const outside = errorsOutsideOfTests(file);
  if (left.length === 0 && (report.numPassedTests === 0 || outside !== undefined)) {
    console.log(`failed, though no test did:\n${indented(outside ?? "no test was run")}`);
    return { passed: report.numPassedTests, failed: 1 };
  }
  return { passed: report.numPassedTests, failed: left.length };
}

const [what, ...reports] = process.argv.slice(2);
if (what === "failed") {
  const report = read(reports[0]);
  for (const file of new Set(report === undefined ? [] : failures(report).map((failure) => failure.file)))
    console.log(file);
} else {
  const counted = reports.map((given) => summary(...given.split("=")));
  const sum = (key) => counted.reduce((total, one) => total + one[key], 0);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  process.exit(sum("failed") === 0 ? 0 : 1);
}
