/** `wf diff A B`: what two programs differ in, as programs. */

import { logicalLines } from "../../compiler/diagram/logical-lines.ts";
import { functionsOf } from "../../compiler/diff/line-changes.ts";
import { diffPrograms } from "../../compiler/diff/program-diff.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { isStrict, modeFlag } from "../commands/flags/compile-mode.ts";
import { includeRootsFor } from "../commands/flags/include-roots.ts";
import { listOf } from "../grant/limit-flags.ts";
import { readProgram } from "../input/input.ts";
import type { LoadedProgram } from "../input/loaded-program.ts";
import { isRevision, pathInRevision, readRevision } from "../input/program-revision.ts";
import { programDiffText } from "../output/program-diff.ts";
import { compileInput } from "../run/load-program.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

export class DiffCommand extends WeftCommand {
  static override paths = [["diff"]];
  static override usage = Command.Usage({
    description:
      "Compare two programs: what they can access first, then functions and lines, or labels, steps and edges.",
    details: "A B",
    examples: [
      ["two files", "wf diff old.wf new.wf"],
      ["since the last commit", "wf diff git:HEAD:report.wf report.wf"],
      ["what the compiler made of them", "wf diff old.wf new.wf --steps"],
      ["for scripts: 1 when they differ", "wf diff old.wf new.wf --exit-code"],
    ],
  });
  static override readonly notes = [
    "A and B are source or IR, or `git:REV:PATH`. Without `--exit-code` a difference does not change the exit code.",
    "With `--json`: `{ok, same, before: {path, checksum}, after: {path, checksum}, powers: [{change, kind, value, steps}], entry, labels: [{change, label, steps, ways}], endpoints: [{change, text}], declarations: [{change, text}]}`; `change` is `added`, `removed` or `changed`.",
  ];
  static override readonly pages = ["diagrams.md#wf-diff"];

  before = Option.String({ required: false });
  after = Option.String({ required: false });
  exitCode = Option.Boolean("--exit-code", false, { description: "exit with 1 when the programs differ" });
  steps = Option.Boolean("--steps", false, {
    description: "compare the steps that the compiler made of programs in Python, in place of their lines",
  });
  strict = modeFlag("strict", "strict");
  loose = modeFlag("loose", "strict");
  input = Option.Array("--input", { description: "<NAME> variable that the frame will contain (repeatable)" });
  includeRoot = Option.Array("--include-root", { description: "<DIR> additional folder for includes (repeatable)" });

  async execute(): Promise<number> {
    const session = this.session();
    if (this.before === undefined || this.after === undefined)
      throw usageFault("missing program; give two programs, A and B");
    if (this.before === "-" && this.after === "-") throw usageFault("only one of the programs can be standard input");
    const before = await this.load(session, this.before);
    const after = await this.load(session, this.after);
    const diff = diffPrograms(before.ir, after.ir, session.host.catalog);
    const { screen } = session;
    if (screen.json) {
      const side = ({ input, ir }: LoadedProgram) => ({ path: input.name, checksum: ir.checksum });
      screen.document({ ok: true, before: side(before), after: side(after), ...diff });
    } else {
      const functions = this.steps ? null : functionsOf(diff.labels, before, after, logicalLines);
      screen.out(programDiffText(diff, functions, screen.paint));
    }
    return diff.same || !this.exitCode ? EXIT.success : EXIT.failed;
  }

  private async load(session: Session, operand: string): Promise<LoadedProgram> {
    const input = isRevision(operand)
      ? readRevision(session.cwd, operand)
      : await readProgram(session.io, session.cwd, operand);
    return compileInput(session, input, {
      strict: isStrict(this, "strict"),
      inputs: listOf(this.input),
      includeRoots: includeRootsFor(session, isRevision(operand) ? pathInRevision(operand) : operand, this.includeRoot),
    });
  }
}
