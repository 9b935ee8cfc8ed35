/** `wf summarize FILE`: the answer of a run, or a job with it, as one small object of fixed shape. */
import { isAnswer } from "../../vm/result-facts.ts";
import { summarize } from "../../vm/summary.ts";
import { Command, Option } from "../clipanion.ts";
import { CliFault, EXIT, usageFault } from "../faults.ts";
import { readText } from "../input.ts";
import { jsonIndented } from "../output/json.ts";
import { WeftCommand } from "./base.ts";

const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

export class SummarizeCommand extends WeftCommand {
  static override paths = [["summarize"]];
  static override readonly idleFlags = ["--quiet", "--verbose", "--color", "--no-color"];
  static override usage = Command.Usage({
    description: "Turns the JSON answer of a run into a short summary of fixed shape.",
    details: "FILE",
    examples: [
      ["a saved answer", "wf summarize answer.json"],
      ["straight from a run", "wf run hello.wf --json | wf summarize -"],
      ["for a task of an agent", "wf summarize answer.json --task-id t-7"],
    ],
  });
  protected override readonly usesAdapters = false;

  file = Option.String({ required: false });
  taskId = Option.String("--task-id", { description: "<ID> task that the run belongs to" });
  reviewHint = Option.String("--review-hint", { description: "<TEXT> what to review, in place of the derived hint" });

  async execute(): Promise<number> {
    const { screen, cwd, io } = this.session();
    const { file = "-", taskId, reviewHint } = this;
    if (this.file === undefined && io.stdin.terminal) throw usageFault("a FILE is needed (or - for standard input)");
    const answer = parsed(file, await readText(io, cwd, file, MAX_ANSWER_BYTES));
    if (!isAnswer(answer))
      throw new CliFault(`${file} is no answer of a run: it has neither ok nor a job_id with its status`, {
        error: "invalid_answer",
        exitCode: EXIT.usage,
        notes: ["wf run FILE --json prints one"],
      });
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
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new CliFault(`${name} is not JSON`, { error: "invalid_json", exitCode: EXIT.usage });
  }
}
