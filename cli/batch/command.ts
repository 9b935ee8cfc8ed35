/** `wf batch FILE`: one program, many frames, one result line for each. */

import { Command, Option } from "../argv/clipanion.ts";
import { oneOf } from "../commands/base.ts";
import { isStrict } from "../commands/flags/compile-mode.ts";
import { givenLimitFlags, wholeNumber } from "../grant/limit-flags.ts";
import { SETTING_FLAGS } from "../grant/setting-flags.ts";
import { ProgramFlags } from "../run/program-flags.ts";
import { usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import type { BatchPlan } from "./plan.ts";
import { runBatchFile } from "./run.ts";

export class BatchCommand extends ProgramFlags {
  static override paths = [["batch"]];
  static override usage = Command.Usage({
    description: "Run a program once per frame: one line of input and one line of output for each.",
    details: "FILE",
    examples: [
      ["frames from a file", "wf batch order.wf --in orders.ndjson --out results.ndjson"],
      ["rows of a table, in their order", "wf batch order.wf --frames-csv orders.csv --ordered"],
      [
        "columns that keep their types, in and out",
        "wf batch order.wf --frames-arrow orders.arrow --out-arrow results.arrows",
      ],
      ["a table in and a table out", "wf batch order.wf --frames-csv orders.csv --out-csv results.csv"],
      [
        "on a service, whose replicas share the rows",
        "wf batch order.wf --in orders.ndjson --out results.ndjson --via http://weft:8770",
      ],
      ["continue after an interrupt", "wf batch order.wf --in orders.ndjson --out results.ndjson --resume"],
    ],
  });
  static override readonly notes = [
    '`--rows lean` prints `{"ok":true,"out":…}` for each frame, `out` the result alone, `full` also index, usage and duration. A frame that failed has all of that in each of them, and the exit code is then 1.',
    "Limits apply to each frame separately, and memory use does not grow with the number of frames. A line that is not a frame fails alone, with its line number.",
    "`--resume` needs the same program, label, rows and settings as the batch that it continues (`FILE.resume`); limits may differ, and frames may have been added.",
    "`--via` queues the rows as jobs of a service and gathers their results in order; flags that grant, restrict or set up adapters are refused with it. Rows that are queued run on after Ctrl-C, and `--resume` gathers them.",
    "Ctrl-C cancels the frames under way and ends with 130; FILE of `--out` then holds whole lines only.",
  ];
  static override readonly pages = ["running.md#many-frames", "running.md#a-batch-on-a-service"];

  file = Option.String({ required: false });
  frames = Option.String("--in,--frames", { description: "<FILE|-> frames, one JSON object per line" });
  framesCsv = Option.String("--frames-csv", {
    description: "<FILE|-> frames as CSV; the first row names the variables",
  });
  framesArrow = Option.String("--frames-arrow", {
    description: "<FILE|-> frames as an Arrow IPC file or stream; each column is a variable",
  });
  out = Option.String("--out", { description: "<FILE> write the results to a file instead of stdout" });
  outArrow = Option.String("--out-arrow", {
    description: "<FILE> write the results as columns of an Arrow IPC stream",
  });
  outCsv = Option.String("--out-csv", { description: "<FILE> write the results as columns of a CSV file" });
  jobs = Option.String("--jobs,--concurrency", {
    description: "<N> number of frames in parallel; pure programs use threads",
  });
  ordered = Option.Boolean("--ordered", false, { description: "write full rows in the order of the frames" });
  rows = Option.String("--rows", { description: "<lean|out|full> what a row of the results says; lean by default" });
  resume = Option.Boolean("--resume", false, { description: "continue after the results that --out already contains" });
  onError = Option.String("--on-error", { description: "<continue|stop> what to do after a failed frame" });
  maxFrames = Option.String("--max-frames", { description: "<N> run only the first N frames" });
  via = Option.String("--via", {
    description: "<URL> queue the rows as jobs of this service, and gather their results",
  });
  block = Option.String("--block", { description: "<N> --via: rows of one request, up to 10,000 (default: 500)" });
  ahead = Option.String("--ahead", {
    description: "<N> --via: rows that may be queued and not yet written, up to 100,000 (default: 8,000)",
  });
  keepS = Option.String("--keep-s", { description: "<N> --via: how long the service keeps results, in seconds" });
  restart = Option.Boolean("--restart", false, {
    description: "--via: restart a row whose process dies during the run",
  });

  async execute(): Promise<number> {
    const session = this.session();
    const source = this.source();
    if (source.file === "-" && (this.file === undefined || this.file === "-"))
      throw usageFault("frames and program cannot both come from standard input");
    const plan = {
      source,
      ...this.results(),
      resume: this.resume,
      jobs: this.jobs === undefined ? undefined : atLeastOne("--jobs", this.jobs),
      rows: oneOf("--rows", this.rows ?? "lean", ["lean", "out", "full"]),
      ordered: this.ordered,
      onError: oneOf("--on-error", this.onError ?? "continue", ["continue", "stop"]),
      mostFrames: this.maxFrames === undefined ? Number.POSITIVE_INFINITY : atLeastOne("--max-frames", this.maxFrames),
    };
    if (this.via !== undefined) return this.viaService(session, plan, this.via);
    const alone = {
      "--block": this.block,
      "--ahead": this.ahead,
      "--keep-s": this.keepS,
      "--restart": this.restart || undefined,
    };
    for (const [flag, value] of Object.entries(alone))
      if (value !== undefined) throw usageFault(`option ${flag} needs --via URL`);
    return runBatchFile(session, { ...this.programPlan(session, this.file), ...plan });
  }

  /** The service decides what a row may do: flags that grant or restrict it here would be believed to hold there. */
  private async viaService(
    session: Session,
    plan: Pick<BatchPlan, "source" | "out" | "resume" | "rows" | "mostFrames">,
    server: string,
  ): Promise<number> {
    for (const flag of this.flagsOfThisMachine(session))
      throw usageFault(`${flag} is of runs on this machine; with --via the service decides`);
    const project = this.project(session, this.file);
    const { limits, warnings } = givenLimitFlags(this.limitFlags());
    for (const warning of warnings) session.screen.warning(warning);
    const { runBatchVia } = await import("./via/run.ts");
    return runBatchVia(session, {
      ...plan,
      server,
      file: this.file,
      strict: isStrict(this, project?.strict === true ? "strict" : "loose"),
      includeRoots: [...(this.includeRoot ?? []), ...(project?.includeRoots ?? [])],
      label: this.label,
      inputs: isStrict(this, project?.strict === false ? "loose" : "strict") ? "strict" : "loose",
      loose: this.loose,
      limits,
      blockRows: upTo(10_000, "--block", this.block ?? "500"),
      ahead: upTo(100_000, "--ahead", this.ahead ?? "8000"),
      keepS: this.keepS === undefined ? undefined : wholeNumber("--keep-s", this.keepS),
      restart: this.restart,
    });
  }

  /** Those that were given. */
  private flagsOfThisMachine(session: Session): readonly string[] {
    const { jobs, onError, enableAdapter, set } = this;
    const settings = this.adapterFlags().settings ?? {};
    const ofAdapters = Object.entries(SETTING_FLAGS).map(([name, { flag }]) => [
      flag,
      settings[name as keyof typeof settings],
    ]);
    const ofGrants = Object.entries({ ...this.grantFlags(), enableAdapter, set, jobs }).map(([name, value]) => [
      flagNamed(name),
      value,
    ]);
    const others = [
      ["--on-error stop", onError === "stop"],
      ["--dry-run", this.dryRun],
      ["WF_DRY_RUN", session.environment.host.dryRun],
    ];
    const given = [...ofAdapters, ...ofGrants, ...others].filter(([, value]) => value !== undefined && value !== false);
    return given.map(([flag]) => String(flag));
  }

  /** Where the results go. What columns cannot be together with is refused. */
  private results(): Pick<BatchPlan, "out" | "outForm"> {
    const { out, outArrow, outCsv, rows, resume, via } = this;
    const form = outArrow !== undefined ? "arrow" : "csv";
    const columns = outArrow ?? outCsv;
    if (columns === undefined) return { out, outForm: "lines" };
    const csv = form === "arrow" ? outCsv : undefined;
    const others = { "--out": out, "--out-csv": csv, "--rows": rows, "--resume": resume || undefined, "--via": via };
    for (const [flag, value] of Object.entries(others))
      if (value !== undefined)
        throw usageFault(`${flag} and --out-${form} exclude each other; use --out FILE for lines`);
    return { out: columns, outForm: form };
  }

  private source(): BatchPlan["source"] {
    const { frames, framesCsv, framesArrow } = this;
    const given = [
      { flag: "--in", file: frames, format: "ndjson" as const },
      { flag: "--frames-csv", file: framesCsv, format: "csv" as const },
      { flag: "--frames-arrow", file: framesArrow, format: "arrow" as const },
    ].filter(({ file }) => file !== undefined);
    const [first, second] = given;
    if (first !== undefined && second !== undefined)
      throw usageFault(`${first.flag} and ${second.flag} exclude each other`);
    if (first?.file !== undefined) return { file: first.file, format: first.format };
    throw usageFault(
      "missing frames; give --in FILE (or --frames FILE), --frames-csv FILE or --frames-arrow FILE; - is standard input",
    );
  }
}

/** `grantFile`: `--grant`. */
function flagNamed(field: string): string {
  return `--${field.replace(/File$/, "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function upTo(most: number, flag: string, text: string): number {
  const value = atLeastOne(flag, text);
  if (value > most) throw usageFault(`option ${flag} needs a number up to ${most}, found '${text}'`);
  return value;
}

function atLeastOne(flag: string, text: string): number {
  const value = wholeNumber(flag, text);
  if (value < 1) throw usageFault(`option ${flag} needs a number from 1, found '${text}'`);
  return value;
}
