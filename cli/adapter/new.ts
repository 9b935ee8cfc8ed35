/**
 * `wf adapter new NAME`: a folder with a plugin that works: definition, fixture, cases, page, package. What it begins with is chosen by
 * kind; every kind passes `wf adapter lint` and `wf adapter test` as it is written.
 */
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { EVERYBODY, makeFolder } from "../../adapters/guard/files/make-folder.ts";
import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { writeAtomically } from "../input/files.ts";
import { CliFault, EXIT, systemCode, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { RUNTIME_VERSION } from "../session/version.ts";
import { httpClientTemplate } from "./templates/http-client.ts";
import { keyValueTemplate } from "./templates/key-value.ts";
import { probeTemplate } from "./templates/probe.ts";

const KINDS = { probe: probeTemplate, http_client: httpClientTemplate, key_value: keyValueTemplate } as const;
export type Kind = keyof typeof KINDS;

export function newPlugin(session: Session, name: string | undefined, kind: Kind): number {
  const { screen, cwd } = session;
  if (name === undefined || !/^[a-z][a-z0-9_]{1,30}$/.test(name))
    throw usageFault("NAME must be 2 to 31 lower-case letters, digits and _, starting with a letter");
  if (builtinAdapters.some((one) => one.name === name))
    throw usageFault(`${name} is the name of a built-in adapter; a plugin needs another one`);
  const files = filesOf(name, kind);
  makePluginFolder(cwd, name);
  for (const [file, text] of Object.entries(files)) writeAtomically(cwd, join(name, file), text);
  if (screen.json) screen.document({ ok: true, name, kind, folder: name, files: Object.keys(files) });
  else {
    for (const file of Object.keys(files)) screen.out(`${name}/${file}\n`);
    screen.note(`next: cd ${name} && npm install && npx wf adapter test .`);
  }
  return EXIT.success;
}

/** All files of a new plugin, by path. */
function filesOf(name: string, kind: Kind): Readonly<Record<string, string>> {
  return { ...KINDS[kind](name), "README.md": readme(name, kind), "package.json": packageJson(name) };
}

function makePluginFolder(cwd: string, name: string): void {
  const folder = resolve(cwd, name);
  try {
    makeFolder(folder, EVERYBODY);
    if (readdirSync(folder).length === 0) return;
  } catch (cause) {
    if (systemCode(cause) === null) throw cause;
    throw new CliFault(`the folder ${name} cannot be made (${systemCode(cause)})`, {
      error: "output_error",
      exitCode: EXIT.usage,
    });
  }
  throw usageFault(`the folder ${name} is not empty`);
}

function packageJson(name: string): string {
  const document = {
    name: `weft-adapter-${name.replaceAll("_", "-")}`,
    version: "0.1.0",
    description: `Weft adapter ${name}`,
    type: "module",
    main: "index.js",
    exports: "./index.js",
    files: ["index.js", "README.md"],
    scripts: { lint: "wf adapter lint .", test: "wf adapter test .", docs: "wf adapter docs . --fill README.md" },
    peerDependencies: { "weft-runner": `^${RUNTIME_VERSION}` },
    devDependencies: { "weft-runner": `^${RUNTIME_VERSION}` },
    engines: { node: ">=20.19" },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The setting without which a plugin of the kind has nothing to do. */
const NEEDED: Readonly<Record<Kind, string>> = {
  probe: `targets='{"web": "https://example.com"}'`,
  http_client: `base_url='"https://api.example.com"'`,
  key_value: `base_url='"https://api.example.com"'`,
};

function readme(name: string, kind: Kind): string {
  const region = (title: string, table: string): string =>
    `## ${title}\n\n<!-- generated: ${table} -->\n<!-- end of ${table} -->\n`;
  return [
    `# ${name}`,
    `What it is for, and what it sends to which server.`,
    "An operator names it and enables it:",
    `\`\`\`sh\nWF_ADAPTERS=./${name}/index.js wf run program.wf --enable-adapter ${name} --set ${name}.${NEEDED[kind]}\n\`\`\``,
    region("Verbs", "verbs"),
    region("Settings", "settings"),
    "## Errors\n\n| Code | When |\n|---|---|\n| ADAPTER_NOT_ALLOWED | it is not on the list of allowed values |\n",
    region("Facts", "facts of verbs"),
    region("Arguments and options", "arguments and options"),
    region("Examples", "examples"),
    "The tables are written by `npm run docs`.\n",
  ]
    .join("\n\n")
    .replaceAll("\n\n\n", "\n\n");
}
