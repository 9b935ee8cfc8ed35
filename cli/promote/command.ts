/** `wf promote NAME --from URL --to URL`: brings a version of one service to another, if it is the same program there. */
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { deployedText, differenceText, emitsLines, reachedBy } from "../output/deployment.ts";
import { visible } from "../output/terminal/columns.ts";
import { programService } from "../programs/client.ts";
import { confirmed } from "../programs/confirm.ts";
import { proposalService, proposalText } from "../programs/proposals.ts";
import { withSignature } from "../programs/signing.ts";
import { reachedNewly } from "../propose/command.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";
import { expectSame, missingThere, type Promoted, promotedFrom, settingsThere } from "./promotion.ts";

const NAMED = /^([a-z0-9][a-z0-9-]{0,62})(?:@([1-9][0-9]{0,8}))?$/;

export class PromoteCommand extends WeftCommand {
  static override paths = [["promote"]];
  static override usage = Command.Usage({
    description: "Bring a version from one service to another.",
    details: "NAME[@VERSION] --from URL --to URL",
    examples: [
      ["the current version, from staging", "wf promote digest --from http://staging:8770 --to http://prod:8770"],
      ["a version, as a proposal", "wf promote digest@7 --from http://staging:8770 --to http://prod:8770 --propose"],
      ["show what would change there", "wf promote digest --from http://staging:8770 --to http://prod:8770 --dry-run"],
    ],
  });
  static override readonly notes = [
    "It takes source, settings, tags and description of a version, the current one without `@VERSION`, and deploys them to the other service. Before it asks, it prints secrets by name, adapters and addresses that are missing there, what the version newly reaches, and settings that differ. Values of secrets never leave a service.",
    "The program there must have the same checksum; another one is refused (`checksum_differs`, exit 1), as where the two services have compilers that differ. `--propose` sends along where the version comes from and who accepted it there; it is the only way where `WF_DEPLOY=proposals`.",
  ];
  static override readonly pages = ["programs.md#from-one-service-to-another", "proposals.md"];
  protected override readonly usesAdapters = false;
  protected override readonly usesHost = false;

  program = Option.String({ required: false });
  from = Option.String("--from", { description: "<URL> the service that has the version" });
  to = Option.String("--to", { description: "<URL> the service that gets it" });
  propose = Option.Boolean("--propose", false, { description: "propose it there; a person accepts it" });
  dryRun = Option.Boolean("--dry-run", false, { description: "show what would change, and change nothing" });
  yes = Option.Boolean("--yes", false, {
    description: "without asking, also where it reaches something new or lacks something there",
  });

  async execute(): Promise<number> {
    const session = this.session();
    const { from, to } = this;
    const [, name = "", version] = NAMED.exec(this.program ?? "") ?? [];
    if (this.program === undefined) throw usageFault("missing NAME of a deployment");
    if (name === "") throw usageFault("NAME must look like digest, or digest@7");
    if (from === undefined || to === undefined) throw usageFault("promote needs --from URL and --to URL");
    const { result, by } = await interruptible(session.io, async (signal) => {
      const number = version === undefined ? undefined : Number(version);
      const promoted = await promotedFrom(from, name, number, signal);
      await this.promoted(session, { name, from, to, promoted, signal });
      return EXIT.success;
    });
    return by === null ? (result ?? EXIT.failed) : exitOf(by);
  }

  private async promoted(
    session: Session,
    {
      name,
      from,
      to,
      promoted,
      signal,
    }: {
      readonly name: string;
      readonly from: string;
      readonly to: string;
      readonly promoted: Promoted;
      readonly signal: AbortSignal;
    },
  ): Promise<void> {
    const { io, screen } = session;
    const { version, body } = promoted;
    const service = programService(to, signal);
    const dry = await service.deploy(name, body, { dryRun: true });
    expectSame(name, version, dry.checksum);
    const settings = await settingsThere(to, name, version.settings, signal);
    const [missing, reached] = [missingThere(dry.warnings), reachedBy(dry)];
    if (!screen.json) {
      for (const need of missing) screen.warning(need);
      if (dry.difference !== null) screen.err(differenceText(dry.difference, screen.errorPaint));
      else for (const line of reached) screen.err(`${screen.errorPaint.warning("reaches")}  ${line}\n`);
      for (const line of emitsLines(dry.emits, screen.errorPaint)) screen.err(`${line}\n`);
      for (const { name: one, there, here } of settings ?? [])
        screen.err(`setting  ${one}: ${visible(JSON.stringify(there))} → ${visible(JSON.stringify(here))}\n`);
    }
    if (this.dryRun || (dry.unchanged && !this.propose)) {
      const shown = this.dryRun ? dry : await withSignature(service, name, body, dry, screen);
      if (screen.json) screen.document({ ...shown, settings_changes: settings });
      else screen.out(deployedText(shown, this.dryRun, screen.paint));
      return;
    }
    if (this.propose) {
      const comment = `promoted from ${from}, version ${version.version}${acceptedBy(promoted)}`;
      const proposal = await proposalService(to, signal).propose(name, { ...body, comment });
      const reaches = reachedBy({ ...proposal, difference: reachedNewly(proposal) });
      if (screen.json) screen.document(proposal);
      else screen.out(proposalText(proposal, reaches, screen.paint));
      return;
    }
    const why = [...reached, ...missing];
    if (why.length > 0 && !this.yes && !(await confirmed(io, `promote ${name}@${version.version} to ${to}?`)))
      throw new CliFault(`${name} reaches something new or lacks something there; add --yes to promote it`, {
        error: "usage_error",
        exitCode: EXIT.usage,
        notes: why,
      });
    const base = dry.difference === null ? {} : { base: dry.difference.from };
    const done = await service.deploy(name, body, { dryRun: false, ...base });
    expectSame(name, version, done.checksum);
    if (screen.json) screen.document(done);
    else screen.out(deployedText(done, false, screen.paint));
  }
}

function acceptedBy({ version: { accepted } }: Promoted): string {
  if (accepted == null) return "";
  return accepted.by === null ? ", accepted there" : `, accepted there by ${accepted.by}`;
}
