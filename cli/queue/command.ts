/** `wf queue ACTION`: the queues of this host for their operator: which there are, what waits in them, out of them, and once more. */
import { deadLettersOf } from "../../adapters/store/queue.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { actionOf } from "../commands/base.ts";
import { AdapterFlags, flagsOfOtherAdapters } from "../commands/flags/adapter-flags.ts";
import { listOf, wholeNumber } from "../grant/limit-flags.ts";
import { counted, grouped, table } from "../output/terminal/table.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";
import type { Queues } from "./store.ts";

const ACTIONS = ["ls", "peek", "drain", "requeue"] as const;
const PEEK_DEFAULT = 20;
const MAX_PEEK = 1_000;
const REQUEUED_AT_ONCE = 500;

export class QueueCommand extends AdapterFlags {
  static override paths = [["queue"]];
  static override readonly actions = {
    ls: { operands: "", summary: "List the queues with the number of messages in each state." },
    peek: { operands: "QUEUE", summary: "Show the next messages of a queue without taking them." },
    drain: {
      operands: "QUEUE",
      summary: "Remove the messages of a queue and write them out, one JSON object per line.",
    },
    requeue: { operands: "QUEUE", summary: "Put the dead letters of a queue back into it." },
  };
  static override readonly idleFlags = flagsOfOtherAdapters("queue");
  static override usage = Command.Usage({
    description: "List queues, peek into them, drain them, and requeue dead letters.",
    details: `${ACTIONS.join("|")} [QUEUE]`,
    examples: [
      ["the queues and their lengths", "wf queue ls"],
      ["the next messages, without taking them", "wf queue peek jobs --limit 5"],
      ["the messages that failed ten deliveries", "wf queue peek jobs.dead"],
      ["deliver them again", "wf queue requeue jobs"],
      ["remove all messages and write one per line", "wf queue drain jobs.dead --out dead.ndjson --yes"],
    ],
  });
  static override readonly notes = [
    "It works on the store that programs use (`queue.db` in `WF_STATE_DIR`, setting `path`, the database of `WF_DATABASE_URL`); without any of them it ends with 2 and `queue_error`. A policy that forbids the adapter forbids the command; `allow_queues` and `allow_take` apply to programs, not to the operator. QUEUE is a name, or `<name>.dead` for its dead letters, which are a queue of their own.",
    "`peek` does not count as a delivery, and prints at most 8 MiB of payloads. `drain` leaves delayed and leased messages, and removes a message only after its line was written, with `--out` to the disk: delivery is at least once. Messages written to a closed pipe are lost, so use `--out` for anything that matters. `requeue` moves messages in transactions of 500, as if they had never been delivered; exit 1 when a message you named is not a dead letter or is leased.",
    "With `--json`: `ls` `{ok, queues: [{queue, ready, delayed, leased, dead}]}`; `peek` `{ok, queue, messages: [{message_id, state, priority, attempts, created_at, visible_at, expires_at, payload}], next_cursor}`, where `state` is ready, delayed, leased or dead; `drain` `{ok, queue, drained, left}`, with `--out` also `path`; `requeue` `{ok, queue, requeued, dead}`. Without `--json` and `--out`, `drain` prints `{queue, message_id, attempts, payload}` for each message.",
  ];
  static override readonly pages = ["adapters/queue.md"];

  action = Option.String({ required: false });
  queue = Option.String({ required: false });
  limit = Option.String("--limit", {
    description: `<N> peek, drain, requeue: maximum number of messages (peek shows ${PEEK_DEFAULT} by default and at most ${grouped(MAX_PEEK)})`,
  });
  cursor = Option.String("--cursor", { description: "<TEXT> peek: continue from the cursor of a previous page" });
  id = Option.Array("--id", { description: "<ID> requeue: requeue only this message (repeatable)" });
  out = Option.String("--out", { description: "<FILE> drain: append to FILE (created with mode 0600)" });
  yes = Option.Boolean("--yes", false, { description: "drain: confirm an irreversible operation" });

  async execute(): Promise<number> {
    const session = this.session();
    const action = actionOf(this.action, ACTIONS);
    if (action === "ls" && this.queue !== undefined) throw usageFault("too many operands");
    if (action === "drain" && !this.yes) throw usageFault("draining cannot be undone; add --yes to confirm");
    const { queueNamed, withQueues } = await import("./store.ts");
    const queue = action === "ls" ? "" : queueNamed(this.queue);
    if (action === "requeue" && deadLettersOf(queue) === queue)
      throw usageFault(`${queue} holds dead letters; name the queue to put them back into`);
    const grant = this.grantFor(session, "queue");
    const { result, by } = await interruptible(session.io, (signal) =>
      withQueues(session, grant, (queues) => this[action](session, queues, queue, signal)),
    ).finally(() => grant.close());
    if (by !== null) return exitOf(by);
    return result ?? EXIT.failed;
  }

  private async ls({ screen }: Session, queues: Queues): Promise<number> {
    const { queueRows } = await import("./look.ts");
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
    const { messagePage } = await import("./look.ts");
    const { messages, next_cursor } = await messagePage(queues, queue, this.most(PEEK_DEFAULT, MAX_PEEK), this.cursor);
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
    const { drain, linesInto, linesTo } = await import("./drain.ts");
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
        `${counted(missing, "message")} given by --id ${missing === 1 ? "is not a free dead letter" : "are not free dead letters"}`,
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
