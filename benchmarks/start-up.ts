/**
 * How long the built command line takes to start, compared with an empty Node: launches in turn, each a process that reports its own
 * processor time as it exits. Needs `dist/wf.mjs`, which `npm run build` makes.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Time } from "./measure.ts";
import { type Summary, summary } from "./statistics.ts";

type StartUpRow = {
  readonly command: string;
  readonly cpu_ms: Summary;
  readonly wall_ms: Summary;
  /** Processor time against `node -e 0`. */
  readonly ratio: number;
};

export type StartUp = { readonly rows: readonly StartUpRow[]; readonly faults: readonly string[] };

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

/** Null when the command line is not built. */
export function measureStartUp(root: string, launches: number): StartUp | null {
  if (!existsSync(join(root, BUILT))) return null;
  const folder = mkdtempSync(join(tmpdir(), "weft-bench-"));
  try {
    const preload = join(folder, "report-cpu.cjs");
    writeFileSync(preload, REPORT_CPU);
    const times = COMMANDS.map((): Time[] => []);
    const faults = new Set<string>();
    // The first round only fills the file cache.
    for (let round = 0; round <= launches; round++) {
      for (const [index, command] of COMMANDS.entries()) {
        const time = launch(root, preload, command);
        if (typeof time === "string") faults.add(`${command.title}: ${time}`);
        else if (round > 0) times[index]?.push(time);
      }
    }
    return faults.size > 0 ? { rows: [], faults: [...faults] } : { rows: rowsOf(times), faults: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function launch(root: string, preload: string, command: Command): Time | string {
  const start = performance.now();
  const child = spawnSync(process.execPath, ["--require", preload, ...command.args], {
    cwd: root,
    encoding: "utf8",
    input: command.input ?? "",
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    timeout: 60_000,
  });
  const wall_ms = performance.now() - start;
  const cpu_ms = Number(child.output[3] ?? "") / 1000;
  if (child.status !== 0 || !command.prints.test(child.stdout.trim()) || !(cpu_ms > 0)) {
    return `exit ${child.status}, printed ${JSON.stringify(child.stdout)}, ${child.stderr.trim()}`;
  }
  return { cpu_ms, wall_ms };
}

function rowsOf(times: readonly (readonly Time[])[]): StartUpRow[] {
  const cpu = times.map((all) => summary(all.map(({ cpu_ms }) => cpu_ms)));
  const empty = cpu[0]?.median ?? Number.NaN;
  return COMMANDS.map(({ title }, index) => ({
    command: title,
    cpu_ms: cpu[index] as Summary,
    wall_ms: summary((times[index] ?? []).map(({ wall_ms }) => wall_ms)),
    ratio: (cpu[index] as Summary).median / empty,
  }));
}
