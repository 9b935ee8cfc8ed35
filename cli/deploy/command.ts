/** `wf deploy FILE…`: puts programs into a running service, after showing what they may reach and what changes. */
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { attestationFlag, signFlag, whoFlag } from "../commands/flags/signing-flags.ts";
import { deployedText, differenceText, emitsLines, reachedBy } from "../output/deployment.ts";
import { percentOf } from "../programs/channel-flags.ts";
import { type ProgramService, programService } from "../programs/client.ts";
import { confirmed } from "../programs/confirm.ts";
import { type FileDeployment, fileDeployments } from "../programs/file-deployments.ts";
import { attestationOf, checkSigningFlags, withSignature } from "../programs/signing.ts";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";

export class DeployCommand extends WeftCommand {
  static override paths = [["deploy"]];
  static override usage = Command.Usage({
    description: "Deploy programs to a running service.",
    details: "FILE…",
    examples: [
      ["deploy a program under the name of its file", "wf deploy digest.wf"],
      ["every program of a folder, to a service elsewhere", "wf deploy flows/ --to https://weft.example.com"],
      ["show what it may reach and what changes, and deploy nothing", "wf deploy digest.wf --dry-run"],
      ["without being asked, as in CI", "wf deploy digest.wf --yes"],
      ["next to the current version, with a tenth of the calls", "wf deploy digest.wf --weight 10"],
      ["signed, for a service that admits signed versions only", "wf deploy digest.wf --sign ann.pem"],
    ],
  });
  static override readonly notes = [
    "Each program is deployed under the name of its file, with the files that it includes and the settings of `programs` in `wf.config.json`. When a version reaches something that the one before did not (a first version: anything besides `core`), the command asks at a terminal; elsewhere it needs `--yes`.",
    "Exit 2: the program does not compile, the service refuses it or cannot be reached, or the answer was no. Exit 3: the program violates the policy of the service.",
  ];
  static override readonly pages = [
    "programs.md",
    "channels.md",
    "signed-versions.md",
    "how-to/roll-out-and-go-back.md",
  ];
  protected override readonly usesAdapters = false;

  files = Option.Rest({ name: "FILE" });
  server = Option.String("--to,--server", {
    description: "<URL> address of the service (WF_SERVER; default: http://127.0.0.1:8770)",
  });
  name = Option.String("--name", { description: "<NAME> name of the deployment (default: the name of the file)" });
  dryRun = Option.Boolean("--dry-run", false, { description: "show report and difference, and deploy nothing" });
  weight = Option.String("--weight", {
    description: "<PERCENT> keep the current version, and give the new one this share of calls",
  });
  yes = Option.Boolean("--yes", false, { description: "deploy a program that reaches something new without asking" });

  sign = signFlag();
  who = whoFlag();
  attestation = attestationFlag();

  async execute(): Promise<number> {
    checkSigningFlags(this);
    const weight = this.weight === undefined ? null : percentOf("--weight", this.weight);
    const session = this.sign === undefined ? this.session() : await this.withAdapters(this.session());
    const deployments = fileDeployments(session, this.files, this.name).map((one) => {
      const attestation = attestationOf(session, one, this);
      return attestation === null ? one : { ...one, body: { ...one.body, attestation } };
    });
    if (this.attestation !== undefined && deployments.length > 1) throw usageFault("--attestation is for one FILE");
    const server = this.server ?? session.environment.server;
    const { result, by } = await interruptible(session.io, async (signal) => {
      const service = programService(server, signal);
      for (const deployment of deployments) await this.deployed(session, service, deployment, weight);
      return EXIT.success;
    });
    return by === null ? (result ?? EXIT.failed) : exitOf(by);
  }

  private async deployed(
    session: Session,
    service: ProgramService,
    { name, file, body }: FileDeployment,
    weight: number | null,
  ): Promise<void> {
    const { screen } = session;
    const dry = await service.deploy(name, body, { dryRun: true });
    if (this.dryRun || dry.unchanged) {
      const shown = this.dryRun ? dry : await withSignature(service, name, body, dry, screen);
      if (screen.json) screen.document(shown);
      else screen.out(deployedText(shown, this.dryRun, screen.paint));
      return;
    }
    const reached = reachedBy(dry);
    if (!screen.json) {
      for (const warning of dry.warnings) screen.warning(warning);
      if (dry.difference !== null) screen.err(differenceText(dry.difference, screen.errorPaint));
      else for (const line of reached) screen.err(`${screen.errorPaint.warning("reaches")}  ${line}\n`);
      for (const line of emitsLines(dry.emits, screen.errorPaint)) screen.err(`${line}\n`);
    }
    if (reached.length > 0 && !this.yes && !(await confirmed(session.io, `deploy ${name} from ${file}?`)))
      throw new CliFault(`${name} reaches something new and was not deployed; add --yes to deploy it`, {
        error: "usage_error",
        exitCode: EXIT.usage,
        notes: reached,
      });
    const done = await service.deploy(name, body, {
      dryRun: false,
      asNext: weight !== null,
      ...(dry.difference === null ? {} : { base: dry.difference.from }),
    });
    if (weight !== null) await service.setNext(name, { version: done.version, weight });
    if (screen.json) screen.document(done);
    else screen.out(deployedText(done, false, screen.paint));
    if (weight !== null) screen.note(`${name}: version ${done.version} has ${weight} % of the calls`);
  }
}
