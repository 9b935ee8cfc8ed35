/** `wf queue ACTION`: the queues of this host for their operator: which there are, what waits in them, out of them, and once more. */
import { deadLettersOf } from "../../adapters/store/queue.ts";
import { Command, Option } from "../clipanion.ts";
import { EXIT, usageFault } from "../faults.ts";
import { listOf, wholeNumber } from "../grant.ts";
import { exitOf, interruptible } from "../interrupt.ts";
import { counted, grouped, table } from "../output/table.ts";
import type { Queues } from "../queue/store.ts";
import { AdapterFlags } from "./adapter-flags.ts";
import { actionOf, type Session } from "./base.ts";

const ACTIONS = ["ls", "peek", "drain", "requeue"] as const;
const PEEK_DEFAULT = 20;
const PEEK_MOST = 1_000;
const REQUEUED_AT_ONCE = 500;

export class QueueCommand extends AdapterFlags {
  static override paths = [["queue"]];
  static override usage = Command.Usage({
    description: "Lists queues, looks into them, drains them, and puts dead letters back.",
    details: `${ACTIONS.join("|")} [QUEUE]`,
    examples: [
      ["the queues and how long they are", "wf queue ls"],
      ["what comes next, without taking it", "wf queue peek jobs --limit 5"],
      ["the messages that ten deliveries did not help", "wf queue peek jobs.dead"],
      ["deliver those again", "wf queue requeue jobs"],
      ["take everything out, one message a line", "wf queue drain jobs.dead --out dead.ndjson --yes"],
    ],
  });

  action = Option.String({ required: false });
  queue = Option.String({ required: false });
  limit = Option.String("--limit", {
    description: `<N> at most so many messages; peek: ${PEEK_DEFAULT}, up to ${grouped(PEEK_MOST)}`,
  });
  cursor = Option.String("--cursor", { description: "<TEXT> peek: go on after an earlier look" });
  id = Option.Array("--id", { description: "<ID> requeue: only this message (repeatable)" });
  out = Option.String("--out", { description: "<FILE> drain: write behind what is there, mode 0600" });
  yes = Option.Boolean("--yes", false, { description: "do what cannot be undone" });

  async execute(): Promise<number> {
    const session = this.session();
    const action = actionOf(this.action, ACTIONS);
    if (action === "ls" && this.queue !== undefined) throw usageFault("too many operands");
    if (action === "drain" && !this.yes) throw usageFault("this cannot be undone; add --yes to drain");
    const { queueNamed, withQueues } = await import("../queue/store.ts");
    const queue = action === "ls" ? "" : queueNamed(this.queue);
    if (action === "requeue" && deadLettersOf(queue) === queue)
      throw usageFault(`${queue} holds dead letters; name the queue that they go back to`);
    const grant = this.grantFor(session, "queue");
    const { result, by } = await interruptible(session.io, (signal) =>
      withQueues(session, grant, (queues) => this[action](session, queues, queue, signal)),
    ).finally(() => grant.close());
    if (by !== null) return exitOf(by);
    return result ?? EXIT.failed;
  }

  private async ls({ screen }: Session, queues: Queues): Promise<number> {
    const { queueRows } = await import("../queue/look.ts");
    const rows = [];
    for await (const row of queueRows(queues)) rows.push(row);
    if (screen.json) screen.document({ ok: true, queues: rows });
    else if (rows.length === 0) screen.note("no messages");
    else {
      const head = ["queue", "ready", "delayed", "leased", "dead"];
      const cells = rows.map(({ queue, ready, delayed, leased, dead }) => [
        queue,
        ...[ready, delayed, leased, dead].map(String),
      ]);
      screen.out(`${table([head, ...cells], screen.tableWidth).join("\n")}\n`);
    }
    return EXIT.success;
  }

  private async peek({ screen }: Session, queues: Queues, queue: string): Promise<number> {
    const { messagePage } = await import("../queue/look.ts");
    const { messages, next_cursor } = await messagePage(queues, queue, this.most(PEEK_DEFAULT, PEEK_MOST), this.cursor);
    if (screen.json) screen.document({ ok: true, queue, messages, next_cursor });
    else if (messages.length === 0) screen.note("no messages");
    else {
      const head = ["message", "state", "priority", "attempts", "created", "payload"];
      const rows = messages.map(({ message_id, state, priority, attempts, created_at, payload }) => [
        message_id,
        state,
        String(priority),
        String(attempts),
        created_at,
        JSON.stringify(payload),
      ]);
      screen.out(`${table([head, ...rows], screen.tableWidth).join("\n")}\n`);
      if (next_cursor !== null) screen.note(`more: --cursor ${next_cursor}`);
    }
    return EXIT.success;
  }

  private async drain(session: Session, queues: Queues, queue: string, signal: AbortSignal): Promise<number> {
    const { screen, io, cwd } = session;
    const { drain, linesInto, linesTo } = await import("../queue/drain.ts");
    const max = this.most(Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER);
    const { out } = this;
    const lines = out === undefined ? linesTo(io.streams().output) : linesInto(cwd, out);
    const drained = await drain(queues, lines, { queue, max, uuid: io.uuid, signal }).finally(() => lines.close());
    const left = await queues.store.length(queue, queues.call());
    if (screen.json) screen.document({ ok: true, queue, ...(out === undefined ? {} : { path: out }), drained, left });
    else {
      const { ready, delayed, leased } = left;
      const counts = `${grouped(ready)} ready, ${grouped(delayed)} delayed, ${grouped(leased)} leased`;
      const rest = ready + delayed + leased === 0 ? "" : `; left: ${counts}`;
      screen.note(`${counted(drained, "message")} drained${rest}`);
    }
    return EXIT.success;
  }

  private async requeue({ screen }: Session, queues: Queues, queue: string, signal: AbortSignal): Promise<number> {
    const ids = this.id === undefined ? null : [...new Set(listOf(this.id))];
    const most = this.most(Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER);
    let requeued = 0;
    while (requeued < most && !signal.aborted) {
      const max = Math.min(REQUEUED_AT_ONCE, most - requeued);
      const moved = await queues.store.requeue({ queue, ids, max }, queues.call());
      if (moved === 0) break;
      requeued += moved;
    }
    const { dead } = await queues.store.length(queue, queues.call());
    const missing = ids === null ? 0 : Math.max(0, Math.min(ids.length, most) - requeued);
    if (missing > 0)
      screen.warning(
        `${counted(missing, "message")} of those named ${missing === 1 ? "is" : "are"} no free dead letter`,
      );
    if (screen.json) screen.document({ ok: missing === 0, queue, requeued, dead });
    else screen.note(`${counted(requeued, "message")} put back into ${queue}; ${counted(dead, "dead letter")} left`);
    return missing === 0 ? EXIT.success : EXIT.failed;
  }

  /** The value of --limit. */
  private most(absent: number, ceiling: number): number {
    if (this.limit === undefined) return absent;
    const given = wholeNumber("--limit", this.limit);
    if (given < 1 || given > ceiling)
      throw usageFault(`option --limit needs a whole number from 1 to ${grouped(ceiling)}`);
    return given;
  }
}
