/** `wf jobs ACTION`: the jobs of a running service, for people and scripts. */
import { Command, Option } from "../argv/clipanion.ts";
import { actionOf, WeftCommand } from "../commands/base.ts";
import { isStrict, modeFlag } from "../commands/flags/compile-mode.ts";
import { includeRootsFor } from "../commands/flags/include-roots.ts";
import { serverFlag } from "../commands/flags/server-flag.ts";
import { wholeNumber } from "../grant/limit-flags.ts";
import type { FailedProgram } from "../output/failure/run-failure.ts";
import { visible } from "../output/terminal/columns.ts";
import { jsonIndented } from "../output/terminal/json.ts";
import { shellWord } from "../output/terminal/shell-word.ts";
import { table } from "../output/terminal/table.ts";
import { loadProgram } from "../run/load-program.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Screen } from "../session/screen.ts";
import type { Session } from "../session/session.ts";
import { type JobService, jobService } from "./client.ts";
import { jsonGiven, showFrame, showState } from "./durable.ts";
import { programOf } from "./job-program.ts";
import { jobRows } from "./job-rows.ts";
import { showJournal } from "./journal.ts";
import { migrate, retryFrom } from "./migrate.ts";
import { jobIdOf } from "./short-ids.ts";
import { type Submission, submit } from "./submit.ts";
import { showTree } from "./tree.ts";
import { waitForJob } from "./waiting.ts";
import { showWhy } from "./why.ts";

const ACTIONS = [
  "list",
  "submit",
  "get",
  "wait",
  "why",
  "tree",
  "frame",
  "state",
  "journal",
  "signal",
  "outcome",
  "cancel",
  "retry",
  "migrate",
] as const;
const DECISIONS: readonly string[] = ["done", "make", "fail"];
const MISSING = {
  signal: "NAME of a signal",
  migrate: "FILE of the new program",
  outcome: "SEQ and done, make or fail",
};

export class JobsCommand extends WeftCommand {
  static override paths = [["jobs"]];
  static override readonly actions = {
    list: { operands: "", summary: "List jobs, newest first." },
    submit: { operands: "[FILE]", summary: "Queue a program, or one job per input line." },
    get: { operands: "ID", summary: "Print a job as JSON." },
    wait: { operands: "ID", summary: "Wait until a job has ended and print its result." },
    why: { operands: "ID", summary: "Show what a job waits for and what would wake it, or why it failed." },
    tree: { operands: "ID", summary: "Show the jobs that started each other, and how each stands." },
    frame: { operands: "ID", summary: "Show the variables that a job begins with." },
    state: { operands: "ID", summary: "Show the progress of a job, and the values that it shows." },
    journal: { operands: "ID", summary: "Show the journal of a durable job." },
    signal: { operands: "ID NAME", summary: "Send a signal to a job, or with --key to all that wait under the key." },
    outcome: { operands: "ID SEQ done|make|fail", summary: "Say whether a call of unknown outcome happened." },
    cancel: { operands: "ID", summary: "Cancel a job." },
    retry: { operands: "ID", summary: "Run a job again." },
    migrate: { operands: "ID FILE", summary: "Continue a durable job with another program." },
  };
  static override usage = Command.Usage({
    description: "Submit, list, show, await, cancel and retry the jobs of a service.",
    details: `${ACTIONS.join("|")} [ID|FILE]`,
    examples: [
      ["queue a program and wait for its result", "wf jobs submit hello.wf --wait"],
      ["queue a program that is deployed", "wf jobs submit --program invoices --frame '{\"id\": 7}'"],
      ["a job for each line of a file", "wf jobs submit order.wf --in orders.ndjson"],
      ["the newest jobs", "wf jobs list"],
      ["those that failed", "wf jobs list --status failed,timed_out"],
      ["the result of a job, once it has ended", "wf jobs wait 01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d"],
      ["those that wait for a person to say whether a call happened", "wf jobs list --waits-for outcome"],
      ["what a job waits for, or why it failed", "wf jobs why 01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d"],
      [
        "what it waits for comes",
        `wf jobs signal 01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d delivered --data '{"door": true}'`,
      ],
      ["stop one", "wf jobs cancel 01980c1e-7a50-7c3e-9d7e-2f6f0c1b2a3d"],
    ],
  });
  static override readonly notes = [
    "ID is the whole id, or at least 4 characters of its beginning or its end where they fit one job.",
    "`submit FILE` compiles the program here, with its includes, and prints the id of the job: `ID=$(wf jobs submit hello.wf)`. `submit --program NAME` queues the version that is current on the service, and `NAME@N` version N. With `--in` it prints one id for each frame, in their order; a line that is not a frame is reported with its number (exit 2), and nothing is queued.",
    "`wait` prints the result or the failure as `wf run` does. `frame` and `state` show shapes, and values with `--values`. `retry --from failure` needs a recorded or a durable job, and `--from SEQ` continues after a record of a durable one.",
    "Exit 1: the job did not succeed, or `--timeout` has passed. Exit 2: the service cannot be reached (`server_unreachable`) or refuses the request (`job_not_found`, …). Exit 3: the program violates the policy of the service. At most 272 MiB of a result are read, 16 MiB of any other answer, and 1 MiB of an event; more ends with 1 and `answer_too_large`.",
    "With `--json` it prints the service's own answer.",
  ];
  static override readonly pages = ["jobs.md", "durable.md", "adapters/job.md#the-tree", "how-to/flow-control.md"];
  protected override readonly usesAdapters = false;
  protected override readonly usesHost = false;

