/** Servers as processes of their own: the built service, its log in a file as in a container, and the peer, which is this bundle again. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const PEER = "--serve-peer";
const START_MS = 20_000;

export type Server = {
  readonly port: number;
  /** Processor time used so far, in milliseconds. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
};

export async function startService(
  root: string,
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<Server> {
  const log = join(folder, `log-${process.hrtime.bigint()}`);
  const output = openSync(log, "w");
  const child = spawn(process.execPath, [join(root, "dist", "wf.mjs"), "serve", "--port", "0"], {
    env: { PATH: process.env["PATH"] ?? "", ...variables },
    // What it tells people goes with its log: the tables of the figures stand alone.
    stdio: ["ignore", output, output],
  });
  closeSync(output);
  const port = await portIn(log, /"event":"server_start".*"port":([0-9]+)/, child);
  return { port, cpuMs: async () => (await serviceFigures(port)).cpuMs, stop: () => stopped(child) };
}

/** The peer, its log in a file like that of the service: its empty POST, and its route at a port of its own. */
export async function startPeer(folder: string): Promise<{ readonly empty: Server; readonly route: Server }> {
  const file = join(folder, "peer-port");
  const output = openSync(join(folder, "peer-log"), "w");
  const child = spawn(process.execPath, [process.argv[1] ?? "", PEER, file], {
    stdio: ["ignore", output, "inherit"],
  });
  closeSync(output);
  const port = await portIn(file, /"port":([0-9]+)/, child);
  const route = await portIn(file, /"route":([0-9]+)/, child);
  const cpuMs = async (): Promise<number> => {
    const { cpu_ms } = (await (await fetch(`http://127.0.0.1:${port}/cpu`)).json()) as { cpu_ms: number };
    return cpu_ms;
  };
  const empty = { port, cpuMs, stop: () => stopped(child) };
  return { empty, route: { ...empty, port: route } };
}

export type ServiceFigures = {
  readonly cpuMs: number;
  readonly loopLagP99Ms: number;
  readonly succeeded: number;
};

/** What the service says of itself. */
export async function serviceFigures(port: number): Promise<ServiceFigures> {
  const [document, text] = await Promise.all([
    fetch(`http://127.0.0.1:${port}/metrics?format=json`).then((answer) => answer.json() as Promise<Metrics>),
    fetch(`http://127.0.0.1:${port}/metrics?format=prometheus`).then((answer) => answer.text()),
  ]);
  const seconds = /^process_cpu_seconds_total ([0-9.e+-]+)$/m.exec(text)?.[1];
  return {
    cpuMs: Number(seconds) * 1000,
    loopLagP99Ms: document.event_loop_lag_ms_p99,
    succeeded: Number(/^wf_jobs_total\{state="succeeded"\} ([0-9]+)$/m.exec(text)?.[1] ?? 0),
  };
}

type Metrics = { readonly event_loop_lag_ms_p99: number };

async function portIn(file: string, pattern: RegExp, child: ChildProcess): Promise<number> {
  for (const ends = performance.now() + START_MS; performance.now() < ends; await sleep(20)) {
    const port = pattern.exec(textOf(file))?.[1];
    if (port !== undefined) return Number(port);
    if (child.exitCode !== null) throw new Error(`a server ended with ${child.exitCode}: ${textOf(file)}`);
  }
  child.kill();
  throw new Error("a server did not start");
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) resolve();
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}
