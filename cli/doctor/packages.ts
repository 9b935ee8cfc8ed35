/** The packages that adapters and settings need beyond weft-runner: which are missing, and how they are installed next to it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  ADAPTER_PACKAGES,
  installArguments,
  installCommand,
  OTLP_PACKAGES,
  type PackageName,
  POSTGRES_PACKAGES,
} from "../../adapters/packages.ts";
import { effectiveGrant } from "../grant/effective-grant.ts";
import { type Check, type Finding, fail, fine, warn } from "./check.ts";

export type PackageTools = {
  readonly has: (name: PackageName) => boolean;
  /** The folder whose node_modules holds weft-runner; null in a checkout of it. */
  readonly project: () => string | null;
  /** Runs npm there. Resolves to its exit code and what it complained of. */
  readonly npm: (project: string, args: readonly string[]) => Promise<{ readonly code: number; readonly said: string }>;
};

/** In a folder without package.json npm would install elsewhere: that is where global packages are. */
const globally = (project: string) => (existsSync(join(project, "package.json")) ? [] : ["--global"]);

/** What the operator's configuration uses. */
export type PackageUse = {
  /** Ids of adapters. */
  readonly enabled: readonly string[];
  readonly postgres: boolean;
  readonly otlp: boolean;
};

export function packagesNeeded({ enabled, postgres, otlp }: PackageUse): readonly PackageName[] {
  const names = [
    ...enabled.flatMap((adapter) => ADAPTER_PACKAGES[adapter] ?? []),
    ...(postgres ? POSTGRES_PACKAGES : []),
    ...(otlp ? OTLP_PACKAGES : []),
  ];
  return [...new Set(names)];
}

/** Which of the packages are missing. With `fix` they are installed. */
export async function packagesFinding(
  needed: readonly PackageName[],
  { has, project, npm }: PackageTools,
  fix: boolean,
): Promise<Finding> {
  const missing = needed.filter((name) => !has(name));
  if (missing.length === 0) return fine("all that the enabled adapters need are installed");
  const list = missing.join(", ");
  const folder = project();
  if (folder === null) return warn(`${list} cannot be loaded`, "run npm ci in the checkout");
  if (!fix) return warn(`${list} cannot be loaded`, `run wf doctor --fix, or: ${installCommand(missing)}`);
  const { code, said } = await npm(folder, [...installArguments(missing), ...globally(folder)]);
  if (code !== 0) return fail(`npm could not install ${list}: ${said}`, `run: ${installCommand(missing)}`);
  return fine(`installed ${list} in ${folder}`);
}

export const packagesCheck: Check = {
  name: "packages",
  async look({ session, fix }) {
    const grant = effectiveGrant(session, { profile: undefined, grantFile: undefined, policyFile: undefined });
    const { enabled } = grant.runtime.operator;
    await grant.close();
    const { readServiceStart } = await import("../../service/main.ts");
    const { otlp } = readServiceStart(session.io.environment).config;
    const needed = packagesNeeded({ enabled, postgres: session.environment.host.databaseUrl !== null, otlp });
    return packagesFinding(needed, SYSTEM, fix);
  },
};

function installedAbove(folder: string, name: string): boolean {
  if (existsSync(join(folder, "node_modules", name, "package.json"))) return true;
  const above = dirname(folder);
  return above !== folder && installedAbove(above, name);
}

/** The folder of package.json above the code that runs. */
function ownFolder(from: string): string | null {
  if (existsSync(join(from, "package.json")) && nameIn(join(from, "package.json")) === "weft-runner") return from;
  const above = dirname(from);
  return above === from ? null : ownFolder(above);
}

function nameIn(file: string): unknown {
  const read: unknown = JSON.parse(readFileSync(file, "utf8"));
  return typeof read === "object" && read !== null && "name" in read ? read.name : null;
}

const MAX_SAID = 300;

const SYSTEM: PackageTools = {
  // Not by loading it: Node remembers a failure, and what was installed meanwhile would stay missing.
  has: (name) => installedAbove(dirname(fileURLToPath(import.meta.url)), name),
  project() {
    const own = ownFolder(dirname(fileURLToPath(import.meta.url)));
    const above = own === null ? "" : dirname(own);
    return basename(above) === "node_modules" ? dirname(above) : null;
  },
  async npm(cwd, args) {
    const child = spawn("npm", [...args, "--no-audit", "--no-fund"], { cwd, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      said = (said + part).slice(-MAX_SAID);
    });
    try {
      const [code]: (number | null)[] = await once(child, "close");
      return { code: code ?? 1, said: said.trim() };
    } catch {
      return { code: 1, said: "npm cannot be started" };
    }
  },
};
