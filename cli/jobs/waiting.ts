/** Waiting for a job of a service, with its state on a terminal, until it has ended or waits itself. */

import { keepMemberText, memberTexts } from "../../vm/inputs/exact-text.ts";
import type { FailedProgram } from "../output/failure/run-failure.ts";
import { resultText } from "../output/run.ts";
import { visible } from "../output/terminal/columns.ts";
import { canRedraw } from "../output/terminal/redrawn-line.ts";
import { startSpinner } from "../output/terminal/spinner.ts";
import { counted, duration } from "../output/terminal/table.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import type { Screen } from "../session/screen.ts";
import type { Session } from "../session/session.ts";
import type { JobService, RemoteJob } from "./client.ts";
import { jobFailureText } from "./failure.ts";

const PARKED: readonly string[] = ["waiting", "sleeping"];
const UNFINISHED: readonly string[] = ["queued", "running", "cancelling", ...PARKED];
/** Longest wait that a service takes on at once. */
const WAIT_S = 60;
/** Somebody looks on: the state is asked for more often. */
const LOOK_S = 1;

export type JobToWaitFor = {
  readonly id: string;
  readonly until: "over" | "parked";
  /** Seconds; undefined: as long as it takes. */
  readonly timeout: string | undefined;
  /** The source of the job, where it is known. */
  readonly program: FailedProgram | null;
};

export async function waitForJob(
  service: JobService,
  { io, screen, environment }: Session,
  { id, until, timeout, program }: JobToWaitFor,
): Promise<number> {
  const { clock } = io;
  const started = clock.now();
  const end = timeout === undefined ? Number.POSITIVE_INFINITY : started + seconds(timeout) * 1000;
  const drawn = canRedraw(io.stderr, environment) && !screen.quiet;
  const spinner = drawn ? startSpinner(clock, io.stderr, environment.utf8) : null;
  let told = "";
  try {
    for (;;) {
      const left = Math.max(0, Math.min(drawn ? LOOK_S : WAIT_S, (end - clock.now()) / 1000));
      const job = await service.get(id, Math.floor(left * 1000) / 1000, until);
      if (!UNFINISHED.includes(job.status)) {
        spinner?.end();
        return ended(job, program, screen);
      }
      if (until === "parked" && PARKED.includes(job.status)) {
        spinner?.end();
        if (screen.json) screen.document(job);
        else screen.out(`${visible(job.status)}\n`);
        return EXIT.success;
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

/** `running  attempt 1  12.3 s` */
function stateText({ status, attempt, position }: RemoteJob, waitedMs: number): string {
  const place = position === undefined ? `attempt ${attempt}` : `${counted(position, "job")} ahead`;
  return `${visible(status)}  ${place}  ${duration(waitedMs)}`;
}

/** What `wf run` would have printed of the same result. */
function ended(job: RemoteJob, program: FailedProgram | null, screen: Screen): number {
  const { result } = job;
  if (screen.json) screen.document(job);
  else if (result?.ok === true) {
    keepMemberText(job, "result", result);
    screen.text(resultText(result["out"], false, memberTexts(result).get("out")));
  } else screen.err(jobFailureText(job, program, screen));
  return result?.ok === true ? EXIT.success : EXIT.failed;
}

function seconds(given: string): number {
  if (!/^[0-9]{1,6}(\.[0-9]{1,3})?$/.test(given)) throw usageFault(`option --timeout needs seconds, found '${given}'`);
  return Number(given);
}
