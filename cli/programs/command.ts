/** `wf programs ACTION`: the deployments of a running service. */
import { Command, Option } from "../argv/clipanion.ts";
import { actionOf, WeftCommand } from "../commands/base.ts";
import { serverFlag } from "../commands/flags/server-flag.ts";
import { visible } from "../output/terminal/columns.ts";
import { jsonIndented } from "../output/terminal/json.ts";
import { table } from "../output/terminal/table.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Screen } from "../session/screen.ts";
import { nextBody } from "./channel-flags.ts";
import { type ProgramService, programService } from "./client.ts";

const ACTIONS = [
  "list",
  "show",
  "versions",
  "rollback",
  "next",
  "promote",
  "abort",
  "enable",
  "disable",
  "remove",
] as const;
type Action = (typeof ACTIONS)[number];

export class ProgramsCommand extends WeftCommand {
  static override paths = [["programs"]];
  static override readonly actions = {
    list: { operands: "", summary: "List deployments." },
    show: { operands: "NAME", summary: "Print a deployment as JSON." },
    versions: { operands: "NAME", summary: "List the versions of a deployment, newest first." },
    rollback: { operands: "NAME VERSION", summary: "Make an older version current." },
    next: { operands: "NAME VERSION", summary: "Give a version next to the current one a share of the calls." },
    promote: { operands: "NAME", summary: "Make the version next to the current one current." },
    abort: { operands: "NAME", summary: "End that version: all calls reach the current one." },
    enable: { operands: "NAME", summary: "Answer its endpoints and fire its schedules again." },
    disable: { operands: "NAME", summary: "Answer no endpoint and fire no schedule." },
    remove: { operands: "NAME", summary: "Remove a deployment; its jobs continue." },
  };
  static override usage = Command.Usage({
    description: "List, show, roll back, try out, enable, disable and remove the deployments of a service.",
    details: `${ACTIONS.join("|")} [NAME] [VERSION]`,
    examples: [
      ["the deployments", "wf programs list"],
      ["one with its endpoints and schedules", "wf programs show digest"],
      ["back to an older version", "wf programs rollback digest 3"],
      ["a tenth of the calls for version 8", "wf programs next digest 8 --weight 10 --abort-percent 5 --abort-of 50"],
      ["make version 8 current", "wf programs promote digest"],
      ["stop it for a while", "wf programs disable digest"],
    ],
  });
  static override readonly notes = ["`wf run --program NAME[@VERSION]` runs a deployment there."];
  static override readonly pages = ["programs.md#deployments", "channels.md", "how-to/roll-out-and-go-back.md"];
  protected override readonly usesAdapters = false;
  protected override readonly usesHost = false;

  action = Option.String({ required: false });
  name = Option.String({ required: false });
  version = Option.String({ required: false });
  server = serverFlag();

  weight = Option.String("--weight", { description: "<PERCENT> next: share of calls and fires" });
  key = Option.String("--key", {
    description: "<KEY> next: what makes calls alike, header:NAME or query:NAME (default: the Idempotency-Key)",
  });
  abortPercent = Option.String("--abort-percent", {
    description: "<PERCENT> next: end it when more of its last runs failed",
  });
  abortOf = Option.String("--abort-of", { description: "<N> next: how many of its last runs are looked at" });

  async execute(): Promise<number> {
    const session = this.session();
    const action = actionOf(this.action ?? "list", ACTIONS);
    if (action === "list" ? this.name !== undefined : this.name === undefined)
      throw usageFault(action === "list" ? "too many operands" : "missing NAME of a deployment");
    const { version = "" } = this;
    if ((action === "rollback" || action === "next") !== (version !== ""))
      throw usageFault(version === "" ? "missing VERSION" : "too many operands");
    if (version !== "" && !/^[1-9][0-9]{0,8}$/.test(version)) throw usageFault("VERSION must be a whole number from 1");
    const next = action === "next" ? nextBody(Number(version), this) : null;
    if (next === null && [this.weight, this.key, this.abortPercent, this.abortOf].some((flag) => flag !== undefined))
      throw usageFault("--weight, --key, --abort-percent and --abort-of go with next");
    const server = this.server ?? session.environment.server;
    const { result, by } = await interruptible(session.io, async (signal) => {
      const service = programService(server, signal);
      if (action === "next" || action === "promote" || action === "abort")
        await changeNext(action, this.name ?? "", next ?? {}, service, session.screen);
      else await perform(action, this.name ?? "", Number(version), service, session.screen);
      return EXIT.success;
    });
    return by === null ? (result ?? EXIT.failed) : exitOf(by);
  }
}

async function changeNext(
  action: "next" | "promote" | "abort",
  name: string,
  body: object,
  service: ProgramService,
  screen: Screen,
): Promise<void> {
  if (action === "next") {
    const shown = await service.setNext(name, body);
    const share = `version ${shown.next?.version} has ${shown.next?.weight} % of the calls`;
    return changed(screen, shown, `${visible(name)}  ${share}, version ${shown.version} the others\n`);
  }
  if (action === "abort") {
    const shown = await service.abortNext(name);
    return changed(screen, shown, `${visible(name)}  version ${shown.version} has all calls\n`);
  }
  // What becomes current is what was next when it was looked at.
  const { next } = await service.show(name);
  if (next == null)
    throw new CliFault(`${visible(name)} has no version next to the current one`, {
      error: "next_invalid",
      exitCode: EXIT.usage,
    });
  const shown = await service.promoteNext(name, next.version);
  changed(screen, shown, `${visible(name)}  version ${shown.version} is current\n`);
}

async function perform(
  action: Exclude<Action, "next" | "promote" | "abort">,
  name: string,
  version: number,
  service: ProgramService,
  screen: Screen,
): Promise<void> {
  switch (action) {
    case "list": {
      const programs = await service.list();
      if (screen.json) return screen.document({ programs });
      if (programs.length === 0) return screen.note("no programs");
      const rows = programs.map(({ name: one, version: current, enabled, source, deployed_at, description, next }) => [
        visible(one),
        next == null ? String(current) : `${current}, ${next.version} (${next.weight} %)`,
        enabled ? "enabled" : "disabled",
        source,
        deployed_at,
        visible(description ?? ""),
      ]);
      return printTable(screen, ["program", "version", "state", "source", "deployed", ""], rows);
    }
    case "show":
      return printJson(screen, await service.show(name));
    case "versions": {
      const versions = await service.versions(name);
      if (screen.json) return screen.document({ versions });
      const rows = versions.map((one) => [
        String(one.version),
        one.current ? "current" : "",
        one.created_at,
        one.checksum,
      ]);
      return printTable(screen, ["version", "", "deployed", "checksum"], rows);
    }
    case "remove":
      await service.remove(name);
      return changed(screen, { name, removed: true }, `removed  ${visible(name)}\n`);
    default: {
      const shown =
        action === "rollback"
          ? await service.rollback(name, version)
          : await service.change(name, { enabled: action === "enable" });
      const state = action === "rollback" ? `version ${shown.version} is current` : `${action}d`;
      return changed(screen, shown, `${visible(name)}  ${state}\n`);
    }
  }
}

function changed(screen: Screen, document: object, text: string): void {
  if (screen.json) screen.document(document);
  else screen.out(text);
}

function printJson(screen: Screen, document: object): void {
  if (screen.json) screen.document(document);
  else screen.text(`${jsonIndented(document)}\n`);
}

function printTable(screen: Screen, head: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const line of table([head, ...rows], screen.tableWidth)) screen.out(`${line}\n`);
}
