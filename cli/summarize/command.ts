/** `wf summarize FILE`: the answer of a run, or a job with it, as one small object of fixed shape. */
import { isAnswer } from "../../vm/summary/result-facts.ts";
import { summarize } from "../../vm/summary/summary.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { readText } from "../input/input.ts";
import { jsonIndented } from "../output/terminal/json.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";

const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

export class SummarizeCommand extends WeftCommand {
  static override paths = [["summarize"]];
  static override readonly idleFlags = ["--quiet", "--verbose", "--color", "--no-color"];
  static override usage = Command.Usage({
    description: "Turn the JSON answer of a run into a short summary of fixed form.",
    details: "FILE",
    examples: [
      ["a saved answer", "wf summarize answer.json"],
      ["straight from a run", "wf run hello.wf --json | wf summarize -"],
      ["for a task of an agent", "wf summarize answer.json --task-id t-7"],
    ],
  });
  static override readonly notes = [
    "FILE is the JSON answer of a run or a job, or `-`. The object has `task_id`, `status` (ok, policy_violation, validation_error, runtime_error), `summary`, `result`, `trace_id`, `policy_errors`, `artifacts` and `review_hint`. The exit code is 0 whatever the status.",
    "JSON that is not an answer (a number, a list, an object without `ok`) gets the status `runtime_error` and a warning on stderr. A file that is empty, not JSON, or several documents, such as the lines of `wf batch`, ends with 2 and `invalid_json`.",
  ];
  static override readonly pages = ["embedding.md"];
  protected override readonly usesAdapters = false;

  file = Option.String({ required: false });
  taskId = Option.String("--task-id", { description: "<ID> id of the task that the run belongs to" });
  reviewHint = Option.String("--review-hint", { description: "<TEXT> what to review, instead of the derived hint" });

  async execute(): Promise<number> {
    const { screen, cwd, io } = this.session();
    const { file = "-", taskId, reviewHint } = this;
    if (this.file === undefined && io.stdin.terminal) throw usageFault("missing FILE; use - for standard input");
    const name = file === "-" ? "<stdin>" : file;
    const answer = parsed(name, await readText(io, cwd, file, MAX_ANSWER_BYTES));
    // The summary says so too, in a word; a person who piped the wrong file wants to know why.
    if (!isAnswer(answer))
      screen.warning(
        `${name} is not the answer of a run: it has neither ok nor a job_id with its status; wf run FILE --json prints one`,
      );
    const summary = summarize(answer, {
      ...(taskId === undefined ? {} : { task_id: taskId }),
      ...(reviewHint === undefined ? {} : { review_hint: reviewHint }),
    });
    if (screen.json) screen.document(summary);
    else screen.out(`${jsonIndented(summary)}\n`);
    return EXIT.success;
  }
}

function parsed(name: string, text: string): unknown {
  const json = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(json);
  } catch {
    const [message, ...notes] = unreadable(json);
    throw new CliFault(`${name} ${message}`, { error: "invalid_json", exitCode: EXIT.usage, notes });
  }
}

function unreadable(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return ["is empty", "wf run FILE --json prints an answer, also of a run that failed"];
  const isLines = lines.length > 1 && lines.slice(0, 2).every(isJson);
  return isLines
    ? [
        "holds several documents, one a line; a summary is of one",
        "give it one line, such as head -n 1 FILE | wf summarize -",
      ]
    : ["is not JSON"];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