  operands = Option.Rest();
  server = serverFlag();
  status = Option.String("--status", { description: "<LIST> list: show only jobs in these states (comma-separated)" });
  program = Option.String("--program", {
    description: "<NAME[@N]> list: show only jobs of this deployment; submit: queue this deployment in place of a file",
  });
  name = Option.String("--name", {
    description: "<TEXT> list: show only jobs with this name; submit: name of the job",
  });
  tags = Option.Array("--tag", {
    description: "<KEY:VALUE> list: show only jobs with this tag; submit: a tag of the job (repeatable)",
  });
  schedule = Option.String("--schedule", { description: "<ID> list: show only jobs that this schedule queued" });
  waitsFor = Option.String("--waits-for", {
    description: "<LIST> list: show only jobs that wait for signal, approval, timer or outcome (comma-separated)",
  });
  q = Option.String("--q", {
    description: "<TEXT> list: show only jobs whose id begins or ends with this, or whose name begins with it",
  });
  search = Option.String("--search", {
    description: "<INPUT:VALUE> list: show only jobs with this value of an input that their deployment names in search",
  });
  message = Option.String("--message", {
    description: "<TEXT> list: show only jobs that failed with this in their message",
  });
  queuedAfter = Option.String("--queued-after", {
    description: "<TIME> list: show only jobs that were queued from then on (ISO 8601)",
  });
  queuedBefore = Option.String("--queued-before", {
    description: "<TIME> list: show only jobs that were queued before then",
  });
  limit = Option.String("--limit", { description: "<N> list: maximum number of jobs (default: 50, at most 200)" });
  cursor = Option.String("--cursor", { description: "<TEXT> list: continue from the cursor of a previous page" });
  timeout = Option.String("--timeout", { description: "<S> wait: maximum wait in seconds" });
  until = Option.String("--until", {
    description: "<over|parked> wait: parked also returns when a durable job waits for something (default: over)",
  });
  frame = Option.String("--frame,--frame-json", { description: "<JSON|@FILE> submit: initial variables" });
  frameSet = Option.Array("--frame-set", { description: "<NAME=JSON> submit: one initial variable (repeatable)" });
  frames = Option.String("--in,--frames", {
    description: "<FILE|-> submit: one job per frame, one JSON object per line; all are queued or none",
  });
  label = Option.String("--label", {
    description: "<NAME> submit: function or label that starts (default: main, or else the first)",
  });
  strict = modeFlag("strict", "strict", "submit: ");
  loose = modeFlag("loose", "strict", "submit: ");
  includeRoot = Option.Array("--include-root", {
    description: "<DIR> submit: additional folder for includes (repeatable)",
  });
  restart = Option.Boolean("--restart", false, {
    description: "submit: restart the job when the service dies during the run",
  });
  durable = Option.Boolean("--durable", false, {
    description: "submit: the job survives the process that runs it, and continues where it was",
  });
  onUnknown = Option.String("--on-unknown", {
    description: "<WAY> submit: what becomes of a call of unknown outcome: fail, ask or retry, or http.Post=ask,*=fail",
  });
  lifetime = Option.String("--lifetime", { description: "<SPAN> submit: how long a durable job may take, such as 7d" });
  delay = Option.String("--delay", {
    description: "<SPAN> submit: the job begins no sooner than in so long, such as 10m",
  });
  priority = Option.String("--priority", { description: "<N> submit: -100 to 100; higher begins first" });
  key = Option.String("--key", { description: "<TEXT> signal: to all jobs that wait under this key" });
  data = Option.String("--data", { description: "<JSON> signal: what the wait answers as data" });
  resultJson = Option.String("--result", { description: "<JSON> outcome done: what the call answered" });
  after = Option.String("--after", { description: "<N> journal: records after this number" });
  values = Option.Boolean("--values", false, {
    description: "frame, state, journal: with values, where the service allows it",
  });
  keepS = Option.String("--keep-s", { description: "<N> submit: how long the result is kept, in seconds" });
  waits = Option.Boolean("--wait", false, { description: "submit: wait for the result" });
  from = Option.String("--from", {
    description: "<start|failure|SEQ> retry, migrate: where to resume (default: start; migrate: failure)",
  });
  current = Option.Boolean("--current", false, {
    description: "retry: with the version that is current now, in place of the one that the job ran",
  });
  dryRun = Option.Boolean("--dry-run", false, {
    description: "migrate: show where the job would continue, without queueing it",
  });

