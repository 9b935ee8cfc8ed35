/** `wf check FILE…`: compile without running, and say what is wrong. */

import { Command, Option } from "../argv/clipanion.ts";
import { oneOf } from "../commands/base.ts";
import { isStrict, modeFlag } from "../commands/flags/compile-mode.ts";
import { GrantCommand } from "../commands/flags/grant-command.ts";
import { effectiveGrant } from "../grant/effective-grant.ts";
import { listOf, wholeNumber } from "../grant/limit-flags.ts";
import { readFrame } from "../input/frame.ts";
import { usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { type CheckPlan, checkFiles, FORMATS } from "./check-files.ts";

const DEFAULT_DIAGNOSTICS = 50;

export class CheckCommand extends GrantCommand {
  static override paths = [["check"], ["validate"]];
  static override usage = Command.Usage({
    description: "Compile programs without running them, and list errors and warnings.",
    details: "FILE...",
    examples: [
      ["one program", "wf check hello.wf"],
      ["every program of a folder", "wf check flows"],
      ["for a code scanner", "wf check 'flows/**/*.wf' --format sarif"],
    ],
  });
  static override readonly notes = [
    "FILE is a file, a folder (every `.wf` below it), or a glob with `*`, `?` and `**`. Hints are shown by `wf lint` and with `--verbose`; they never change the exit code, which is 1 on any error.",
    "A fix whose outcome is certain is shown as `= fix:`, and `--fix` applies it. A guess, such as the name nearest to a misspelt one, is shown as `= perhaps:`. It could turn a mistake into a different program that compiles, so only `--fix --guesses` applies it; check the result. Guesses are the fixes of WF1009, WF2001, WF2013, WF3001, WF3020, WF4001, WF4002, WF5001, WF5002 and WF5004. Every edit is named on stderr, and so is the number of guesses left.",
    "At most 50 findings are shown (with `--json`, of each file), errors first; `--max-diagnostics N` changes that. A program with errors always shows one of them.",
    "`--profile`, `--grant`, `--policy` and `--forbid-…` list violations, with exit 3. `--format github` prints annotations of GitHub Actions, and `sarif` SARIF 2.1.0.",
    "With `--json`: `{ok, files: [{path, ok, ir_version, checksum, diagnostics, diagnostics_truncated?, required_adapters, fixed?, guesses_left?}], errors, warnings}`.",
  ];
  static override readonly pages = ["diagnostics.md", "policy.md"];

  files = Option.Rest();
  strict = modeFlag("strict", "strict");
  loose = modeFlag("loose", "strict");
  input = Option.Array("--input", { description: "<NAME> variable that the frame will contain (repeatable)" });
  frame = Option.String("--frame,--frame-json", {
    description: "<JSON|@FILE> initial variables of the run: their names are inputs",
  });
  includeRoot = Option.Array("--include-root", { description: "<DIR> additional folder for includes (repeatable)" });
  fix = Option.Boolean("--fix", false, {
    description: "apply fixes that are certain, then check again",
  });
  guesses = Option.Boolean("--guesses", false, { description: "with --fix: also apply fixes that are guesses" });
  compatNotes = Option.Boolean("--compat-notes", false, {
    description: "note what has another meaning than in the predecessor",
  });
  denyWarnings = Option.Boolean("--deny-warnings", false, { description: "fail on any warning" });
  maxWarnings = Option.String("--max-warnings", { description: "<N> fail on more than N warnings" });
  maxDiagnostics = Option.String("--max-diagnostics", { description: "<N> show at most N diagnostics (default: 50)" });
  watch = Option.Boolean("--watch", false, { description: "check again whenever a program changes, until Ctrl-C" });
  format = Option.String("--format", { description: "<human|json|github|sarif> output format" });

  execute(): Promise<number> {
    return this.check(false);
  }

  protected async check(lint: boolean): Promise<number> {
    const session = this.session();
    if (!this.watch) return this.once(session, lint);
    if (this.json || this.format !== undefined) throw usageFault("--watch prints for people only");
    const { isSource, watchFiles } = await import("../watch/watch.ts");
    // A glob is watched from the folder that it begins in.
    const places = this.files.map((file) => (/[*?]/.test(file) ? file.replace(/[^/]*[*?].*$/, ".") : file));
    return watchFiles(session, [...places, ...(this.includeRoot ?? [])], () => this.once(session, lint), isSource);
  }

  private async once(session: Session, lint: boolean): Promise<number> {
    if (this.guesses && !this.fix) throw usageFault("--guesses needs --fix");
    const format = this.format === undefined ? null : oneOf("--format", this.format, FORMATS);
    if (this.json && format !== null && format !== "json")
      throw usageFault(`--json and --format ${format} exclude each other`);
    // Of several files that of the working folder; what each program may do is not decided here.
    const project = this.project(session, this.files.length === 1 ? this.files[0] : ".");
    const plan: CheckPlan = {
      files: this.files,
      strict: isStrict(this, project?.own === true && project.strict === false ? "loose" : "strict"),
      inputs: [...listOf(this.input), ...Object.keys(readFrame(session.cwd, this.frame, undefined).frame)],
      grant: effectiveGrant(session, { ...this.grantFlags(), project }),
      includeRoots: [...(this.includeRoot ?? []), ...(project?.includeRoots ?? [])],
      fix: this.fix,
      guesses: this.guesses,
      hints: lint || this.verbose,
      advice: lint,
      compatNotes: this.compatNotes,
      deployments: project?.programs ?? {},
      mostWarnings: this.denyWarnings ? 0 : this.atLeastZero("--max-warnings", this.maxWarnings),
      mostShown: this.atLeastZero("--max-diagnostics", this.maxDiagnostics) ?? DEFAULT_DIAGNOSTICS,
      format: this.json ? "json" : (format ?? "human"),
    };
    return checkFiles(session, plan);
  }

  private atLeastZero(flag: string, given: string | undefined): number | null {
    return given === undefined ? null : Math.max(0, wholeNumber(flag, given));
  }
}
