/**
 * How long the built command line takes to start, compared with an empty Node: launches in turn, each a process that reports its own
 * processor time as it exits.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Figure, timed } from "../figure.ts";
import { summary } from "../statistics.ts";
import type { ProbeScope } from "./probe.ts";

const GROUP = "Start-up of the built command line";

type Command = {
  readonly title: string;
  readonly args: readonly string[];
  /** What is written to it; nothing else is. */
  readonly input?: string;
  readonly prints: RegExp;
};

const BUILT = "dist/wf.mjs";
/** The first message of an MCP host. The server answers it and, as its input ends, leaves. */
const INITIALIZE = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
})}\n`;
const COMMANDS: readonly Command[] = [
  { title: "node -e 0", args: ["-e", "0"], prints: /^$/ },
  { title: "wf --version", args: [BUILT, "--version"], prints: /\d+\.\d+\.\d+/ },
  { title: "wf run examples/hello.wf", args: [BUILT, "run", "examples/hello.wf"], prints: /^5$/ },
  {
    title: "wf mcp, to the first answer",
    args: [BUILT, "mcp"],
    input: INITIALIZE,
    prints: /"serverInfo":\{"name":"weft"/,
  },
];

/** Loaded into every launch, the empty one too. */
const REPORT_CPU = `process.once("exit", () => {
  const { user, system } = process.cpuUsage();
  require("node:fs").writeSync(3, String(user + system));
});
`;

export async function measureStartUp({ root, quick }: ProbeScope): Promise<readonly Figure[] | null> {
  if (!existsSync(join(root, BUILT))) return null;
  const folder = mkdtempSync(join(tmpdir(), "weft-bench-"));
  try {
    const preload = join(folder, "report-cpu.cjs");
    writeFileSync(preload, REPORT_CPU);
    const times = COMMANDS.map((): number[] => []);
    // The first round only fills the file cache.
    for (let round = 0; round <= (quick ? 2 : 11); round++)
      for (const [index, command] of COMMANDS.entries()) {
        const ms = launch(root, preload, command);
        if (round > 0) times[index]?.push(ms);
      }
    const empty = summary(times[0] ?? []).median;
    return COMMANDS.flatMap(({ title }, index): Figure[] => {
      const time = timed(summary(times[index] ?? []), "ms");
      const row: Figure = { group: GROUP, name: title, ...time };
      if (index === 0) return [row];
      return [row, { group: GROUP, name: `${title}, of node -e 0`, value: time.value / empty, unit: "×" }];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds of processor time. Throws when the command fails. */
function launch(root: string, preload: string, { title, args, input = "", prints }: Command): number {
  const child = spawnSync(process.execPath, ["--require", preload, ...args], {
    cwd: root,
    encoding: "utf8",
    input,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    timeout: 60_000,
  });
  const ms = Number(child.output[3] ?? "") / 1000;
  if (child.status === 0 && prints.test(child.stdout.trim()) && ms > 0) return ms;
  const printed = JSON.stringify(child.stdout);
  throw new Error(`${title}: exit ${child.status}, printed ${printed}, ${child.stderr.trim()}`);
}
