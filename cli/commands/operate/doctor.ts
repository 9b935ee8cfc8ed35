/** `wf doctor`: whether this machine and environment are fit for wf, and what to do where they are not. */
import { Command, Option } from "../../argv/clipanion.ts";
import { visible } from "../../output/terminal/columns.ts";
import { counted, wrappedTable } from "../../output/terminal/table.ts";
import { wrap } from "../../output/terminal/wrap.ts";
import { EXIT } from "../../session/faults.ts";
import type { Session } from "../../session/session.ts";
import { WeftCommand } from "../base.ts";

export class DoctorCommand extends WeftCommand {
  static override paths = [["doctor"]];
  static override usage = Command.Usage({
    description: "Check the machine, environment and configuration, and suggest a fix for every problem found.",
    examples: [
      ["look", "wf doctor"],
      ["create missing folders and install missing packages", "wf doctor --fix"],
      ["for a script", "wf doctor --json"],
    ],
  });
  /** Broken plugins are reported as findings. */
  protected override readonly usesAdapters = false;

  fix = Option.Boolean("--fix", false, { description: "create missing folders and install missing packages" });

  async execute(): Promise<number> {
    const session = this.session();
    const { examine } = await import("../../doctor/checks.ts");
    const checks = await examine({ session, withAdapters: (plain) => this.withAdapters(plain), fix: this.fix });
    const failed = checks.filter(({ state }) => state === "fail").length;
    if (session.screen.json) session.screen.document({ ok: failed === 0, checks });
    else print(session, checks, failed);
    return failed === 0 ? EXIT.success : EXIT.failed;
  }
}

type Checks = Awaited<ReturnType<typeof import("../../doctor/checks.ts").examine>>;

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
