/** `wf notices`: what a running service notified people of. */
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { serverFlag } from "../commands/flags/server-flag.ts";
import { jobService } from "../jobs/client.ts";
import { table } from "../output/terminal/table.ts";
import { EXIT } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";

export class NoticesCommand extends WeftCommand {
  static override paths = [["notices"]];
  static override usage = Command.Usage({
    description: "Show what a service notified people of, and what it is to notify them of, newest first.",
    examples: [
      ["the newest 200", "wf notices"],
      ["those that did not arrive", "wf notices --state failed"],
      ["of another service, as JSON", "wf notices --server http://10.0.0.5:8770 --json"],
    ],
  });
  static override readonly notes = [
    "It lists the newest 200: kind, target, state, program, cause, number and newest of the jobs, and why the last try failed.",
  ];
  static override readonly pages = ["notices.md"];
  protected override readonly usesAdapters = false;
  protected override readonly usesHost = false;

  server = serverFlag();
  state = Option.String("--state", { description: "<due|sent|failed> only notices in this state" });

  async execute(): Promise<number> {
    const { io, environment, screen } = this.session();
    const server = this.server ?? environment.server;
    const { result, by } = await interruptible(io, async (signal) => {
      const found = await jobService(server, signal).notices();
      const notices = found.notices.filter(({ state }) => state === (this.state ?? state));
      if (screen.json) screen.document({ ...found, notices });
      else if (notices.length === 0) screen.note("no notices");
      else {
        const rows = notices.map(({ kind, target, state, program, cause, count, last_at, job_id, error }) => [
          ...[kind, target, state, program ?? "", cause.code, String(count), last_at, job_id, error ?? ""],
        ]);
        const head = ["kind", "target", "state", "program", "cause", "jobs", "last", "newest job", "error"];
        screen.out(`${table([head, ...rows], screen.tableWidth).join("\n")}\n`);
      }
      return EXIT.success;
    });
    return by === null ? (result ?? EXIT.failed) : exitOf(by);
  }
}
