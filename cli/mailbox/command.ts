/** `wf mailbox ACTION`: tasks and results of the agent adapter's mailbox, for the people and programs on its other side. */
import { Command, Option } from "../argv/clipanion.ts";
import { actionOf, WeftCommand } from "../commands/base.ts";
import { MAX_IR_BYTES, readText, readTextFile } from "../input/input.ts";
import { visible } from "../output/terminal/columns.ts";
import { counted, table } from "../output/terminal/table.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import type { MailboxIssue, MailboxPlace } from "./mailbox.ts";

type Mailbox = typeof import("./mailbox.ts");

const ACTIONS = ["lint", "tasks", "put-result", "rotate"] as const;
const MAX_TASKS_BYTES = 256 * 1024 * 1024;

export class MailboxCommand extends WeftCommand {
  static override paths = [["mailbox"]];
  static override readonly actions = {
    lint: { operands: "", summary: "Check tasks and results against their schemas." },
    tasks: { operands: "", summary: "List the tasks and whether each has a result." },
    "put-result": { operands: "FILE", summary: "Write a result where workflows look for it." },
    rotate: { operands: "", summary: "Start a new task file; the old one is kept." },
  };
  static override usage = Command.Usage({
    description: "Check and list the tasks of agents, and deliver their results.",
    details: `${ACTIONS.join("|")} [FILE]`,
    examples: [
      ["check a result before it is sent", "wf mailbox lint --result-json result.json"],
      ["the tasks, and which of them have a result", "wf mailbox tasks"],
      ["write a result where workflows find it", "wf mailbox put-result result.json"],
      ["start a new task file", "wf mailbox rotate"],
    ],
  });
  static override readonly notes = [
    "It works on the mailbox of the adapter agent on behalf of the agents: the folder `WF_AGENT_ROOT`, or the database of `WF_DATABASE_URL`, where there is nothing to rotate. `lint` prints lines such as `ERROR tasks.jsonl:3 /task_id missing` and ends with 1 when there are errors. `put-result` checks a result and stores it atomically where `agent.read_result` finds it.",
  ];
  static override readonly pages = ["adapters/agent.md"];
  protected override readonly usesAdapters = false;
  protected override readonly usesHost = false;

  action = Option.String({ required: false });
  file = Option.String({ required: false });
  tasksJsonl = Option.String("--tasks-jsonl", { description: "<FILE> lint: file with one task per line" });
  taskJson = Option.String("--task-json", { description: "<FILE> lint: one task" });
  resultJson = Option.String("--result-json", { description: "<FILE> lint: one result" });

  async execute(): Promise<number> {
    const session = this.session();
    const action = actionOf(this.action, ACTIONS);
    if (action !== "put-result" && this.file !== undefined) throw usageFault("too many operands");
    // Loaded late, because the envelope schemas need a library that slows down start-up.
    const mailbox = await import("./mailbox.ts");
    if (action === "lint") return this.lint(session, mailbox);
    if (action === "tasks") return this.tasks(session, mailbox);
    if (action === "put-result") return this.putResult(session, mailbox);
    return this.rotate(session, mailbox);
  }

  private lint(session: Session, mailbox: Mailbox): number {
    const { cwd } = session;
    const { tasksJsonl, taskJson, resultJson } = this;
    if (tasksJsonl === undefined && taskJson === undefined && resultJson === undefined)
      throw usageFault("nothing to check: give --tasks-jsonl, --task-json or --result-json");
    const issues = [
      ...(tasksJsonl === undefined
        ? []
        : mailbox.lintTasks(tasksJsonl, readTextFile(cwd, tasksJsonl, MAX_TASKS_BYTES))),
      ...(taskJson === undefined
        ? []
        : mailbox.lintEnvelope("task", taskJson, readTextFile(cwd, taskJson, MAX_IR_BYTES))),
      ...(resultJson === undefined
        ? []
        : mailbox.lintEnvelope("result", resultJson, readTextFile(cwd, resultJson, MAX_IR_BYTES))),
    ];
    return report(session, issues);
  }

  private async tasks(session: Session, mailbox: Mailbox): Promise<number> {
    const { screen, environment } = session;
    const tasks = await mailbox.listTasks(placeOf(environment));
    if (screen.json) screen.document({ ok: true, tasks });
    else if (tasks.length === 0) screen.note("no tasks");
    else {
      const rows = tasks.map((task) => [
        String(task.line),
        task.task_id ?? "-",
        task.task_type ?? "-",
        task.target_agent ?? "-",
        task.has_result ? "yes" : "-",
      ]);
      const head = ["line", "task", "type", "agent", "result"];
      screen.out(`${table([head, ...rows], screen.tableWidth).join("\n")}\n`);
    }
    return EXIT.success;
  }

  private async putResult(session: Session, mailbox: Mailbox): Promise<number> {
    const { screen, cwd, environment, io } = session;
    const { file } = this;
    if (file === undefined) throw usageFault("missing FILE; use - for standard input");
    const text = await readText(io, cwd, file, MAX_IR_BYTES);
    const issues = mailbox.lintEnvelope("result", file, text);
    if (issues.some(({ kind }) => kind === "error")) return report(session, issues);
    for (const issue of issues) screen.warning(issueText(issue));
    const task_id = await mailbox.putResult(placeOf(environment), text, io);
    if (screen.json) screen.document({ ok: true, task_id });
    else screen.note(`result of ${task_id} put down`);
    return EXIT.success;
  }

  private async rotate({ screen, environment, io }: Session, mailbox: Mailbox): Promise<number> {
    const name = await mailbox.rotateTasks(placeOf(environment), io);
    if (screen.json) screen.document({ ok: true, rotated: name });
    else screen.note(name === null ? "no tasks to move aside" : `tasks moved to ${name}`);
    return EXIT.success;
  }
}

function placeOf({ host }: Session["environment"]): MailboxPlace {
  return { agentRoot: host.places.agentRoot, databaseUrl: host.databaseUrl };
}

function report({ screen }: Session, issues: readonly MailboxIssue[]): number {
  const errors = issues.filter(({ kind }) => kind === "error").length;
  if (screen.json) screen.document({ ok: errors === 0, issues });
  else {
    for (const issue of issues) screen.out(`${visible(issueText(issue))}\n`);
    screen.note(`${counted(errors, "error")}, ${counted(issues.length - errors, "warning")}`);
  }
  return errors === 0 ? EXIT.success : EXIT.failed;
}

/** `ERROR tasks.jsonl:3 /task_id missing` */
function issueText({ kind, file, line, path, message }: MailboxIssue): string {
  return `${kind.toUpperCase()} ${file}${line === undefined ? "" : `:${line}`} ${path === "" ? "" : `${path} `}${message}`;
}
