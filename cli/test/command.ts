/** `wf test [PATH…]`: golden tests and properties of programs, without touching the world. */

import { Command, Option } from "../argv/clipanion.ts";
import { oneOf } from "../commands/base.ts";
import { AdapterFlags } from "../commands/flags/adapter-flags.ts";
import { wholeNumber } from "../grant/limit-flags.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";
import { watchFiles } from "../watch/watch.ts";
import { discoverTests, noTestFound } from "./discover.ts";
import { humanReport, junitReport, REPORTERS, type Reporter, reportDocument, tapReport } from "./reporters.ts";
import { runTests, type TestOptions, type TestReport } from "./run-tests.ts";

const MAX_JOBS = 64;

export class TestCommand extends AdapterFlags {
  static override paths = [["test"]];
  static override usage = Command.Usage({
    description: "Test programs against the results, errors, calls and usage that the files next to them expect.",
    details: "[PATH...]",
    examples: [
      ["every test below this folder", "wf test"],
      ["one program, with what its tests did not reach", "wf test report.wf --coverage"],
      ["accept the actual results as expected, and show the difference", "wf test report.wf --update"],
      ["for a build server", "wf test --reporter junit > results.xml"],
    ],
  });
  static override readonly notes = [
    "Exit 1: a test fails. 2: no test was found (`no_test_found`), or a test file is not valid (`invalid_test`).",
    "With `--json`: `{ok, tests: [{path, file, name, kind, ok, duration_ms, mismatches: [{what, expected, actual}], runs?, seed?, frame?}], passed, failed, not_run, updated, recorded, coverage?: {labels: {taken, total}, edges: {taken, total}, programs: [{path, labels, edges}]}}`.",
  ];
  static override readonly pages = ["testing.md"];

  files = Option.Rest();
  filter = Option.String("--filter", { description: "<TEXT> run only tests with this text in their path or name" });
  update = Option.Boolean("--update", false, {
    description: "rewrite what golden files expect, and show the difference",
  });
  record = Option.Boolean("--record", false, { description: "run golden tests live and record the answers" });
  coverage = Option.Boolean("--coverage", false, { description: "list labels and edges that no test reached" });
  reporter = Option.String("--reporter", { description: "<human|json|tap|junit> output format" });
  jobs = Option.String("--jobs", { description: "<N> number of tests in parallel (default: 1)" });
  bail = Option.Boolean("--bail", false, { description: "stop at the first failure" });
  seed = Option.String("--seed", { description: "<N> seed for generated frames" });
  watch = Option.Boolean("--watch", false, { description: "run again whenever a file changes, until Ctrl-C" });
  includeRoot = Option.Array("--include-root", { description: "<DIR> additional folder for includes (repeatable)" });

  async execute(): Promise<number> {
    const session = this.session();
    const reporter = this.chosenReporter();
    const options = this.options(session);
    if (!this.watch) return this.once(session, reporter, options);
    if (reporter !== "human") throw usageFault("--watch prints for people only");
    return watchFiles(session, this.files, () => this.once(session, reporter, options));
  }

  private async once(session: Session, reporter: Reporter, options: TestOptions): Promise<number> {
    const found = await discoverTests(session, this.files);
    const { filter } = this;
    const tests =
      filter === undefined ? found : found.filter((test) => `${test.program.name} ${test.name}`.includes(filter));
    if (tests.length === 0) throw noTestFound(filter);
    const { result, by } = await interruptible(session.io, (signal) => runTests(session, tests, options, signal));
    if (result !== null) this.print(session, reporter, result);
    if (by !== null) return exitOf(by);
    return result?.results.every(({ ok }) => ok) === true ? EXIT.success : EXIT.failed;
  }

  private print({ screen, environment }: Session, reporter: Reporter, report: TestReport): void {
    if (reporter === "json") screen.document(reportDocument(report));
    else if (reporter === "tap") screen.out(tapReport(report));
    else if (reporter === "junit") screen.out(junitReport(report));
    else screen.out(humanReport(report, screen, environment.utf8));
  }

  private chosenReporter(): Reporter {
    const given = this.reporter === undefined ? null : oneOf("--reporter", this.reporter, REPORTERS);
    if (this.json && given !== null && given !== "json") throw usageFault("--json and --reporter exclude each other");
    return this.json ? "json" : (given ?? "human");
  }

  private options(session: Session): TestOptions {
    const jobs = this.jobs === undefined ? 1 : wholeNumber("--jobs", this.jobs);
    if (jobs < 1 || jobs > MAX_JOBS) throw usageFault(`option --jobs needs a number from 1 to ${MAX_JOBS}`);
    return {
      grant: { ...this.grantFlags(), ...this.adapterFlags() },
      jobs,
      bail: this.bail,
      update: this.update,
      record: this.record,
      coverage: this.coverage || this.project(session, this.files[0] ?? ".")?.test.coverage === true,
      seed: this.seed === undefined ? null : wholeNumber("--seed", this.seed),
      includeRoots: this.includeRoot ?? [],
      config: this.config,
    };
  }
}
