/** DBOS as a library in this process, its state in PostgreSQL. */
import { peerPackage } from "../peers/peer-package.ts";
import { HTTP_CALLS } from "./effects.ts";
import { asked, type Engine, type Place } from "./engine.ts";

type Handle = { getResult(): Promise<unknown> };
type Workflow = (...args: readonly unknown[]) => Promise<unknown>;
type Dbos = {
  setConfig(config: object): void;
  launch(): Promise<void>;
  shutdown(): Promise<void>;
  registerWorkflow(run: Workflow, config: { readonly name: string }): Workflow;
  runStep<T>(step: () => Promise<T>, config: { readonly name: string }): Promise<T>;
  startWorkflow(
    workflow: Workflow,
    params?: { readonly workflowID: string },
  ): (...args: readonly unknown[]) => Promise<Handle>;
  recv(topic: string, timeoutSeconds: number): Promise<unknown>;
  send(id: string, message: unknown, topic: string): Promise<void>;
};

export async function openDbos({ effectsUrl, databaseUrl }: Place): Promise<Engine | null> {
  const found = await peerPackage<{ readonly DBOS: Dbos }>("@dbos-inc/dbos-sdk");
  if (found === null) return null;
  const { DBOS } = found;
  DBOS.setConfig({ name: "benchmark", systemDatabaseUrl: databaseUrl, logLevel: "error" });
  const calls = DBOS.registerWorkflow(
    async (url) => {
      let total = 0;
      for (let i = 0; i < HTTP_CALLS; i++) {
        const step = async () => ((await asked(String(url), "POST", { n: i })) as { readonly n: number }).n;
        total += await DBOS.runStep(step, { name: "post" });
      }
      return total;
    },
    { name: "calls" },
  );
  const waits = DBOS.registerWorkflow(() => DBOS.recv("go", 3600), { name: "waits" });
  await DBOS.launch();
  const handles: Handle[] = [];
  const idOf = (at: number): string => `waits-${at}`;
  return {
    run: async () => Number(await (await DBOS.startWorkflow(calls)(effectsUrl)).getResult()),
    async park(at) {
      handles[at] = await DBOS.startWorkflow(waits, { workflowID: idOf(at) })();
    },
    // Each waits from its first step on.
    async parked() {},
    send: (at) => DBOS.send(idOf(at), at, "go"),
    async ended(at) {
      await handles[at]?.getResult();
    },
    stop: () => DBOS.shutdown(),
  };
}
