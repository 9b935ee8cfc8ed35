/** `wf programs ACTION`: the deployments of a running service. */
import { Command, Option } from "../../argv/clipanion.ts";
import { DEFAULT_SERVER } from "../../jobs/client.ts";
import { visible } from "../../output/terminal/columns.ts";
import { jsonIndented } from "../../output/terminal/json.ts";
import { table } from "../../output/terminal/table.ts";
import { type ProgramService, programService } from "../../programs/client.ts";
import { EXIT, usageFault } from "../../session/faults.ts";
import { exitOf, interruptible } from "../../session/interrupt.ts";
import type { Screen } from "../../session/screen.ts";
import { actionOf, WeftCommand } from "../base.ts";

const ACTIONS = ["list", "show", "versions", "rollback", "enable", "disable", "remove"] as const;
type Action = (typeof ACTIONS)[number];

export class ProgramsCommand extends WeftCommand {
  static override paths = [["programs"]];
  static override readonly actions = {
    list: { operands: "", summary: "List deployments." },
    show: { operands: "NAME", summary: "Print a deployment as JSON." },
    versions: { operands: "NAME", summary: "List the versions of a deployment, newest first." },
    rollback: { operands: "NAME VERSION", summary: "Make an older version current." },
    enable: { operands: "NAME", summary: "Answer its endpoints and fire its schedules again." },
    disable: { operands: "NAME", summary: "Answer no endpoint and fire no schedule." },
    remove: { operands: "NAME", summary: "Remove a deployment; its jobs continue." },
  };
  static override usage = Command.Usage({
    description: "List, show, roll back, enable, disable and remove the deployments of a service.",
    details: `${ACTIONS.join("|")} [NAME] [VERSION]`,
    examples: [
      ["the deployments", "wf programs list"],
      ["one with its endpoints and schedules", "wf programs show digest"],
      ["back to an older version", "wf programs rollback digest 3"],
      ["stop it for a while", "wf programs disable digest"],
    ],
  });
  protected override readonly usesAdapters = false;
  protected override readonly usesHost = false;

  action = Option.String({ required: false });
  name = Option.String({ required: false });
  version = Option.String({ required: false });
  server = Option.String("--server", {
    description: "<URL> address of the service (WF_SERVER; default: http://127.0.0.1:8770)",
  });

  async execute(): Promise<number> {
    const session = this.session();
    const action = actionOf(this.action ?? "list", ACTIONS);
    if (action === "list" ? this.name !== undefined : this.name === undefined)
      throw usageFault(action === "list" ? "too many operands" : "missing NAME of a deployment");
    const { version = "" } = this;
    if ((action === "rollback") !== (version !== ""))
      throw usageFault(version === "" ? "missing VERSION" : "too many operands");
    if (version !== "" && !/^[1-9][0-9]{0,8}$/.test(version)) throw usageFault("VERSION must be a whole number from 1");
    const server = this.server ?? session.environment.server ?? DEFAULT_SERVER;
    const { result, by } = await interruptible(session.io, async (signal) => {
      await perform(action, this.name ?? "", Number(version), programService(server, signal), session.screen);
      return EXIT.success;
    });
    return by === null ? (result ?? EXIT.failed) : exitOf(by);
  }
}

async function perform(
  action: Action,
  name: string,
  version: number,
  service: ProgramService,
  screen: Screen,
): Promise<void> {
  switch (action) {
    case "list": {
      const programs = await service.list();
      if (screen.json) return screen.document({ programs });
      const rows = programs.map(({ name: one, version: current, enabled, source, deployed_at, description }) => [
        visible(one),
        String(current),
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
