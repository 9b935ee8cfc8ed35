/** `wf events ACTION`: the events of a running service. */
import { Command, Option } from "../argv/clipanion.ts";
import { actionOf, WeftCommand } from "../commands/base.ts";
import { serverFlag } from "../commands/flags/server-flag.ts";
import { wholeNumber } from "../grant/limit-flags.ts";
import { jsonGiven } from "../jobs/durable.ts";
import { visible } from "../output/terminal/columns.ts";
import { table } from "../output/terminal/table.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Screen } from "../session/screen.ts";
import { type EventService, eventService } from "./event-client.ts";

const ACTIONS = ["list", "show", "emit", "subscribers"] as const;
type Action = (typeof ACTIONS)[number];

export class EventsCommand extends WeftCommand {
  static override paths = [["events"]];
  static override readonly actions = {
    list: { operands: "", summary: "List recent events, newest first." },
    show: { operands: "ID", summary: "Show what an event started." },
    emit: { operands: "NAME [DATA]", summary: "Emit an event, with JSON as its data." },
    subscribers: { operands: "", summary: "List the programs that hear of events." },
  };
  static override usage = Command.Usage({
    description: "Emit events, and show what they started.",
    details: `${ACTIONS.join("|")} [ID|NAME] [DATA]`,
    examples: [
      ["the newest of a name", "wf events list --name orders/created"],
      ["what one started", "wf events show 5f0c6a1b2d3e4f5a6b7c8d9e0f1a2b3c"],
      ["emit one", `wf events emit orders/created '{"total": 120}'`],
      ["emit one once", `wf events emit orders/paid '{"order": "o-7"}' --id "o-7 paid"`],
    ],
  });
  static override readonly notes = [
    "DATA is JSON (default: null). `list` shows jobs that were started, runs that were woken and functions that failed; `show` what became of each function.",
  ];
  static override readonly pages = ["events.md"];
  protected override readonly usesAdapters = false;
  protected override readonly usesHost = false;

  operands = Option.Rest();
  server = serverFlag();
  name = Option.String("--name", { description: "<NAME> list: only events of this name" });
  limit = Option.String("--limit", { description: "<N> list: number of events (default: 50, at most 200)" });
  id = Option.String("--id", { description: "<ID> emit: another event with it, within 7 days, is the same one" });
  key = Option.String("--key", { description: "<KEY> emit: by which runs may wait for it" });
  at = Option.String("--at", { description: "<TIME> emit: when it is delivered, ISO 8601" });

  async execute(): Promise<number> {
    const { io, environment, screen } = this.session();
    const [word = "list", first, data, ...others] = this.operands;
    const action = actionOf(word, ACTIONS);
    const isAlone = action === "list" || action === "subscribers";
    if (others.length > 0 || (isAlone && first !== undefined) || (action === "show" && data !== undefined))
      throw usageFault("too many operands");
    if (!isAlone && first === undefined)
      throw usageFault(`missing ${action === "show" ? "ID of an event" : "NAME of an event, such as orders/created"}`);
    const server = this.server ?? environment.server;
    const { result, by } = await interruptible(io, async (signal) => {
      await this.perform(action, first ?? "", data, eventService(server, signal), screen);
      return EXIT.success;
    });
    return by === null ? (result ?? EXIT.failed) : exitOf(by);
  }

  private async perform(
    action: Action,
    first: string,
    data: string | undefined,
    service: EventService,
    screen: Screen,
  ): Promise<void> {
    if (action === "emit") return this.emit(first, data, service, screen);
    if (action === "show") return show(first, service, screen);
    const limit = this.limit === undefined ? 50 : wholeNumber("--limit", this.limit);
    const found = await service.list(this.name === undefined ? { limit } : { limit, name: this.name });
    if (screen.json) return screen.document(found);
    if (action === "subscribers") {
      if (found.subscribers.length === 0) return screen.note("no program hears of events");
      const rows = found.subscribers.map(({ name, program, version }) => [
        visible(name),
        `${visible(program)}@${version}`,
      ]);
      return screen.out(`${table([["event", "program"], ...rows], screen.tableWidth).join("\n")}\n`);
    }
    if (found.events.length === 0) return screen.note("no events");
    const rows = found.events.map((one) => [
      visible(one.id),
      visible(one.name),
      one.state,
      visible(one.at),
      `${one.started}${one.cut ? "+" : ""}`,
      String(one.woken),
      String(one.failed),
    ]);
    const head = ["event", "name", "state", "at", "started", "woken", "failed"];
    screen.out(`${table([head, ...rows], screen.tableWidth).join("\n")}\n`);
  }

  private async emit(name: string, data: string | undefined, service: EventService, screen: Screen): Promise<void> {
    const { id, key, at } = this;
    const more = { ...(id === undefined ? {} : { id }), ...(key === undefined ? {} : { key }) };
    const taken = await service.emit({
      name,
      data: data === undefined ? null : jsonGiven("DATA", data),
      ...more,
      ...(at === undefined ? {} : { at }),
    });
    if (screen.json) return screen.document(taken);
    screen.out(`${visible(taken.id)}\n`);
    if (taken.duplicate) screen.note("there is an event with this id: nothing was started");
  }
}

async function show(id: string, service: EventService, screen: Screen): Promise<void> {
  const event = await service.show(id);
  if (screen.json) return screen.document(event);
  const by = event.emitted_by === null ? "" : `, emitted by ${visible(event.emitted_by)} (hop ${event.hops})`;
  screen.out(`${visible(event.name)}  ${event.state}  ${visible(event.at)}${by}\n`);
  if (event.starts.length === 0) return screen.note("nothing heard of it");
  const rows = event.starts.map(({ program, label, outcome, job_id, error }) => [
    program === null ? "" : visible(`${program}/${label ?? ""}`),
    outcome,
    visible(job_id ?? ""),
    visible(error ?? ""),
  ]);
  screen.out(`${table([["function", "outcome", "job", "error"], ...rows], screen.tableWidth).join("\n")}\n`);
}
