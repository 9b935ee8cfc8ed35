/** `wf doctor`: whether this machine and environment are fit for wf, and what to do where they are not. */
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { visible } from "../output/terminal/columns.ts";
import { counted, wrappedTable } from "../output/terminal/table.ts";
import { wrap } from "../output/terminal/wrap.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

export class DoctorCommand extends WeftCommand {
  static override paths = [["doctor"]];
  static override usage = Command.Usage({
    description: "Check the machine, environment and configuration, and suggest a fix for every problem found.",
    examples: [
      ["look", "wf doctor"],
      ["create missing folders and install missing packages", "wf doctor --fix"],
      ["for a script", "wf doctor --json"],
      ["make a new job store of what can be read of a damaged one", "wf doctor --recover"],
    ],
  });
  static override readonly notes = [
    "It checks Node, SQLite, the environment (names and values), profiles, operator files, plugins and `wf.config.json`, the state folder (exists, writable, free space, lock, the file of its jobs), places of adapters, the port of the service, worker threads, the clock, the terminal, packages of adapters, the database of `WF_DATABASE_URL` (reachable, version of its tables; nothing is created there), the MCP server, and one small run. Values of variables are not shown.",
    "`--fix` installs the packages that enabled adapters, `WF_DATABASE_URL` and `WF_OTEL_EXPORTER` need and that do not come with weft-runner. `--recover` works while no service uses the store, and keeps the old files and the list of what was lost in a folder `damaged-…`.",
    "Exit 1 when a check fails. With `--json`: `{ok, checks: [{name, state, message, fix}]}`, and of `--recover` `{ok, isReplaced, copied, lost, kept}`.",
  ];
  static override readonly pages = ["troubleshooting.md", "runbook.md"];
  /** Broken plugins are reported as findings. */
  protected override readonly usesAdapters = false;

  fix = Option.Boolean("--fix", false, { description: "create missing folders and install missing packages" });

  recover = Option.Boolean("--recover", false, {
    description:
      "make a new job store of what can be read of a damaged one, and list what cannot; the old files are kept",
  });

  async execute(): Promise<number> {
    const session = this.session();
    if (this.recover) return recoverJobs(session);
    const { examine } = await import("./checks.ts");
    const checks = await examine({ session, withAdapters: (plain) => this.withAdapters(plain), fix: this.fix });
    const failed = checks.filter(({ state }) => state === "fail").length;
    if (session.screen.json) session.screen.document({ ok: failed === 0, checks });
    else print(session, checks, failed);
    return failed === 0 ? EXIT.success : EXIT.failed;
  }
}

async function recoverJobs(session: Session): Promise<number> {
  const { stateDir } = session.environment.host.places;
  if (stateDir === null) throw usageFault("--recover needs the folder of the job store: set WF_STATE_DIR");
  const { recoverStore } = await import("../../service/main.ts");
  const { StartFault } = await import("../../adapters/operator/start-fault.ts");
  const now = session.io.clock.wall();
  try {
    const recovery = recoverStore(stateDir, { stamp: new Date(now).toISOString().replace(/[:.]/g, "-"), now });
    if (session.screen.json) session.screen.document({ ok: true, ...recovery });
    else tellRecovery(session, recovery);
    return EXIT.success;
  } catch (thrown) {
    if (!(thrown instanceof StartFault)) throw thrown;
    throw new CliFault(thrown.message, { error: "store_unavailable", exitCode: EXIT.failed });
  }
}

type Recovery = ReturnType<typeof import("../../service/main.ts").recoverStore>;

function tellRecovery({ screen }: Session, { isReplaced, copied, lost, kept }: Recovery): void {
  if (!isReplaced) {
    screen.out("the job store is intact\n");
    return;
  }
  const rows = Object.values(copied).reduce((sum, count) => sum + count, 0);
  for (const line of lost) screen.out(`lost  ${visible(line)}\n`);
  screen.out(`${counted(rows, "row")} copied to a new job store, ${counted(lost.length, "loss", "losses")}\n`);
  screen.out(`the old files and the list are in ${visible(kept ?? "")}\n`);
}

type Checks = Awaited<ReturnType<typeof import("./checks.ts").examine>>;

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
