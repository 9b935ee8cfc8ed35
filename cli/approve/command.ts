/** `wf approve`: the questions that jobs of a running service put before people. */
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { serverFlag } from "../commands/flags/server-flag.ts";
import { type ApprovalService, approvalService, approvalText, showApprovals } from "../jobs/approvals.ts";
import { jobService } from "../jobs/client.ts";
import { jsonGiven, spanSeconds } from "../jobs/durable.ts";
import { approvalIdOf, jobIdOf } from "../jobs/short-ids.ts";
import { visible } from "../output/terminal/columns.ts";
import { askChoice, terminalOf } from "../run/questions/terminal-questions.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";

const ACTIONS: readonly string[] = ["list", "show", "link"];

export class ApproveCommand extends WeftCommand {
  static override paths = [["approve"], ["approvals"]];
  static override readonly actions = {
    list: { operands: "", summary: "List questions, newest first." },
    show: { operands: "ID", summary: "Show a question and who answered it." },
    link: { operands: "ID", summary: "Make an address under which one person decides once." },
  };
  static override usage = Command.Usage({
    description:
      "List, show and decide the questions that jobs of a service put before people. Without CHOICE it asks on the terminal.",
    details: "[list] | show ID | ID [CHOICE] | link ID",
    examples: [
      ["what is open", "wf approve"],
      ["what it is about", "wf approve show 3f0c9a51d2b84e6f9b1c7d8e2a4f6b90"],
      ["decide it", "wf approve 3f0c9a51d2b84e6f9b1c7d8e2a4f6b90 reject --comment 'no receipt'"],
      ["a link for somebody", "wf approve link 3f0c9a51d2b84e6f9b1c7d8e2a4f6b90 --for user:ann --expires 2d"],
    ],
  });
  static override readonly notes = [
    "`ID CHOICE` decides a question. Without CHOICE it asks on the terminal: by number, by first letters or whole, and for each field of the form. Without a terminal that is exit 2, as are questions that are unknown, not open any more, or not yours.",
    "ID is the whole id, or at least 4 characters of its beginning or its end where they fit one question.",
  ];
  static override readonly pages = ["approvals.md", "how-to/ask-a-person.md"];
  protected override readonly usesAdapters = false;
  protected override readonly usesHost = false;

  operands = Option.Rest();
  server = serverFlag();
  state = Option.String("--state", {
    description: "<STATE> list: open (default), decided, expired, cancelled or all",
  });
  to = Option.String("--to", {
    description: "<LIST> list: show only questions for these, such as user:ann,group:leads",
  });
  job = Option.String("--job", { description: "<ID> list: show only questions of this job" });
  limit = Option.String("--limit", { description: "<N> list: maximum number of questions (default: 50, at most 200)" });
  cursor = Option.String("--cursor", { description: "<TEXT> list: continue from the cursor of a previous page" });
  comment = Option.String("--comment", { description: "<TEXT> what is kept with the decision" });
  data = Option.String("--data", { description: "<JSON> fields of the form" });
  person = Option.String("--for", { description: "<user:NAME> link: who decides by it" });
  expires = Option.String("--expires", { description: "<SPAN> link: how long it works, at most 7d (default: 7d)" });

  async execute(): Promise<number> {
    const session = this.session();
    const [first = "list", ...more] = this.operands;
    const isAction = ACTIONS.includes(first);
    const [id, ...rest] = isAction ? more : this.operands;
    if (first === "list" ? id !== undefined : id === undefined)
      throw usageFault(first === "list" ? "too many operands" : "missing ID of a question");
    if (rest.length > (isAction ? 0 : 1)) throw usageFault("too many operands");
    const server = this.server ?? session.environment.server;
    const { result, by } = await interruptible(session.io, async (signal) => {
      const service = approvalService(server, signal);
      const action = isAction ? first : "decide";
      const whole = id === undefined ? "" : await approvalIdOf(service, id, action === "show" ? "all" : "open");
      return this.perform(action, whole, rest[0], { service, session, signal, server });
    });
    return by === null ? (result ?? EXIT.failed) : exitOf(by);
  }

  private async perform(
    action: string,
    id: string,
    choice: string | undefined,
    of: {
      readonly service: ApprovalService;
      readonly session: Session;
      readonly signal: AbortSignal;
      readonly server: string;
    },
  ): Promise<number> {
    const { service, session } = of;
    const { screen } = session;
    if (action === "list") {
      const { state, to, limit, cursor } = this;
      const job = this.job === undefined ? undefined : await jobIdOf(jobService(of.server, of.signal), this.job);
      const page = await service.list({ state, to, job, limit, cursor });
      if (screen.json) screen.document(page);
      else showApprovals(page, screen);
      return EXIT.success;
    }
    if (action === "link") {
      if (this.person === undefined) throw usageFault("link needs --for user:NAME");
      const expires = this.expires === undefined ? {} : { expires_s: spanSeconds("--expires", this.expires) };
      const link = await service.link(id, { for: this.person, ...expires });
      if (screen.json) screen.document(link);
      else screen.out(`${link.url}\n`);
      return EXIT.success;
    }
    const approval = action === "show" ? await service.get(id) : await this.decide(id, choice, of);
    if (screen.json) screen.document(approval);
    else if (action === "show") screen.out(approvalText(approval));
    else screen.out(`${visible(approval.decision ?? `${approval.state}: more people have to agree`)}\n`);
    return EXIT.success;
  }

  private async decide(
    id: string,
    choice: string | undefined,
    { service, session, signal }: { service: ApprovalService; session: Session; signal: AbortSignal },
  ) {
    const data = this.data === undefined ? {} : { data: jsonGiven("--data", this.data) };
    const comment = this.comment === undefined ? {} : { comment: this.comment };
    if (choice !== undefined)
      return service.decide(id, { decision: choice, ...comment, ...data, via: "cli" }).catch((cause: unknown) => {
        throw withFields(cause, `wf approve ${id} ${choice}`);
      });
    const { io } = session;
    if (!io.stdin.terminal || !io.stderr.terminal)
      throw usageFault("without a terminal, give the choice: wf approve ID CHOICE");
    const approval = await service.get(id);
    if (approval.state !== "open")
      throw new CliFault(`the question is not open any more: it is ${approval.state}`, {
        error: "approval_not_open",
        exitCode: EXIT.usage,
      });
    io.stderr.write(approvalText(approval));
    const form = approval.form as Parameters<typeof askChoice>[1]["form"];
    const answer = await askChoice(terminalOf({ io, signal }), { choices: approval.choices, form });
    if (answer === null)
      throw new CliFault("the terminal gave no answer", { error: "cancelled", exitCode: EXIT.failed });
    const fields = answer.data === null ? data : { data: answer.data };
    return service.decide(id, { decision: answer.choice, ...comment, ...fields, via: "cli" });
  }
}

/** A refusal of fields of the form also says with which flag they are given. */
function withFields(cause: unknown, command: string): unknown {
  if (!(cause instanceof CliFault) || !cause.notes.some((note) => note.startsWith("/data/"))) return cause;
  const { message, error, exitCode, members, notes } = cause;
  const flag = `give the fields of the form with --data: ${visible(command)} --data '{"FIELD": VALUE}'`;
  return new CliFault(message, { error, exitCode, members, notes: [...notes, flag] });
}