  async execute(): Promise<number> {
    const session = this.session();
    const { io, environment } = session;
    const action = actionOf(this.operands[0], ACTIONS);
    const stored = action === "submit" && this.program !== undefined;
    if ((action === "list" || stored) !== this.operands.length < 2) throw usageFault(this.operandFault(action));
    const [, id = "", ...more] = this.operands;
    const hasOne = action === "migrate" || (action === "signal" && this.key === undefined);
    const wanted = action === "outcome" ? 2 : hasOne ? 1 : 0;
    if (more.length > wanted) throw usageFault("too many operands");
    if (more.length < wanted) throw usageFault(`missing ${MISSING[action as keyof typeof MISSING]}`);
    const server = this.server ?? environment.server;
    const { result, by } = await interruptible(io, async (signal) => {
      const service = jobService(server, signal);
      try {
        const isOfJob = action !== "list" && action !== "submit" && this.key === undefined;
        return await this.perform(action, isOfJob ? await jobIdOf(service, id) : id, service, session);
      } catch (thrown) {
        if (signal.aborted) return null;
        throw thrown;
      }
    });
    return by === null ? (result ?? EXIT.failed) : exitOf(by);
  }

  private operandFault(action: (typeof ACTIONS)[number]): string {
    if (action === "list") return "too many operands";
    if (action !== "submit") return "missing ID of a job";
    return this.program === undefined ? "missing FILE, or --program NAME" : "--program and FILE exclude each other";
  }

  private async perform(
    action: (typeof ACTIONS)[number],
    id: string,
    service: JobService,
    session: Session,
  ): Promise<number> {
    const { screen } = session;
    if (action === "list") return this.list(service, screen);
    if (action === "submit") return this.submit(id === "" ? null : id, service, session);
    if (action === "wait") return this.wait(id, service, session, null);
    if (action === "migrate") return this.migrate(id, service, session);
    if (action === "tree") return showTree(await service.family(id), screen);
    if (action !== "get" && action !== "cancel" && action !== "retry")
      return this.ofDurable(action, id, service, session);
    if (action === "get") {
      const job = await service.get(id, 0);
      if (screen.json) screen.document(job);
      else screen.out(`${jsonIndented(job)}\n`);
      return EXIT.success;
    }
    if (this.current && this.from !== undefined) throw usageFault("--current begins at the start: leave --from out");
    const from = this.current ? "current" : retryFrom(this.from ?? "start");
    const changed = await (action === "cancel" ? service.cancel(id) : service.retry(id, from));
    if (screen.json) screen.document(changed);
    else screen.out(`${visible(changed.job_id)}${action === "cancel" ? `  ${visible(changed.status)}` : ""}\n`);
    return EXIT.success;
  }

