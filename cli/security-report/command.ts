/** `wf security-report FILE`: what a program can touch, the least grant it needs, and who admits it. */
import { POLICY_LISTS } from "../../compiler/policy/policy.ts";
import type { LeastGrant } from "../../compiler/policy/report-shape.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { isStrict, modeFlag } from "../commands/flags/compile-mode.ts";
import { includeRootsFor } from "../commands/flags/include-roots.ts";
import { loadProfile } from "../grant/grant-documents.ts";
import { reportText } from "../output/security-report.ts";
import { jsonIndented } from "../output/terminal/json.ts";
import { counted } from "../output/terminal/table.ts";
import { loadProgram, strictErrors } from "../run/load-program.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import { reportOf } from "./report.ts";

export class SecurityReportCommand extends WeftCommand {
  static override paths = [["security-report"]];
  static override usage = Command.Usage({
    description: "Report what a program can access, without running it.",
    details: "FILE",
    examples: [
      ["a program", "wf security-report hello.wf"],
      ["the least grant it needs, for --grant FILE", "wf security-report hello.wf --grant"],
      ["fail unless a profile admits it", "wf security-report hello.wf --profile local_minimal"],
    ],
  });
  static override readonly notes = [
    "`--grant` prints what `--grant FILE` of other commands takes. With `--profile` the exit code is 3 when the profile does not admit the program.",
  ];
  static override readonly pages = ["policy.md#the-security-report"];

  file = Option.String({ required: false });
  grant = Option.Boolean("--grant", false, { description: "print only the least grant the program needs" });
  policy = Option.Boolean("--policy", false, { description: "print only the restrictions of that grant, as a policy" });
  profile = Option.String("--profile", {
    description: "<NAME|FILE> exit with 3 when this profile does not admit the program",
  });
  strict = modeFlag("strict", "loose");
  loose = modeFlag("loose", "loose");
  includeRoot = Option.Array("--include-root", { description: "<DIR> additional folder for includes (repeatable)" });

  async execute(): Promise<number> {
    const session = this.session();
    if (this.grant && this.policy) throw usageFault("--grant and --policy exclude each other");
    const warnings: string[] = [];
    const profile = this.profile === undefined ? null : loadProfile(session, this.profile, warnings);
    const options = {
      strict: isStrict(this, "loose"),
      includeRoots: includeRootsFor(session, this.file, this.includeRoot),
    };
    const program = await loadProgram(session, this.file, options);
    const report = reportOf(session, program.ir, profile);
    const { screen } = session;
    const refused = strictErrors(session, program, options);
    if (refused > 0)
      screen.warning(
        `wf check refuses this program (${counted(refused, "error")}); the report tells what a non-strict run of it can touch`,
      );
    for (const warning of [...warnings, ...program.warnings]) screen.warning(warning);
    const least = report.least_privilege_grant;
    if (this.grant || this.policy) {
      const document = this.grant ? least : policyOfLeast(least);
      if (screen.json) screen.document(document);
      else screen.out(`${jsonIndented(document)}\n`);
    } else if (screen.json) screen.document(report);
    else
      screen.out(
        reportText(report, { file: program.input.path === null ? "-" : program.input.name, ir: program.ir }, screen),
      );
    if (profile === null) return EXIT.success;
    const verdict = Object.hasOwn(report.profiles, profile.name) ? report.profiles[profile.name] : undefined;
    return verdict?.admitted === true ? EXIT.success : EXIT.policy;
  }
}

/** The restrictions that say something. */
function policyOfLeast(least: LeastGrant): object {
  const lists = POLICY_LISTS.filter((list) => least[list].length > 0).map((list) => [list, least[list]]);
  return { ...Object.fromEntries(lists), ...(least.forbidden_destructive ? { forbidden_destructive: true } : {}) };
}
