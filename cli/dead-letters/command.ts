/** `wf dead-letters`: jobs of a running service that failed and that were neither retried nor discarded. */
import { Command, Option } from "../argv/clipanion.ts";
import { actionOf, WeftCommand } from "../commands/base.ts";
import { serverFlag } from "../commands/flags/server-flag.ts";
import { wholeNumber } from "../grant/limit-flags.ts";
import { type JobService, jobService } from "../jobs/client.ts";
import { visible } from "../output/terminal/columns.ts";
import { table } from "../output/terminal/table.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Screen } from "../session/screen.ts";

/** What `--program` calls jobs of no deployment, as the service does. */
const NO_DEPLOYMENT = "-";

const ACTIONS = ["list", "retry", "discard"] as const;

export class DeadLettersCommand extends WeftCommand {
  static override paths = [["dead-letters"]];
  static override readonly actions = {
    list: { operands: "", summary: "List dead letters by program and reason." },
    retry: { operands: "", summary: "Queue a new job for each dead letter." },
    discard: { operands: "", summary: "Mark dead letters as done, without a retry." },
  };
  static override usage = Command.Usage({
    description: "List, retry and discard jobs that failed and that were neither retried nor discarded.",
    details: "[list] | retry | discard",
    examples: [
      ["what failed, by program and reason", "wf dead-letters"],
      ["run those of a program again", "wf dead-letters retry --program digest"],
      ["those with one reason, at most 20", "wf dead-letters retry --program digest --error runtime_error --limit 20"],
      ["with the corrected version", "wf dead-letters retry --program digest --current"],
      ["how many that would be", "wf dead-letters discard --error timeout_exceeded --dry-run"],
    ],
  });
  static override readonly notes = [
    "`retry` prints the new ids, `discard` those of the jobs, which stay with their results. Exit 1: some could not be changed; stderr says which and why.",
  ];
  static override readonly pages = ["jobs.md#dead-letters"];
  protected override readonly usesAdapters = false;
  protected override readonly usesHost = false;

  operands = Option.Rest();
  server = serverFlag();
  program = Option.String("--program", { description: "<NAME[@N]> only jobs of this deployment; - for jobs of none" });
  error = Option.String("--error", { description: "<WORD> only jobs with this error" });
  limit = Option.String("--limit", {
    description: "<N> retry, discard: maximum number of jobs, the oldest first (default: 100, at most 1000)",
  });
  current = Option.Boolean("--current", false, {
    description: "retry: with the versions that are current now, in place of those that the jobs ran",
  });
  dryRun = Option.Boolean("--dry-run", false, { description: "retry, discard: show the jobs and change nothing" });

  async execute(): Promise<number> {
    const { io, environment, screen } = this.session();
    const [first = "list", ...rest] = this.operands;
    const action = actionOf(first, ACTIONS);
    if (rest.length > 0) throw usageFault("too many operands");
    const server = this.server ?? environment.server;
    const { result, by } = await interruptible(io, async (signal) => {
      const service = jobService(server, signal);
      return action === "list" ? this.list(service, screen) : this.act(action, service, screen);
    });
    return by === null ? (result ?? EXIT.failed) : exitOf(by);
  }

  private async list(service: JobService, screen: Screen): Promise<number> {
    const found = await service.deadLetters();
    const [name] = this.program?.split("@") ?? [];
    const groups = found.groups.filter(
      ({ program, error }) =>
        (name === undefined || (program ?? NO_DEPLOYMENT) === name) && error === (this.error ?? error),
    );
    if (screen.json) screen.document({ ...found, groups });
    else if (groups.length === 0) screen.note("no dead letters");
    else {
      const rows = groups.map(({ program, error, count, last_at, job_id }) => [
        ...[program ?? NO_DEPLOYMENT, error, String(count), last_at, job_id],
      ]);
      screen.out(
        `${table([["program", "error", "jobs", "last", "newest job"], ...rows], screen.tableWidth).join("\n")}\n`,
      );
      if (found.more) screen.note("more groups are there; --program and --error narrow them down on the service");
    }
    return EXIT.success;
  }

  private async act(verb: "retry" | "discard", service: JobService, screen: Screen): Promise<number> {
    if (this.current && verb === "discard") throw usageFault("--current is for retry");
    const { program, error } = this;
    const done = await service.bulk(verb, {
      dead: "1",
      ...(program === undefined ? {} : { program }),
      ...(error === undefined ? {} : { error }),
      ...(this.limit === undefined ? {} : { limit: wholeNumber("--limit", this.limit) }),
      ...(this.current ? { current: true } : {}),
      ...(this.dryRun ? { dry_run: true } : {}),
    });
    if (screen.json) screen.document(done);
    else {
      screen.out((done.new_job_ids?.length ? done.new_job_ids : done.job_ids).map((id) => `${visible(id)}\n`).join(""));
      if (done.job_ids.length + done.left.length === 0) screen.note("no dead letter matches");
      for (const { job_id, message } of done.left) screen.note(`${visible(job_id)}: ${visible(message)}`);
      if (done.more) screen.note("more are there: run it again, or raise --limit");
    }
    return done.left.length === 0 ? EXIT.success : EXIT.failed;
  }
}