  private async ofDurable(
    action: "why" | "frame" | "state" | "journal" | "signal" | "outcome",
    id: string,
    service: JobService,
    { screen, io }: Session,
  ): Promise<number> {
    const [, , first = "", decision = ""] = this.operands;
    if (action === "why") {
      await showWhy(service, id, { screen, io });
      return EXIT.success;
    }
    if (action === "frame") {
      const frame = await service.frame(id, this.values);
      if (screen.json) screen.document(frame);
      else showFrame(frame, this.values, screen);
      return EXIT.success;
    }
    if (action === "state") {
      const state = await service.state(id, this.values);
      if (screen.json) screen.document(state);
      else showState(state, screen);
      return EXIT.success;
    }
    if (action === "journal") {
      const page = await service.journal(id, wholeNumber("--after", this.after ?? "0"), this.values);
      if (screen.json) screen.document(page);
      else await showJournal(page, await programOf(service, await service.get(id, 0), page.records[0]?.label), screen);
      return EXIT.success;
    }
    if (action === "signal") {
      const data = this.data === undefined ? null : jsonGiven("--data", this.data);
      const sent = await (this.key === undefined
        ? service.signal({ id }, first, data)
        : service.signal({ key: this.key }, id, data));
      if (screen.json) screen.document(sent);
      else screen.out(`${visible(sent.delivered)}\n`);
      return EXIT.success;
    }
    if (!DECISIONS.includes(decision)) throw usageFault(`a decision is done, make or fail, found '${decision}'`);
    const result = this.resultJson === undefined ? {} : { result: jsonGiven("--result", this.resultJson) };
    const decided = await service.outcome(id, { seq: wholeNumber("SEQ", first), decision, ...result });
    if (screen.json) screen.document(decided);
    else screen.out(`${visible(decided.job_id)}  ${visible(decided.status)}\n`);
    return EXIT.success;
  }

  /** The frame of the job says which variables there are. */
  private async migrate(id: string, service: JobService, plain: Session): Promise<number> {
    const session = await this.withAdapters(plain);
    const [, , file = ""] = this.operands;
    try {
      const { ir } = await loadProgram(session, file, {
        strict: isStrict(this, "strict"),
        includeRoots: includeRootsFor(session, file, this.includeRoot),
        forRun: true,
      });
      const from = retryFrom(this.from ?? "failure");
      return await migrate(service, { id, ir, from, dryRun: this.dryRun }, session.screen);
    } finally {
      await session.adapters?.close();
    }
  }

  private async list(service: JobService, screen: Screen): Promise<number> {
    const { status, limit, cursor, program, name, schedule, waitsFor: waits, q, tags = [] } = this;
    if (tags.length > 1) throw usageFault("list takes one --tag");
    const { search, message, queuedAfter: queued_after, queuedBefore: queued_before } = this;
    const filters = { program, name, schedule, waits, q, tag: tags[0], search, message, queued_after, queued_before };
    const listing = await service.list({ status, limit, cursor, ...filters });
    const { jobs, next_cursor } = listing;
    if (screen.json) screen.document(listing);
    else if (jobs.length === 0) screen.note("no jobs");
    else {
      screen.out(`${table(jobRows(jobs), screen.tableWidth).join("\n")}\n`);
      if (next_cursor !== null) screen.note(`more: --cursor ${shellWord(next_cursor)}`);
    }
    return EXIT.success;
  }

  private async submit(file: string | null, service: JobService, plain: Session): Promise<number> {
    const session = file === null ? plain : await this.withAdapters(plain);
    const { screen } = session;
    try {
      const { ids, answer, source } = await submit(this.submission(file), service, session);
      const [first = ""] = ids;
      if (this.waits) return await this.wait(first, service, session, source);
      if (screen.json) screen.document(answer);
      else screen.out(ids.map((id) => `${visible(id)}\n`).join(""));
      return EXIT.success;
    } finally {
      await session.adapters?.close();
    }
  }

  private submission(file: string | null): Submission {
    const { program, frame, frameSet, frames, strict, loose, includeRoot, label, name, tags } = this;
    const { restart, durable, onUnknown, lifetime, delay, priority, keepS, waits } = this;
    const given = { file, program, frame, frameSet, frames, strict, loose, includeRoot, label, name, tags };
    return { ...given, restart, durable, onUnknown, lifetime, delay, priority, keepS, waits };
  }

  private wait(id: string, service: JobService, session: Session, program: FailedProgram | null): Promise<number> {
    const { until = "over" } = this;
    if (until !== "over" && until !== "parked")
      throw usageFault(`option --until needs over or parked, found '${until}'`);
    return waitForJob(service, session, { id, until, timeout: this.timeout, program });
  }
}
