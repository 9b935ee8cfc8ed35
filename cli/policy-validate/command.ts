/** `wf policy-validate`: one program against one policy, without running it. */
import { callsOutside } from "../../vm/admission/prepare.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { isStrict, modeFlag } from "../commands/flags/compile-mode.ts";
import { includeRootsFor } from "../commands/flags/include-roots.ts";
import { effectiveGrant } from "../grant/effective-grant.ts";
import { violationLines } from "../output/policy.ts";
import { visible } from "../output/terminal/columns.ts";
import { loadProgram } from "../run/load-program.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

export class PolicyValidateCommand extends WeftCommand {
  static override paths = [["policy-validate"]];
  static override usage = Command.Usage({
    description: "Check a program against a policy and list every violation, without running it.",
    details: "[FILE]",
    examples: [
      ["IR against a policy file", "wf policy-validate --ir hello.json --policy policy.json"],
      ["a source program", "wf policy-validate hello.wf --policy policy.json"],
      ["against a security profile", "wf policy-validate hello.wf --profile local_minimal"],
    ],
  });
  static override readonly notes = [
    "Each violation is one line; with `--json` the output is `{ok, errors, warnings}`. An allowlist in the profile or grant is not checked as a restriction; calls outside it give warnings (`adapter_not_allowed`).",
    "Exit 0 without violations, 3 with some, 1 when the program does not compile or the IR is not valid, 2 when something is missing or not readable. It never exits with 0 when nothing was checked.",
  ];
  static override readonly pages = ["policy.md"];

  file = Option.String({ required: false });
  ir = Option.String("--ir", { description: "<FILE> program as IR" });
  policyFile = Option.String("--policy", { description: "<FILE> policy (JSON)" });
  profile = Option.String("--profile", { description: "<NAME|FILE> security profile whose restrictions are checked" });
  grantFile = Option.String("--grant", { description: "<FILE> grant whose restrictions are checked (JSON)" });
  strict = modeFlag("strict", "strict");
  loose = modeFlag("loose", "strict");
  includeRoot = Option.Array("--include-root", { description: "<DIR> additional folder for includes (repeatable)" });

  async execute(): Promise<number> {
    const session = this.session();
    this.requireInputs(session);
    const { profile, grantFile, policyFile } = this;
    const grant = effectiveGrant(session, { profile, grantFile, policyFile });
    const program = await loadProgram(session, this.ir ?? this.file, {
      strict: isStrict(this, "strict"),
      includeRoots: includeRootsFor(session, this.ir ?? this.file, this.includeRoot),
    });
    if (this.ir !== undefined && program.input.content.kind !== "ir") {
      throw new CliFault(`${this.ir} is not IR; give a source program without --ir`, {
        error: "invalid_ir",
        exitCode: EXIT.failed,
      });
    }
    const verdict = session.host.checkPolicy(program.ir, grant.policy, grant.explanation.rule);
    // An allowlist forbids nothing before a run: a call outside it fails when it is reached.
    const outside = callsOutside(grant.allowed, program.ir, session.host);
    const warnings = [...grant.warnings, ...program.warnings, ...verdict.warnings, ...outside];
    const { screen } = session;
    if (screen.json) screen.document({ ok: verdict.ok, errors: verdict.errors, warnings });
    else {
      for (const warning of warnings) screen.warning(warning);
      for (const line of violationLines(verdict.errors, program.ir, false)) screen.out(`${visible(line)}\n`);
      if (verdict.ok) screen.out(`${screen.paint.ok("ok")}  no violations\n`);
    }
    return verdict.ok ? EXIT.success : EXIT.policy;
  }

  /** Without both a program and a rule nothing would be checked, and that must not look like success. */
  private requireInputs(session: Session): void {
    if (this.ir !== undefined && this.file !== undefined) throw usageFault("--ir and FILE exclude each other");
    if (this.ir === undefined && this.file === undefined && session.io.stdin.terminal)
      throw usageFault("missing program; give FILE or --ir FILE");
    if (this.policyFile === undefined && this.profile === undefined && this.grantFile === undefined)
      throw usageFault("missing policy; give --policy FILE, --profile NAME or --grant FILE");
  }
}
