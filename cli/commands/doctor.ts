/** `wf doctor`: whether this machine and environment are fit for wf, and what to do where they are not. */
import { Command, Option } from "../clipanion.ts";
import { EXIT } from "../faults.ts";
import { visible } from "../output/columns.ts";
import { counted, wrappedTable } from "../output/table.ts";
import { wrap } from "../output/wrap.ts";
import { type Session, WeftCommand } from "./base.ts";

export class DoctorCommand extends WeftCommand {
  static override paths = [["doctor"]];
  static override usage = Command.Usage({
    description: "Checks this machine, its environment and configuration, and tells what mends what is wrong.",
    examples: [
      ["look", "wf doctor"],
      ["make folders that are missing", "wf doctor --fix"],
      ["for a script", "wf doctor --json"],
    ],
  });
  /** What is wrong with them is a finding. */
  protected override readonly usesAdapters = false;

  fix = Option.Boolean("--fix", false, { description: "make folders that are missing" });

  async execute(): Promise<number> {
    const session = this.session();
    const { examine } = await import("../doctor/checks.ts");
    const checks = await examine({ session, withAdapters: (plain) => this.withAdapters(plain), fix: this.fix });
    const failed = checks.filter(({ state }) => state === "fail").length;
    if (session.screen.json) session.screen.document({ ok: failed === 0, checks });
    else print(session, checks, failed);
    return failed === 0 ? EXIT.success : EXIT.failed;
  }
}

type Checks = Awaited<ReturnType<typeof import("../doctor/checks.ts").examine>>;

function print({ screen }: Session, checks: Checks, failed: number): void {
  const paint = { ok: screen.paint.ok, warn: screen.paint.warning, fail: screen.paint.error };
  const lines = wrappedTable(
    checks.map(({ name, message }) => [name, message]),
    screen.tableWidth,
    6,
  );
  for (const [at, { state, fix }] of checks.entries()) {
    screen.out(`${paint[state](state.padEnd(4))}  ${lines[at]}\n`);
    if (fix !== null) screen.out(`        ${screen.paint.dim("fix:")} ${wrap(visible(fix), screen.tableWidth, 13)}\n`);
  }
  const warned = checks.filter(({ state }) => state === "warn").length;
  screen.out(`${counted(checks.length, "check")}, ${failed} failed, ${counted(warned, "warning")}\n`);
}
