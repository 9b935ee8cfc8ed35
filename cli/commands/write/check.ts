/** `wf check FILE…`: compile without running, and say what is wrong. */

import { Command, Option } from "../../argv/clipanion.ts";
import { type CheckPlan, checkFiles, FORMATS } from "../../check/check-files.ts";
import { effectiveGrant } from "../../grant/effective-grant.ts";
import { listOf, wholeNumber } from "../../grant/limit-flags.ts";
import { readFrame } from "../../input/frame.ts";
import { usageFault } from "../../session/faults.ts";
import type { Session } from "../../session/session.ts";
import { oneOf } from "../base.ts";
import { isStrict, modeFlag } from "../flags/compile-mode.ts";
import { GrantCommand } from "../flags/grant-command.ts";

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
    const { isSource, watchFiles } = await import("../../input/watch.ts");
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
