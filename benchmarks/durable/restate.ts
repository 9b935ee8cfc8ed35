/** Restate: its server in a process of its own, and the handlers in this one. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { peerPackage } from "../peers/peer-package.ts";
import { HTTP_CALLS } from "./effects.ts";
import { asked, type Engine, type Place } from "./engine.ts";

const START_MS = 30_000;

type Context = {
  run<T>(name: string, step: () => Promise<T>): Promise<T>;
  promise(name: string): PromiseLike<unknown> & { resolve(value: unknown): Promise<void> };
};
type Restate = {
  service(definition: object): object;
  workflow(definition: object): object;
  serve(options: { readonly services: readonly object[]; readonly port: number }): Promise<number>;
};

export async function openRestate({ effectsUrl, folder }: Place): Promise<Engine | null> {
  const restate = await peerPackage<Restate>("@restatedev/restate-sdk");
  const program = programOf();
  if (restate === null || program === null) return null;
  const calls = restate.service({
    name: "calls",
    handlers: {
      async run(ctx: Context, url: string) {
        let total = 0;
        for (let i = 0; i < HTTP_CALLS; i++)
          total += await ctx.run(
            "post",
            async () => ((await asked(url, "POST", { n: i })) as { readonly n: number }).n,
          );
        return total;
      },
    },
  });
  const waits = restate.workflow({
    name: "waits",
    handlers: {
      run: async (ctx: Context) => ctx.promise("go"),
      go: (ctx: Context, message: number) => ctx.promise("go").resolve(message),
    },
  });
  const [ingress, admin, node, handlers] = await freePorts(4);
  const server = spawn(program, ["--base-dir", join(folder, "restate"), "--no-logo"], {
    stdio: "ignore",
    env: {
      RESTATE_INGRESS__BIND_PORT: String(ingress),
      RESTATE_ADMIN__BIND_PORT: String(admin),
      RESTATE_BIND_PORT: String(node),
      RESTATE_DISABLE_TELEMETRY: "true",
    },
  });
  await restate.serve({ services: [calls, waits], port: handlers ?? 0 });
  await untilAnswered(`http://127.0.0.1:${admin}/health`);
  await asked(`http://127.0.0.1:${admin}/deployments`, "POST", { uri: `http://127.0.0.1:${handlers}` });
  const base = `http://127.0.0.1:${ingress}`;
  return {
    run: async () => Number(await asked(`${base}/calls/run`, "POST", effectsUrl)),
    async park(at) {
      await asked(`${base}/waits/w${at}/run/send`, "POST");
    },
    // A message that comes before its run waits for it is kept as well.
    async parked() {},
    async send(at) {
      await asked(`${base}/waits/w${at}/go`, "POST", at);
    },
    async ended(at) {
      await asked(`${base}/restate/workflow/waits/w${at}/attach`, "GET");
    },
    async stop() {
      server.kill("SIGKILL");
    },
  };
}

/** The server of this platform; null: it is not installed. */
function programOf(): string | null {
  try {
    const owner = createRequire(import.meta.url).resolve("@restatedev/restate-server/package.json");
    const name = `@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`;
    return createRequire(owner).resolve(name);
  } catch {
    return null;
  }
}

async function untilAnswered(url: string): Promise<void> {
  for (const ends = performance.now() + START_MS; performance.now() < ends; await sleep(50)) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok === true) return;
  }
  throw new Error("the server of Restate did not start");
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.once("listening", () => resolve()))));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
