/** `wf backup` and `wf restore`: a copy of the job store while a service uses it, and a job store made of a copy. */
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { visible } from "../output/terminal/columns.ts";
import { counted } from "../output/terminal/table.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { RUNTIME_VERSION } from "../session/version.ts";

const PG = "the jobs are in PostgreSQL (WF_DATABASE_URL): copy the database with pg_dump or its own backups";

export class BackupCommand extends WeftCommand {
  static override paths = [["backup"]];
  static override usage = Command.Usage({
    description: "Copy the job store of a state directory to a new folder, also while a service uses it.",
    examples: [
      ["a copy for each day", "wf backup --to /backups/weft-$(date +%F)"],
      ["of another state directory", "wf backup --state-dir /var/lib/weft --to copy"],
      ["with its path as JSON", "wf backup --to copy --json"],
    ],
  });
  static override readonly notes = [
    "Everything that was acknowledged before it began is in the copy: jobs with their results and journals, deployments, schedules, questions and keys. Files of programs and stores of adapters are not part of it.",
    "With `--json`: `{ok, folder, format, made_ms, weft, schema, bytes, sha256, files}`.",
  ];
  static override readonly pages = ["deploy.md#copies"];
  protected override readonly usesAdapters = false;

  to = Option.String("--to", { description: "<FOLDER> the new folder; it must not exist" });
  stateDir = Option.String("--state-dir", { description: "<FOLDER> the state directory (WF_STATE_DIR)" });

  async execute(): Promise<number> {
    const session = this.session();
    const { to } = this;
    const { places, databaseUrl } = session.environment.host;
    const stateDir = this.stateDir ?? places.stateDir;
    if (to === undefined) throw usageFault("name the new folder: --to FOLDER");
    if (stateDir === null) throw usageFault(databaseUrl === null ? "name the state directory: --state-dir" : PG);
    const { backupStore } = await import("../../service/main.ts");
    const now = session.io.clock.wall();
    const manifest = await reported(() => backupStore(stateDir, to, { now, version: RUNTIME_VERSION }));
    if (session.screen.json) session.screen.document({ ok: true, folder: to, ...manifest });
    else
      session.screen.out(
        `${visible(to)}: the job store of ${new Date(now).toISOString()}, ${manifest.bytes} bytes and ${counted(manifest.files, "large result")}\n`,
      );
    return EXIT.success;
  }
}

export class RestoreCommand extends WeftCommand {
  static override paths = [["restore"]];
  static override usage = Command.Usage({
    description: "Make a job store of a copy. What was open in it is interrupted or paused, and waits for a person.",
    details: "[FOLDER]",
    examples: [
      ["into an empty state directory", "wf restore /backups/weft-2030-01-31 --state-dir /var/lib/weft"],
      ["is the copy whole?", "wf restore /backups/weft-2030-01-31 --dry-run"],
      ["after the database of WF_DATABASE_URL was restored by its own means", "wf restore"],
    ],
  });
  static override readonly notes = [
    "A copy that is not whole is refused before anything is written (`backup_damaged`), and so is a state directory that has a job store (`restore_not_empty`). Without FOLDER it does the same to the restored database of `WF_DATABASE_URL`, before a service uses it.",
    "Open jobs are `interrupted` with the reason `restored`, schedules are paused, and notices that were due are not sent; the command lists them.",
    "With `--json`: `{ok, restored: true, since, madeMs, jobs, schedules}`.",
  ];
  static override readonly pages = ["deploy.md#copies"];
  protected override readonly usesAdapters = false;

  from = Option.String({ required: false });
  stateDir = Option.String("--state-dir", { description: "<FOLDER> the empty state directory (WF_STATE_DIR)" });
  since = Option.String("--since", {
    description:
      "<TIME> when the lost service was last alive (ISO 8601; default: now): schedules are listed until then",
  });
  dryRun = Option.Boolean("--dry-run", false, { description: "check the copy, and write nothing" });

  async execute(): Promise<number> {
    const session = this.session();
    const { places, databaseUrl } = session.environment.host;
    const { from = null, dryRun } = this;
    const stateDir = this.stateDir ?? places.stateDir;
    if (from === null && databaseUrl === null) throw usageFault("name the folder of the copy");
    if (from !== null && stateDir === null && !dryRun)
      throw usageFault(databaseUrl === null ? "name the empty state directory: --state-dir" : PG);
    if (from === null && dryRun) throw usageFault("--dry-run needs the folder of the copy");
    const sinceMs = this.since === undefined ? session.io.clock.wall() : Date.parse(this.since);
    if (Number.isNaN(sinceMs)) throw usageFault(`--since must be a time in ISO 8601, found '${this.since}'`);
    const { restoreJobs } = await import("../../service/main.ts");
    const { clock } = session.io;
    const restored = await reported(() =>
      restoreJobs({
        ...{ from, dryRun, clock, owner: `restore-${process.pid}` },
        ...(from === null ? { stateDir: null, databaseUrl } : { stateDir, databaseUrl: null }),
      }),
    );
    if (session.screen.json) session.screen.document({ ok: true, since: new Date(sinceMs).toISOString(), ...restored });
    else tell(session, restored, sinceMs, dryRun);
    return EXIT.success;
  }
}

type Restored = Awaited<ReturnType<typeof import("../../service/main.ts").restoreJobs>>;

function tell({ screen }: Session, { madeMs, jobs, schedules }: Restored, sinceMs: number, dryRun: boolean): void {
  const made = madeMs === null ? "" : `, made ${new Date(madeMs).toISOString()}`;
  if (dryRun) {
    screen.out(`the copy is whole${made}\n`);
    return;
  }
  for (const { id, status, deployment, version, label } of jobs) {
    const program = deployment === null ? label : `${deployment}@${version}`;
    screen.out(`job ${id}  was ${status}, is interrupted  ${visible(program)}\n`);
  }
  for (const { id, next_due_ms: due } of schedules) {
    const fired = due !== null && due <= sinceMs ? `  may have fired since ${new Date(due).toISOString()}` : "";
    screen.out(`schedule ${visible(id)}  is paused${fired}\n`);
  }
  screen.out(
    `restored${made}: ${counted(jobs.length, "job")} interrupted, ${counted(schedules.length, "schedule")} paused\n`,
  );
  if (jobs.length > 0) screen.out("look at their effects, then: wf jobs retry JOB [--from failure]\n");
  if (schedules.length > 0) screen.out("then: wf schedule resume ID\n");
}

async function reported<T>(act: () => Promise<T>): Promise<T> {
  const { BackupFault } = await import("../../service/main.ts");
  const { StartFault } = await import("../../adapters/operator/start-fault.ts");
  try {
    return await act();
  } catch (thrown) {
    if (thrown instanceof BackupFault)
      throw new CliFault(thrown.message, { error: thrown.code, exitCode: EXIT.failed });
    if (thrown instanceof StartFault)
      throw new CliFault(thrown.message, { error: "store_unavailable", exitCode: EXIT.failed });
    throw thrown;
  }
}
