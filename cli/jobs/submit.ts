/** `wf jobs submit`: a job for a program of a file or for one that is deployed, or a job for each line of input. */
import { isPythonIr } from "../../compiler/ir/supplied/python-form.ts";
import { isStrict } from "../commands/flags/compile-mode.ts";
import { includeRootsFor } from "../commands/flags/include-roots.ts";
import { wholeNumber } from "../grant/limit-flags.ts";
import { readAnyFrame } from "../input/frame.ts";
import { namesIn, readFrameList } from "../input/frame-list.ts";
import type { FailedProgram } from "../output/failure/run-failure.ts";
import { loadProgram } from "../run/load-program.ts";
import { usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import type { JobService } from "./client.ts";
import { spanSeconds, unknownWays } from "./durable.ts";

type Text = string | undefined;
/** What the command was given. */
export type Submission = {
  /** Path or `-`; null: `program` names one that is deployed. */
  readonly file: string | null;
  readonly program: Text;
  readonly frame: Text;
  readonly frameSet: readonly string[] | undefined;
  /** Path or `-`: a job for each line. */
  readonly frames: Text;
  readonly strict: boolean;
  readonly loose: boolean;
  readonly includeRoot: readonly string[] | undefined;
  readonly label: Text;
  readonly name: Text;
  readonly tags: readonly string[] | undefined;
  readonly restart: boolean;
  readonly durable: boolean;
  readonly onUnknown: Text;
  readonly lifetime: Text;
  readonly delay: Text;
  readonly priority: Text;
  readonly keepS: Text;
  readonly waits: boolean;
};

type Submitted = {
  readonly answer: Awaited<ReturnType<JobService["submit"]>>["answer"];
  readonly ids: readonly string[];
  /** null: the service has the source. */
  readonly source: FailedProgram | null;
};

/** Queues the job, or a job for each frame. Throws CliFault. */
export async function submit(asked: Submission, service: JobService, session: Session): Promise<Submitted> {
  const { given, names, lossy } = await variables(asked, session);
  const { program, source, isOpcode } = await programFor(asked, names, session);
  const lost = isOpcode ? lossy.warnings : [];
  if (asked.strict && lossy.fault !== null && lost.length > 0) throw lossy.fault;
  const body = { ...program, ...given, ...membersOf(asked) };
  const { ids, answer } = await ("frames" in given ? service.submitMany(body) : service.submit(body));
  for (const warning of [...lost, ...(answer.warnings ?? [])]) session.screen.warning(warning);
  return { ids, answer, source };
}

/** A file is compiled here, so that its includes need not be there. */
async function programFor(asked: Submission, inputs: readonly string[], session: Session) {
  const { file, program } = asked;
  if (file === null) {
    const compiles = ["strict", "loose"].find((flag) => asked[flag as "strict"]) ?? null;
    const surplus = compiles ?? (asked.includeRoot === undefined ? null : "include-root");
    if (surplus !== null) throw usageFault(`--${surplus} is for files: a deployed program is compiled already`);
    return { program: { program }, source: null, isOpcode: false };
  }
  const { ir, input, textOf } = await loadProgram(session, file, {
    strict: isStrict(asked, "strict"),
    inputs,
    includeRoots: includeRootsFor(session, file, asked.includeRoot),
    forRun: true,
  });
  const mode = asked.loose ? { strict: false } : {};
  return { program: { ir, ...mode }, source: { name: input.name, textOf }, isOpcode: !isPythonIr(ir) };
}

/** Variables of one job, or of one for each line. `lossy`: what is said of whole numbers that lose digits in programs of the opcode form. */
async function variables({ file, frame, frameSet, frames, waits }: Submission, { io, cwd }: Session) {
  if (frames === undefined) {
    const read = readAnyFrame(cwd, frame, frameSet);
    return {
      given: { frame: read.frame },
      names: Object.keys(read.frame),
      lossy: { warnings: read.warnings, fault: read.lost },
    };
  }
  if (frame !== undefined || frameSet !== undefined)
    throw usageFault("--in and --frame exclude each other: a line is the whole frame of its job");
  if (waits) throw usageFault("--wait is for one job; 'wf jobs wait ID' waits for each of many");
  if (frames === "-" && file === "-") throw usageFault("frames and program cannot both come from standard input");
  const list = await readFrameList(io, cwd, frames);
  const [first] = list.warnings;
  const fault = first === undefined ? null : usageFault(`${frames}: ${first}`, ["nothing was queued"]);
  return { given: { frames: list.frames }, names: namesIn(list.frames), lossy: { warnings: list.warnings, fault } };
}

/** Of the request: what is said of the job. */
function membersOf(asked: Submission): object {
  const { label, name, tags, onUnknown, lifetime, delay, priority, keepS } = asked;
  return {
    ...(label === undefined ? {} : { label }),
    ...(name === undefined ? {} : { name }),
    ...(tags === undefined ? {} : { tags: tagsOf(tags) }),
    ...(asked.restart ? { retry: true } : {}),
    ...(asked.durable ? { durable: true } : {}),
    ...(onUnknown === undefined ? {} : { on_unknown: unknownWays(onUnknown) }),
    ...(lifetime === undefined ? {} : { lifetime_s: spanSeconds("--lifetime", lifetime) }),
    ...(delay === undefined ? {} : { delay_s: spanSeconds("--delay", delay) }),
    ...(priority === undefined ? {} : { priority: priorityOf(priority) }),
    ...(keepS === undefined ? {} : { keep_s: wholeNumber("--keep-s", keepS) }),
  };
}

/** `team:sales` as a member of the tags. */
function tagsOf(given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((text) => {
      const colon = text.indexOf(":");
      if (colon < 1) throw usageFault(`option --tag needs KEY:VALUE, found '${text}'`);
      return [text.slice(0, colon), text.slice(colon + 1)];
    }),
  );
}

function priorityOf(given: string): number {
  if (/^-?[0-9]{1,3}$/.test(given) && Math.abs(Number(given)) <= 100) return Number(given);
  throw usageFault(`option --priority needs a whole number from -100 to 100, found '${given}'`);
}
