/** `wf jobs ACTION`: the jobs of a running service, for people and scripts. */
import { Command, Option } from "../clipanion.ts";
import { EXIT, usageFault } from "../faults.ts";
import { readFrame } from "../frame.ts";
import { namesIn, readFrameList } from "../frame-list.ts";
import { wholeNumber } from "../grant.ts";
import { exitOf, interruptible } from "../interrupt.ts";
import { DEFAULT_SERVER, type JobService, jobService, type RemoteJob } from "../job-service.ts";
import { visible } from "../output/columns.ts";
import { jsonIndented } from "../output/json.ts";
import { canRedraw } from "../output/redrawn-line.ts";
import { resultText } from "../output/run.ts";
import { shellWord } from "../output/shell-word.ts";
import { startSpinner } from "../output/spinner.ts";
import { counted, duration, table } from "../output/table.ts";
import { loadProgram } from "../program.ts";
import type { Screen } from "../screen.ts";
import { actionOf, type Session, WeftCommand } from "./base.ts";
import { isStrict, modeFlag } from "./compile-mode.ts";

const ACTIONS = ["list", "submit", "get", "wait", "cancel", "retry"] as const;
const UNFINISHED: readonly string[] = ["queued", "running", "cancelling"];
/** Longest wait that a service takes on at once. */
const WAIT_S = 60;
/** Somebody looks on: the state is asked for more often. */
const LOOK_S = 1;

