/** `wf sign ACTION`: makes keys, and signs programs for services that admit signed versions only. */
import type { JsonObject } from "../../compiler/json.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { actionOf, WeftCommand } from "../commands/base.ts";
import { projectConfig } from "../grant/project-config.ts";
import { writeAtomically } from "../input/files.ts";
import { visible } from "../output/terminal/columns.ts";
import { type FileDeployment, fileDeployments } from "../programs/file-deployments.ts";
import { programName, settingMembers } from "../programs/program-body.ts";
import { attestationFile, checkedWho, readSigner, signed, writeKey } from "../programs/signing.ts";
import { loadProgram } from "../run/load-program.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

const ACTIONS = ["keygen", "program"] as const;

export class SignCommand extends WeftCommand {
  static override paths = [["sign"]];
  static override readonly actions = {
    keygen: { operands: "", summary: "Make a key, and the file that a service trusts." },
    program: { operands: "FILE…", summary: "Sign programs with the settings of their folder." },
  };
  static override usage = Command.Usage({
    description: "Make keys, and sign programs for services that admit signed versions only.",
    details: `${ACTIONS.join("|")} [FILE…]`,
    examples: [
      ["make a key", "wf sign keygen --out ann.pem --who ann --until 2027-12-31"],
      ["sign a program, to digest.attestation.json", "wf sign program digest.wf --key ann.pem"],
      ["sign it under the name that it is deployed as", "wf sign program digest.wf --key ann.pem --name daily-digest"],
      ["sign IR", "wf sign program digest.json --key ann.pem"],
    ],
  });
  static override readonly notes = [
    "`keygen` writes a private key of Ed25519 for its owner alone, and next to it `FILE.pub.json` for `WF_TRUSTED_KEYS`. Files that exist are never overwritten. `program` compiles each program as `wf deploy` sends it, and writes its attestation next to it: `digest.attestation.json`. A `.json` file is IR. The name of the deployment is signed.",
    "Exit 2: a key that is not one, a file that exists, a program that does not compile.",
  ];
  static override readonly pages = ["signed-versions.md"];

  operands = Option.Rest();
  key = Option.String("--key", { description: "<FILE> program: private key in PEM" });
  name = Option.String("--name", {
    description: "<NAME> program: name of the deployment (default: the name of the file)",
  });
  who = Option.String("--who", {
    description: "<NAME> what the signer is called (program: default the name of the key's file)",
  });
  until = Option.String("--until", { description: "<DAY> keygen: last day on which the key counts, as 2027-12-31" });
  out = Option.String("-o,--out", {
    description: "<FILE> keygen: the private key; program: the attestation (default: FILE.attestation.json)",
  });

  async execute(): Promise<number> {
    const session = this.session();
    const [word, ...files] = this.operands;
    if (actionOf(word, ACTIONS) === "keygen") {
      if (files.length > 0) throw usageFault("keygen takes no FILE; name the file of the key with --out FILE");
      return this.keygen(session);
    }
    if (this.key === undefined) throw usageFault("program needs --key FILE; wf sign keygen makes a key");
    const signer = readSigner(session.cwd, this.key, this.who);
    const programs = await programsIn(session, files, this.name);
    if (this.out !== undefined && programs.length > 1) throw usageFault("--out is for one FILE");
    for (const { name, file, body } of programs) {
      const attestation = signed(session, name, body as JsonObject, signer);
      const path = this.out ?? attestationFile(file);
      writeAtomically(session.cwd, path, `${JSON.stringify(attestation, null, 2)}\n`);
      if (this.json) session.screen.document({ ok: true, name, path, attestation });
      else session.screen.out(`${session.screen.paint.ok("signed")}  ${name}  ${visible(path)}\n`);
    }
    return EXIT.success;
  }

  private keygen({ cwd, screen }: Session): number {
    const { out, who, until } = this;
    if (out === undefined || who === undefined || until === undefined)
      throw usageFault("keygen needs --out FILE, --who NAME and --until DAY");
    if (!isDay(until)) throw usageFault(`option --until needs a day such as 2027-12-31, found '${until}'`);
    const { id, privateFile, publicFile } = writeKey(cwd, out, checkedWho(who), until);
    if (this.json) screen.document({ ok: true, key: id, private: privateFile, public: publicFile });
    else
      screen.out(
        `${screen.paint.ok("key")}  ${id}\n  private  ${visible(privateFile)}  keep it secret\n  public   ${visible(publicFile)}  for WF_TRUSTED_KEYS\n`,
      );
    return EXIT.success;
  }
}

/** Sources as `wf deploy` finds them, or one file of IR. */
async function programsIn(
  session: Session,
  files: readonly string[],
  named: string | undefined,
): Promise<readonly FileDeployment[]> {
  const [file = "", ...others] = files;
  if (others.length > 0 || !file.endsWith(".json")) return fileDeployments(session, files, named);
  const { ir } = await loadProgram(session, file, { strict: true });
  const name = named ?? programName(file);
  const settings = settingMembers(projectConfig(session.cwd, file, undefined), name);
  return [{ name, file, body: { ir: ir as unknown as JsonObject, ...settings } }];
}

function isDay(text: string): boolean {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(text);
}
