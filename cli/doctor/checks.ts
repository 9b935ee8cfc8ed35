/** The checks of `wf doctor`, in the order in which they are shown. */

import { StartFault } from "../../adapters/operator/start-fault.ts";
import { effectiveGrant } from "../grant/effective-grant.ts";
import { projectConfig } from "../grant/project-config.ts";
import { useColour } from "../output/terminal/colour.ts";
import { compileInput } from "../run/load-program.ts";
import { preparedUnder } from "../run/prepare-program.ts";
import { CliFault, CompileFault } from "../session/faults.ts";
import { type Check, type CheckContext, codeOf, type Finding, fail, fine, warn } from "./check.ts";
import { packagesCheck } from "./packages.ts";
import { jobsCheck, lockCheck, placesCheck, sqliteCheck, stateFolderCheck } from "./places.ts";
import { databaseCheck, mcpCheck, portCheck, threadsCheck } from "./services.ts";

const LEAST_NODE = [20, 19] as const;
/** No clock that is right shows a time before this build. */
const LEAST_TIME = Date.UTC(2025, 0, 1);

const nodeCheck: Check = {
  name: "node",
  look({ session }) {
    const { nodeVersion } = session.io;
    const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
    const enough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
    return enough ? fine(nodeVersion) : fail(nodeVersion, `install Node ${LEAST_NODE.join(".")} or later`);
  },
};

const environmentCheck: Check = {
  name: "environment",
  async look({ session }) {
    const { readServiceStart } = await import("../../service/main.ts");
    const { warnings, config } = readServiceStart(session.io.environment);
    if (config.publicUrl !== null && config.publicPort === null)
      return warn(
        "WF_PUBLIC_URL is set, and every path is on the same port",
        "set WF_PUBLIC_PORT, and let the proxy reach that one",
      );
    const unknown = warnings.filter((warning) => warning.startsWith("unknown_variable"));
    const names = unknown.map((warning) => warning.split(" ")[1] ?? "");
    const pairs = unknown.flatMap((warning, at) => {
      const meant = /did you mean (\w+)\?/.exec(warning)?.[1];
      return meant === undefined ? [] : [names.length === 1 ? meant : `${meant} for ${names[at]}`];
    });
    const advice = pairs.length === 0 ? "check the spelling, or unset it" : `did you mean ${pairs.join(", ")}?`;
    return names.length === 0
      ? fine("all variables are known and valid")
      : warn(`unknown environment variable${names.length === 1 ? "" : "s"} ${names.join(", ")}`, advice);
  },
};

const configurationCheck: Check = {
  name: "configuration",
  async look(context) {
    const session = await context.withAdapters(context.session);
    const project = projectConfig(session.cwd, ".", undefined);
    const effective = effectiveGrant(session, { ...NOTHING, project });
    await effective.close();
    await session.adapters?.close();
    const [first] = effective.warnings;
    if (first !== undefined) return warn(first, "wf profiles --grant shows where it comes from");
    return fine(project === null ? "profiles and files are valid" : `profiles, files and ${project.name} are valid`);
  },
};

const NOTHING = { profile: undefined, grantFile: undefined, policyFile: undefined } as const;

const clockCheck: Check = {
  name: "clock",
  look({ session }) {
    const { clock } = session.io;
    const readings = Array.from({ length: 100 }, () => clock.now());
    if (readings.some((reading, at) => reading < (readings[at - 1] ?? 0)))
      return fail("runs backwards", "check the virtual machine's clock source");
    return clock.wall() >= LEAST_TIME ? fine("monotonic") : fail("is years slow", "set the time of this machine");
  },
};

const terminalCheck: Check = {
  name: "terminal",
  look({ session }) {
    const { io, screen, environment } = session;
    const colour = useColour("auto", environment, io.stdout) ? "colors" : "no colors";
    const signs = environment.utf8 ? "UTF-8" : "ASCII";
    return fine(`${io.stdout.terminal ? "" : "none, "}${screen.width} columns, ${colour}, ${signs}`);
  },
};

const PROGRAM = "L1:\n  Set x 5\n  J x\n";

const runCheck: Check = {
  name: "run",
  async look({ session }) {
    const content = { kind: "source", text: PROGRAM } as const;
    const { ir } = compileInput(session, { name: "doctor", path: null, content }, { strict: true });
    const effective = effectiveGrant(session, NOTHING);
    try {
      const answer = await effective.gateway.run(await preparedUnder(effective, ir, "doctor"));
      if (answer.ok && answer.out === 5) return fine("a test program ran correctly");
      return fail("a test program gave a wrong result", "reinstall weft-runner");
    } finally {
      await effective.close();
    }
  },
};

const CHECKS: readonly Check[] = [
  nodeCheck,
  sqliteCheck,
  environmentCheck,
  configurationCheck,
  stateFolderCheck,
  lockCheck,
  jobsCheck,
  placesCheck,
  portCheck,
  threadsCheck,
  clockCheck,
  terminalCheck,
  packagesCheck,
  databaseCheck,
  mcpCheck,
  runCheck,
];

export type CheckResult = Finding & { readonly name: string };

/** One check after the other. */
export async function examine(context: CheckContext): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of CHECKS) results.push({ name: check.name, ...(await looked(check, context)) });
  return results;
}

/** What a check throws is a finding, too; only sentences that are made for people are shown. */
async function looked(check: Check, context: CheckContext): Promise<Finding> {
  try {
    return await check.look(context);
  } catch (cause) {
    const told = cause instanceof CliFault || cause instanceof StartFault || cause instanceof CompileFault;
    return fail(
      told ? cause.message : `check failed (${codeOf(cause)})`,
      "fix the reported problem and run wf doctor again",
    );
  }
}
