/** `wf proposals`: versions that wait for a person, and the person's word on them. */
import type { JsonObject } from "../../compiler/json.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { actionOf, WeftCommand } from "../commands/base.ts";
import { serverFlag } from "../commands/flags/server-flag.ts";
import { attestationFlag, signFlag, whoFlag } from "../commands/flags/signing-flags.ts";
import { proposalIdOf } from "../jobs/short-ids.ts";
import { reachedBy } from "../output/deployment.ts";
import { visible } from "../output/terminal/columns.ts";
import { table } from "../output/terminal/table.ts";
import { confirmed } from "../programs/confirm.ts";
import {
  type ProposalService,
  proposalService,
  proposalText,
  type RemoteProposal,
  type RemoteProposals,
} from "../programs/proposals.ts";
import { attestationOf, checkSigningFlags } from "../programs/signing.ts";
import { reachedNewly } from "../propose/command.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Screen } from "../session/screen.ts";
import type { Session } from "../session/session.ts";

const ACTIONS = ["list", "show", "accept", "decline"] as const;

export class ProposalsCommand extends WeftCommand {
  static override paths = [["proposals"]];
  static override readonly actions = {
    list: { operands: "", summary: "List proposals, newest first." },
    show: { operands: "ID", summary: "Show what a proposed version reaches, changes and how its tests went." },
    accept: { operands: "ID", summary: "Make a proposed version current." },
    decline: { operands: "ID", summary: "Decline a proposed version." },
  };
  static override usage = Command.Usage({
    description: "List, show, accept and decline versions that were proposed to a service.",
    details: `${ACTIONS.join("|")} [ID]`,
    examples: [
      ["what waits", "wf proposals"],
      ["what it would change", "wf proposals show 3f0c9a51"],
      ["make it current", "wf proposals accept 3f0c9a51 --comment 'looks right'"],
      ["make it current with your signature", "wf proposals accept 3f0c9a51 --comment 'looks right' --sign ann.pem"],
      ["decline it", "wf proposals decline 3f0c9a51 --comment 'it reads more than it needs'"],
    ],
  });
  static override readonly notes = [
    "ID is the whole id, or at least 4 characters of its beginning or its end. `accept` shows the proposal and asks. Exit 2: the proposal is unknown, not open any more, made against another version, or not yours to decide.",
  ];
  static override readonly pages = ["proposals.md", "channels.md", "signed-versions.md"];
  protected override readonly usesAdapters = false;
  protected override readonly usesHost = false;

  action = Option.String({ required: false });
  id = Option.String({ required: false });
  server = serverFlag();
  state = Option.String("--state", {
    description: "<STATE> list: open (default), accepted, declined, expired or all",
  });
  program = Option.String("--program", { description: "<NAME> list: only proposals of this deployment" });
  comment = Option.String("--comment", {
    description: "<TEXT> accept, decline: the word that is kept with the decision",
  });
  sign = signFlag();
  who = whoFlag();
  attestation = attestationFlag();
  next = Option.Boolean("--next", false, {
    description: "accept: keep the current version, and put this one next to it",
  });
  yes = Option.Boolean("--yes", false, { description: "accept without being asked" });

  async execute(): Promise<number> {
    const action = actionOf(this.action ?? "list", ACTIONS);
    checkSigningFlags(this);
    if (action !== "accept" && this.next) throw usageFault("--next goes with accept");
    if (action !== "accept" && (this.sign !== undefined || this.attestation !== undefined))
      throw usageFault("--sign and --attestation go with accept");
    const session = this.sign === undefined ? this.session() : await this.withAdapters(this.session());
    if (action === "list" ? this.id !== undefined : this.id === undefined)
      throw usageFault(action === "list" ? "too many operands" : "missing ID of a proposal");
    if ((action === "accept" || action === "decline") && (this.comment ?? "").trim() === "")
      throw usageFault(`${action} needs a word: --comment TEXT`);
    const server = this.server ?? session.environment.server;
    const { result, by } = await interruptible(session.io, async (signal) => {
      const service = proposalService(server, signal);
      if (action === "list") {
        const { state, program } = this;
        printList(session.screen, await service.list({ state, program, limit: "200" }));
        return EXIT.success;
      }
      const id = await proposalIdOf(service, this.id ?? "", action === "show" ? "all" : "open");
      const found = await this.decided(action, id, service, session);
      if (session.screen.json) session.screen.document(found);
      else session.screen.out(action === "show" ? shown(found, session.screen) : outcome(found, this.next));
      return EXIT.success;
    });
    return by === null ? (result ?? EXIT.failed) : exitOf(by);
  }

  private async decided(
    action: "show" | "accept" | "decline",
    id: string,
    service: ProposalService,
    session: Session,
  ): Promise<RemoteProposal> {
    const { io, screen } = session;
    const comment = this.comment ?? "";
    if (action === "decline") return service.decline(id, comment);
    const found = await service.get(id);
    if (action === "show") return found;
    // What is accepted is what was shown.
    if (!screen.json) screen.err(shown(found, screen));
    const what = this.next
      ? `put this version of ${found.name} next to the current one?`
      : `make this version of ${found.name} current?`;
    if (!this.yes && !(await confirmed(io, what)))
      throw new CliFault("the proposal was not accepted; add --yes to accept it without being asked", {
        error: "usage_error",
        exitCode: EXIT.usage,
      });
    const attestation = attestationOf(session, { name: found.name, body: bodyOf(found) }, this);
    return service.accept(found, comment, { attestation, ...(this.next ? { next: true } : {}) });
  }
}

/** What the version that was shown would be deployed from. */
function bodyOf({ code, files, main, settings }: RemoteProposal): JsonObject {
  if (code !== undefined) return { ...settings, code };
  if (files !== undefined && main !== undefined) return { ...settings, files, main };
  return { ...settings };
}

function shown(proposal: RemoteProposal, { paint }: Screen): string {
  return proposalText(proposal, reachedBy({ ...proposal, difference: reachedNewly(proposal) }), paint);
}

function outcome({ name, state, version }: RemoteProposal, isNext: boolean): string {
  const place = isNext ? "is next to the current one" : "is current";
  return `${visible(name)}  ${state}${version === null ? "" : `  version ${version} ${place}`}\n`;
}

function printList(screen: Screen, page: RemoteProposals): void {
  if (screen.json || page.proposals.length === 0) {
    if (screen.json) screen.document(page);
    else screen.note("no proposals");
    return;
  }
  const rows = page.proposals.map(({ id, name, state, stale, base, proposed_by, proposed_at }) => [
    id,
    visible(name),
    stale ? "stale" : state,
    base === null ? "first" : `after ${base}`,
    visible(proposed_by ?? ""),
    proposed_at,
  ]);
  const head = ["proposal", "program", "state", "version", "by", "proposed"];
  for (const line of table([head, ...rows], screen.tableWidth)) screen.out(`${line}\n`);
}
