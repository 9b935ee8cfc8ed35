/** `wf schedule ACTION`: the schedules of a running service. */
import { Command, Option } from "../argv/clipanion.ts";
import { actionOf, WeftCommand } from "../commands/base.ts";
import { serverFlag } from "../commands/flags/server-flag.ts";
import { wholeNumber } from "../grant/limit-flags.ts";
import { visible } from "../output/terminal/columns.ts";
import { counted, table } from "../output/terminal/table.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Screen } from "../session/screen.ts";
import { type ScheduleService, scheduleService } from "./schedule-client.ts";
import { scheduleWhyText, stateOf } from "./schedule-why.ts";

const ACTIONS = ["list", "why", "next", "pause", "resume", "run", "backfill"] as const;

export class ScheduleCommand extends WeftCommand {
  static override paths = [["schedule"]];
  static override readonly actions = {
    list: { operands: "", summary: "List schedules with their next times." },
    why: { operands: "ID", summary: "Show what came of the last times of a schedule, and what holds it up." },
    next: { operands: "ID", summary: "Print the next times of a schedule." },
    pause: { operands: "ID", summary: "Stop a schedule from firing." },
    resume: { operands: "ID", summary: "Let a paused schedule fire again." },
    run: { operands: "ID", summary: "Queue a job of a schedule now." },
    backfill: { operands: "ID", summary: "Queue a job for each past time that has not fired." },
  };
  static override usage = Command.Usage({
    description: "List, explain, pause, resume, run and backfill the schedules of a service.",
    details: `${ACTIONS.join("|")} [ID]`,
    examples: [
      ["the schedules of a deployment", "wf schedule list --program digest"],
      ["find out why a schedule starts nothing", "wf schedule why digest/nightly"],
      ["its next ten times", "wf schedule next digest/nightly --count 10"],
      ["stop it for a while", "wf schedule pause digest/nightly"],
      ["catch up two days", "wf schedule backfill digest/nightly --from 2030-01-01 --to 2030-01-03"],
    ],
  });
  static override readonly notes = ["`run` and `backfill` print the ids of the jobs that they queue."];
  static override readonly pages = ["programs.md#schedules", "how-to/run-nightly.md"];
  protected override readonly usesAdapters = false;
  protected override readonly usesHost = false;

  action = Option.String({ required: false });
  id = Option.String({ required: false });
  server = serverFlag();
  program = Option.String("--program", { description: "<NAME> list: show only schedules of this deployment" });
  count = Option.String("--count", { description: "<N> next: number of times (default: 5, at most 100)" });
  from = Option.String("--from", { description: "<TIME> backfill: first time, ISO 8601" });
  to = Option.String("--to", { description: "<TIME> backfill: end of the times (exclusive), ISO 8601" });

  async execute(): Promise<number> {
    const session = this.session();
    const action = actionOf(this.action ?? "list", ACTIONS);
    if ((action === "list") !== (this.id === undefined))
      throw usageFault(action === "list" ? "too many operands" : "missing ID of a schedule, such as digest/nightly");
    if (action === "backfill" && (this.from === undefined || this.to === undefined))
      throw usageFault("backfill needs --from TIME and --to TIME");
    const server = this.server ?? session.environment.server;
    const { result, by } = await interruptible(session.io, async (signal) => {
      await this.perform(action, this.id ?? "", scheduleService(server, signal), session.screen);
      return EXIT.success;
    });
    return by === null ? (result ?? EXIT.failed) : exitOf(by);
  }

  private async perform(
    action: (typeof ACTIONS)[number],
    id: string,
    service: ScheduleService,
    screen: Screen,
  ): Promise<void> {
    switch (action) {
      case "list": {
        const schedules = await service.list(this.program);
        if (screen.json) return screen.document({ schedules });
        if (schedules.length === 0) return screen.note("no schedules");
        const rows = schedules.map((one) => [
          visible(one.id),
          visible(one.cron),
          visible(one.tz),
          stateOf(one),
          one.next_at ?? "",
        ]);
        return screen.out(
          `${table([["schedule", "cron", "zone", "state", "next"], ...rows], screen.tableWidth).join("\n")}\n`,
        );
      }
      case "why": {
        const schedule = await service.get(id);
        return screen.json ? screen.document(schedule) : screen.out(scheduleWhyText(schedule, screen.tableWidth));
      }
      case "next": {
        const answer = await service.next(id, this.count === undefined ? 5 : wholeNumber("--count", this.count));
        if (screen.json) return screen.document(answer);
        return screen.out(answer.next.map(({ at }) => `${visible(at)}\n`).join(""));
      }
      case "pause":
      case "resume": {
        const schedule = await service.pause(id, action === "pause");
        if (screen.json) return screen.document(schedule);
        return screen.out(`${visible(schedule.id)}  ${schedule.paused ? "paused" : "active"}\n`);
      }
      case "run": {
        const answer = await service.run(id);
        return screen.json ? screen.document(answer) : screen.out(`${visible(answer.job_id)}\n`);
      }
      default: {
        const answer = await service.backfill(id, this.from ?? "", this.to ?? "");
        if (screen.json) return screen.document(answer);
        screen.out(answer.job_ids.map((job) => `${visible(job)}\n`).join(""));
        screen.note(`${counted(answer.count, "job")} queued, ${counted(answer.already_fired, "time")} fired before`);
        if (answer.more_from !== null) screen.note(`more: --from ${visible(answer.more_from)}`);
      }
    }
  }
}
