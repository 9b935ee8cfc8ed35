/** Plugins in processes of their own, for tests: loaded from an entry, or written by hand as a script that speaks the protocol. */
import { onTestFinished } from "vitest";
import { readPluginEntries } from "../../../adapters/plugins/entries.ts";
import { type LoadedPlugin, loadPlugin } from "../../../adapters/plugins/load.ts";
import { folderWith } from "./plugin-files.ts";

type Logged = { readonly event: string; readonly fields: Readonly<Record<string, unknown>> };

export type Loading = { readonly environment?: Readonly<Record<string, string>>; readonly timeoutMs?: number };

export async function load(
  written: unknown,
  baseFolder: string,
  { environment = {}, timeoutMs = 10_000 }: Loading = {},
) {
  const [entry] = readPluginEntries([written], "WF_ADAPTERS");
  const logged: Logged[] = [];
  if (entry === undefined) throw new Error("no entry");
  const plugin: LoadedPlugin = await loadPlugin(entry, {
    baseFolder,
    environment: { PATH: process.env["PATH"], ...environment },
    log: (event, fields = {}) => logged.push({ event, fields }),
    timeoutMs,
  });
  onTestFinished(() => plugin.close());
  return { plugin, logged };
}

/** A plugin that speaks the protocol by hand: `on` handlers by type get the message and `send`. */
export function scripted(handlers: string): string {
  return `
import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
const SPEC = {
  api_version: 1, name: "odd", version: "1.0.0", summary: "odd", privilege: "network",
  sandbox_safe: false, network_facing: true, durable: false, needs: ["http", "files"],
  settings: {
    allow_hosts: { schema: { type: "array", items: { type: "string" } }, optional: true, merge: "intersect", fold: "host" },
    base_url: { schema: { type: "string" }, optional: true, merge: "server" },
  },
  secrets: { ODD_KEY: { summary: "key", required: false } },
  verbs: {
    go: { summary: "goes", effect: "io-read", kind: "http", determinism: "external", timeout_ms: 15000,
          args: [{ name: "what", schema: {}, optional: true }], result: {} },
  },
};
let handlers = {};
const answer = ({ id }, result = null) => send({ id, result });
const waiting = new Map();
let asked = 0;
const host = (call, service, request) => new Promise((resolve) => {
  asked += 1;
  waiting.set(asked, resolve);
  send({ type: "host", id: asked, call, service, request });
});
handlers = {
  spec: (message) => answer(message, SPEC),
  open: (message) => answer(message),
  close: (message) => answer(message),
  check: (message) => answer(message),
  call: (message) => answer(message, message.args),
  cancel: () => {},
  host: ({ id, result, error }) => waiting.get(id)(error ?? result),
  ...(${handlers}),
};
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  handlers[message.type](message);
}
`;
}

export async function odd(handlers: string, loading?: Loading) {
  const folder = folderWith({ "odd.mjs": scripted(handlers) });
  return load({ command: [process.execPath, "odd.mjs"] }, folder, loading);
}

/** Resolves when `holds` does; what it waits for is an event of another process, so it looks again. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
