/** `wf jobs ACTION`: the jobs of a running service, for people and scripts. */
import { Command, Option } from "../clipanion.ts";
import { EXIT, usageFault } from "../faults.ts";
import { exitOf, interruptible } from "../interrupt.ts";
import { DEFAULT_SERVER, type JobService, jobService, type RemoteJob } from "../job-service.ts";
import { visible } from "../output/columns.ts";
import { jsonIndented } from "../output/json.ts";
import { resultText } from "../output/run.ts";
import { table } from "../output/table.ts";
import type { Screen } from "../screen.ts";
import { oneOf, WeftCommand } from "./base.ts";

const ACTIONS = ["list", "get", "wait", "cancel", "retry"] as const;
const UNFINISHED: readonly string[] = ["queued", "running", "cancelling"];
/** Longest wait that a service takes on at once. */
const WAIT_S = 60;

export class JobsCommand extends WeftCommand {
  static override paths = [["jobs"]];
  static override usage = Command.Usage({
    description: "Lists, shows, awaits, cancels and retries the jobs of a runner service.",
    details: "ACTION [ID]",
    examples: [
      ["the newest jobs", "wf jobs list"],
      ["those that failed", "wf jobs list --status failed,timed_out"],
      ["the result of one, when it is there", "wf jobs wait 01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d"],
      ["stop one", "wf jobs cancel 01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d"],
    ],
  });
  protected override readonly usesAdapters = false;

  action = Option.String({ required: false });
  id = Option.String({ required: false });
  server = Option.String("--server", { description: "<URL> the service (WF_SERVER); http://127.0.0.1:8770" });
  status = Option.String("--status", { description: "<LIST> list: only these states" });
  limit = Option.String("--limit", { description: "<N> list: at most so many, up to 200; 50" });
  cursor = Option.String("--cursor", { description: "<TEXT> list: go on after an earlier list" });
  timeout = Option.String("--timeout", { description: "<S> wait: at most so many seconds" });
  from = Option.String("--from", { description: "<start|failure> retry: from there; start" });

  async execute(): Promise<number> {
    const { io, environment, screen } = this.session();
    if (this.action === undefined) throw usageFault(`an ACTION is needed: ${ACTIONS.join(", ")}`);
    const action = oneOf("ACTION", this.action, ACTIONS);
    if ((action === "list") !== (this.id === undefined))
      throw usageFault(action === "list" ? "too many operands" : "the ID of a job is needed");
    const id = this.id ?? "";
    const server = this.server ?? environment.server ?? DEFAULT_SERVER;
    const { result, by } = await interruptible(io, async (signal) => {
      const service = jobService(server, signal);
      try {
        return await this.perform(action, id, service, screen);
      } catch (thrown) {
        if (signal.aborted) return null;
        throw thrown;
      }
    });
    if (by !== null) return exitOf(by);
    return result ?? EXIT.failed;
  }

  private async perform(
    action: (typeof ACTIONS)[number],
    id: string,
    service: JobService,
    screen: Screen,
  ): Promise<number> {
    if (action === "list") return this.list(service, screen);
    if (action === "wait") return this.wait(id, service, screen);
    if (action === "get") {
      const job = await service.get(id, 0);
      if (screen.json) screen.document(job);
      else screen.out(`${jsonIndented(job)}\n`);
      return EXIT.success;
    }
    const changed = action === "cancel" ? await service.cancel(id) : await service.retry(id, this.from ?? "start");
    if (screen.json) screen.document(changed);
    else screen.out(`${visible(changed.job_id)}  ${visible(changed.status)}\n`);
    return EXIT.success;
  }

  private async list(service: JobService, screen: Screen): Promise<number> {
    const { status, limit, cursor } = this;
    const listing = await service.list({ status, limit, cursor });
    const { jobs, next_cursor } = listing;
    if (screen.json) screen.document(listing);
    else if (jobs.length === 0) screen.note("no jobs");
    else {
      const rows = jobs.map((job) => [job.job_id, job.status, job.label, String(job.attempt), job.queued_at]);
      const head = ["job", "status", "label", "attempt", "queued"];
      screen.out(`${table([head, ...rows], screen.width).join("\n")}\n`);
      if (next_cursor !== null) screen.note(`more: --cursor ${next_cursor}`);
    }
    return EXIT.success;
  }

  private async wait(id: string, service: JobService, screen: Screen): Promise<number> {
    const { clock } = this.context.io;
    const end = this.timeout === undefined ? Number.POSITIVE_INFINITY : clock.now() + seconds(this.timeout) * 1000;
    let told = "";
    for (;;) {
      const left = Math.max(0, Math.min(WAIT_S, (end - clock.now()) / 1000));
      const job = await service.get(id, Math.floor(left * 1000) / 1000);
      if (!UNFINISHED.includes(job.status)) return ended(job, screen);
      if (clock.now() >= end) {
        if (screen.json) screen.document(job);
        screen.warning(`the job is still ${job.status}`);
        return EXIT.failed;
      }
      if (job.status !== told) screen.note(`the job is ${job.status}`);
      told = job.status;
    }
  }
}

/** What `wf run` would have printed of the same result. */
function ended(job: RemoteJob, screen: Screen): number {
  const { result, status } = job;
  if (screen.json) screen.document(job);
  else if (result?.ok === true) screen.out(resultText(result["out"], false));
  else
    screen.err(`${screen.errorPaint.error("error")} ${visible(status)}: ${visible(result?.message ?? "no result")}\n`);
  return result?.ok === true ? EXIT.success : EXIT.failed;
}

function seconds(given: string): number {
  if (!/^[0-9]{1,6}(\.[0-9]{1,3})?$/.test(given)) throw usageFault(`option --timeout needs seconds, found '${given}'`);
  return Number(given);
}
