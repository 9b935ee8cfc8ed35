/** `wf init`: a folder with a program that runs, its tests and its configuration. Nothing that is there is written over unasked. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { EVERYBODY, makeFolder } from "../../adapters/guard/files/make-folder.ts";
import { writeAtomically, writeFault } from "../input/files.ts";
import { visible } from "../output/terminal/columns.ts";
import { shellWord } from "../output/terminal/shell-word.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import type { ProjectTemplate } from "./template.ts";
import { agentHandoffTemplate } from "./templates/agent-handoff.ts";
import { approvalTemplate } from "./templates/approval.ts";
import { cronDigestTemplate } from "./templates/cron-digest.ts";
import { etlTemplate } from "./templates/etl.ts";
import { helloTemplate } from "./templates/hello.ts";
import { httpMonitorTemplate } from "./templates/http-monitor.ts";

export const TEMPLATES: readonly ProjectTemplate[] = [
  helloTemplate,
  httpMonitorTemplate,
  etlTemplate,
  approvalTemplate,
  cronDigestTemplate,
  agentHandoffTemplate,
];

/** `folder`: as the user named it. */
export function newProject(session: Session, folder: string, template: ProjectTemplate, force: boolean): number {
  const { screen, cwd } = session;
  const paths = Object.keys(template.files);
  const present = paths.filter((path) => existsSync(resolve(cwd, folder, path)));
  if (present.length > 0 && !force) throw presentFault(folder, present);
  for (const [path, text] of Object.entries(template.files)) {
    makeProjectFolder(cwd, dirname(join(folder, path)));
    writeAtomically(cwd, join(folder, path), text);
  }
  const next = [...(resolve(cwd, folder) === cwd ? [] : [`cd ${shellWord(folder)}`]), "wf test", template.run];
  if (screen.json) screen.document({ ok: true, template: template.name, folder, files: paths, next });
  else {
    for (const path of paths) screen.out(`${visible(join(folder, path))}\n`);
    screen.note("next:");
    if (!screen.quiet) screen.err(next.map((line) => `  ${visible(line)}\n`).join(""));
  }
  return EXIT.success;
}

function presentFault(folder: string, present: readonly string[]): CliFault {
  return new CliFault(`${folder} holds ${present.join(", ")}; --force overwrites them`, {
    error: "file_exists",
    exitCode: EXIT.usage,
    members: { files: present },
  });
}

function makeProjectFolder(cwd: string, folder: string): void {
  try {
    makeFolder(resolve(cwd, folder), EVERYBODY);
  } catch (cause) {
    throw writeFault(cause, folder);
  }
}