export class JobsCommand extends WeftCommand {
  static override paths = [["jobs"]];
  static override usage = Command.Usage({
    description: "Queues, lists, shows, awaits, cancels and retries the jobs of a runner service.",
    details: `${ACTIONS.join("|")} [ID|FILE]`,
    examples: [
      ["queue a program and wait for its result", "wf jobs submit hello.wf --wait"],
      ["a job for each line of a file", "wf jobs submit order.wf --in orders.ndjson"],
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
  frame = Option.String("--frame,--frame-json", { description: "<JSON|@FILE> submit: initial variables" });
  frameSet = Option.Array("--frame-set", { description: "<NAME=JSON> submit: one initial variable (repeatable)" });
  frames = Option.String("--in,--frames", {
    description: "<FILE|-> submit: a job for each frame, one JSON object a line; all or none are queued",
  });
  label = Option.String("--label", { description: "<NAME> submit: entry label; default: the first label" });
  strict = modeFlag("strict", "strict", "submit: ");
  loose = modeFlag("loose", "strict", "submit: ");
  includeRoot = Option.Array("--include-root", {
    description: "<DIR> submit: a further folder for includes (repeatable)",
  });
  restart = Option.Boolean("--restart", false, {
    description: "submit: start again when the service dies during the run",
  });
  keepS = Option.String("--keep-s", { description: "<N> submit: seconds that the result is kept" });
  waits = Option.Boolean("--wait", false, { description: "submit: wait for the result, as wait does" });
  from = Option.String("--from", { description: "<start|failure> retry: from there; start" });

  async execute(): Promise<number> {
    const session = this.session();
    const { io, environment } = session;
    const action = actionOf(this.action, ACTIONS);
    if ((action === "list") !== (this.id === undefined))
      throw usageFault(
        action === "list" ? "too many operands" : `${action === "submit" ? "a FILE" : "the ID of a job"} is needed`,
      );
    const id = this.id ?? "";
    const server = this.server ?? environment.server ?? DEFAULT_SERVER;
    const { result, by } = await interruptible(io, async (signal) => {
      const service = jobService(server, signal);
      try {
        return await this.perform(action, id, service, session);
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
    session: Session,
  ): Promise<number> {
    const { screen } = session;
    if (action === "list") return this.list(service, screen);
    if (action === "submit") return this.submit(id, service, session);
    if (action === "wait") return this.wait(id, service, session);
    if (action === "get") {
      const job = await service.get(id, 0);
      if (screen.json) screen.document(job);
      else screen.out(`${jsonIndented(job)}\n`);
      return EXIT.success;
    }
    const changed = action === "cancel" ? await service.cancel(id) : await service.retry(id, this.from ?? "start");
    if (screen.json) screen.document(changed);
    else screen.out(`${visible(changed.job_id)}${action === "cancel" ? `  ${visible(changed.status)}` : ""}\n`);
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
      screen.out(`${table([head, ...rows], screen.tableWidth).join("\n")}\n`);
      if (next_cursor !== null) screen.note(`more: --cursor ${shellWord(next_cursor)}`);
    }
    return EXIT.success;
  }

  /** The program is compiled here, so that its includes need not be there. */
  private async submit(file: string, service: JobService, plain: Session): Promise<number> {
    const session = await this.withAdapters(plain);
    const { screen } = session;
    try {
      const { given, names, warnings } = await this.variables(session, file);
      const { ir } = await loadProgram(session, file, {
        strict: isStrict(this, "strict"),
        inputs: names,
        includeRoots: this.includeRoot ?? [],
        forRun: true,
      });
      const body = {
        ir,
        ...given,
        ...(this.label === undefined ? {} : { label: this.label }),
        ...(this.restart ? { retry: true } : {}),
        ...(this.keepS === undefined ? {} : { keep_s: wholeNumber("--keep-s", this.keepS) }),
      };
      const { ids, answer } = await ("frames" in given ? service.submitMany(body) : service.submit(body));
      for (const warning of [...warnings, ...(answer.warnings ?? [])]) screen.warning(warning);
      const [first = ""] = ids;
      if (this.waits) return await this.wait(first, service, session);
      if (screen.json) screen.document(answer);
      else screen.out(ids.map((id) => `${visible(id)}\n`).join(""));
      return EXIT.success;
    } finally {
      await session.adapters?.close();
    }
  }

  /** Variables of one job, or of one for each line. */
  private async variables({ io, cwd }: Session, file: string) {
    if (this.frames === undefined) {
      const { frame, warnings } = readFrame(cwd, this.frame, this.frameSet);
      return { given: { frame }, names: Object.keys(frame), warnings };
    }
    if (this.frame !== undefined || this.frameSet !== undefined)
      throw usageFault("--in and --frame exclude each other: a line is the whole frame of its job");
    if (this.waits) throw usageFault("--wait is for one job; 'wf jobs wait ID' waits for each of many");
    if (this.frames === "-" && file === "-")
      throw usageFault("frames and program cannot both come from standard input");
    const frames = await readFrameList(io, cwd, this.frames);
    return { given: { frames }, names: namesIn(frames), warnings: [] };
  }

  private async wait(id: string, service: JobService, { io, screen, environment }: Session): Promise<number> {
    const { clock } = io;
    const started = clock.now();
    const end = this.timeout === undefined ? Number.POSITIVE_INFINITY : started + seconds(this.timeout) * 1000;
    const drawn = canRedraw(io.stderr, environment) && !screen.quiet;
    const spinner = drawn ? startSpinner(clock, io.stderr, environment.utf8) : null;
    let told = "";
    try {
      for (;;) {
        const left = Math.max(0, Math.min(drawn ? LOOK_S : WAIT_S, (end - clock.now()) / 1000));
        const job = await service.get(id, Math.floor(left * 1000) / 1000);
        if (!UNFINISHED.includes(job.status)) {
          spinner?.end();
          return ended(job, screen);
        }
        if (clock.now() >= end) {
          spinner?.end();
          if (screen.json) screen.document(job);
          screen.warning(`the job is still ${job.status}`);
          return EXIT.failed;
        }
        spinner?.show(stateText(job, clock.now() - started));
        if (spinner === null && job.status !== told) screen.note(`the job is ${job.status}`);
        told = job.status;
      }
    } finally {
      spinner?.end();
    }
  }
}

/** `running  attempt 1  12.3 s` */
function stateText({ status, attempt, position }: RemoteJob, waitedMs: number): string {
  const place = position === undefined ? `attempt ${attempt}` : `${counted(position, "job")} ahead`;
  return `${visible(status)}  ${place}  ${duration(waitedMs)}`;
}

/** What `wf run` would have printed of the same result. */
function ended(job: RemoteJob, screen: Screen): number {
  const { result, status } = job;
  if (screen.json) screen.document(job);
  else if (result?.ok === true) screen.text(resultText(result["out"], false));
  else
    screen.err(`${screen.errorPaint.error("error")} ${visible(status)}: ${visible(result?.message ?? "no result")}\n`);
  return result?.ok === true ? EXIT.success : EXIT.failed;
}

function seconds(given: string): number {
  if (!/^[0-9]{1,6}(\.[0-9]{1,3})?$/.test(given)) throw usageFault(`option --timeout needs seconds, found '${given}'`);
  return Number(given);
}
