/** `wf propose FILE…`: puts versions before a person, who accepts or declines them. */
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { attestationFlag, signFlag, whoFlag } from "../commands/flags/signing-flags.ts";
import { reachedBy } from "../output/deployment.ts";
import { type FileDeployment, fileDeployments } from "../programs/file-deployments.ts";
import { type ProposalService, proposalService, proposalText, proposedTests } from "../programs/proposals.ts";
import { attestationOf, checkSigningFlags } from "../programs/signing.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import { exitOf, interruptible } from "../session/interrupt.ts";
import type { Session } from "../session/session.ts";

export class ProposeCommand extends WeftCommand {
  static override paths = [["propose"]];
  static override usage = Command.Usage({
    description: "Propose versions of programs to a running service. A person accepts or declines them.",
    details: "FILE…",
    examples: [
      ["propose a program under the name of its file", "wf propose digest.wf"],
      ["say why", "wf propose digest.wf --comment 'sends the list sorted'"],
      [
        "to a service elsewhere, under another name",
        "wf propose new-digest.wf --to https://weft.example.com --name digest",
      ],
    ],
  });
  static override readonly notes = [
    "A proposed version is not current until a person accepts it. The tests of `digest.expected.json` that need no other file and look at the result or the error are sent along. The command prints what the version newly reaches, which settings and lines change, and how its tests went. Exit 2: the service refuses it.",
  ];
  static override readonly pages = ["proposals.md", "signed-versions.md"];
  protected override readonly usesAdapters = false;

  files = Option.Rest({ name: "FILE" });
  server = Option.String("--to,--server", {
    description: "<URL> address of the service (WF_SERVER; default: http://127.0.0.1:8770)",
  });
  name = Option.String("--name", { description: "<NAME> name of the deployment (default: the name of the file)" });
  comment = Option.String("--comment", { description: "<TEXT> why it is proposed" });

  sign = signFlag();
  who = whoFlag();
  attestation = attestationFlag();

  async execute(): Promise<number> {
    checkSigningFlags(this);
    const session = this.sign === undefined ? this.session() : await this.withAdapters(this.session());
    const deployments = fileDeployments(session, this.files, this.name).map((one) => {
      const attestation = attestationOf(session, one, this);
      return attestation === null ? one : { ...one, body: { ...one.body, attestation } };
    });
    if (this.attestation !== undefined && deployments.length > 1) throw usageFault("--attestation is for one FILE");
    const server = this.server ?? session.environment.server;
    const { result, by } = await interruptible(session.io, async (signal) => {
      const service = proposalService(server, signal);
      for (const deployment of deployments) await this.proposed(session, service, deployment);
      return EXIT.success;
    });
    return by === null ? (result ?? EXIT.failed) : exitOf(by);
  }

  private async proposed(
    { cwd, screen }: Session,
    service: ProposalService,
    { name, file, body }: FileDeployment,
  ): Promise<void> {
    const { tests, leftOut } = proposedTests(cwd, file);
    if (leftOut > 0)
      screen.note(`${file}: ${leftOut} tests are left out: they need other files, or look at more than the outcome`);
    const comment = this.comment === undefined ? {} : { comment: this.comment };
    const done = await service.propose(name, { ...body, ...comment, ...(tests.length === 0 ? {} : { tests }) });
    if (screen.json) screen.document(done);
    else screen.out(proposalText(done, reachedBy({ ...done, difference: reachedNewly(done) }), screen.paint));
  }
}

/** As `reachedBy` takes it. */
export function reachedNewly({ newly_reaches }: Pick<Awaited<ReturnType<ProposalService["get"]>>, "newly_reaches">) {
  return newly_reaches === null ? null : { newly_reaches };
}
