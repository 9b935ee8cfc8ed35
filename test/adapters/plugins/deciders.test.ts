/** Deciders of the operator: asked before every call of an adapter, able to refuse and to nothing else, and closed when in doubt. */
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readHostConfig } from "../../../adapters/operator/host-config.ts";
import { StartFault } from "../../../adapters/operator/start-fault.ts";
import { openAdapters } from "../../../adapters/plugins/open.ts";
import { openRuntime } from "../../../adapters/runtime.ts";
import { realClock } from "../../support/adapter-bench.ts";
import { folderWith } from "./plugin-files.ts";

const PROGRAM = 'L1:\n  R cache.get "a" "k" ->v\n  X s add 1 2\n  J s\n';
const CAUGHT = 'L1:\n  R cache.get "a" "k" ->v\n  Retry 2 1\n  Err ->L2\n  J v\nL2:\n  J "caught"\n';

/** A runtime whose operator file lists these modules as deciders. */
async function host(...modules: readonly string[]) {
  const files = Object.fromEntries(modules.map((text, place) => [`d${place}.mjs`, text]));
  const document = { deciders: Object.keys(files).map((name) => `./${name}`) };
  const folder = folderWith({ ...files, "adapters.json": JSON.stringify(document) });
  const read = readHostConfig({ WF_ADAPTERS_CONFIG: join(folder, "adapters.json") });
  if (!read.ok) throw new Error(read.message);
  const logged: object[] = [];
  const log = (event: string, fields: object = {}) => void logged.push({ event, ...fields });
  const adapters = await openAdapters(read.config, { folder, log });
  const uuid = () => crypto.randomUUID();
  const runtime = openRuntime({ config: read.config, adapters, clock: realClock, uuid, log });
  onTestFinished(() => runtime.close());
  return {
    logged,
    async run(code: string) {
      const { gateway } = runtime;
      const { ir } = gateway.host.compile(code, { strict: true });
      const admission = gateway.admit({});
      if (ir === null || !admission.ok) throw new Error("no program, or refused");
      const prepared = await gateway.prepare(ir, admission);
      if (!prepared.ok) throw new Error("not prepared");
      return gateway.run(prepared, { record: true });
    },
  };
}

const decider = (name: string, body: string): string =>
  `export const d = { name: "${name}", decide: async (call) => { ${body} } };`;
const ALLOW = decider("yes", "return { allow: true };");

describe("a decider", () => {
  it("that allows changes nothing, and receives the call in advance", async () => {
    const tells = decider("tells", "globalThis.weftDecided = call; call.args[0] = 'changed'; return { allow: true };");
    onTestFinished(() => void Reflect.deleteProperty(globalThis, "weftDecided"));
    const { run } = await host(ALLOW, tells);
    const answer = await run(PROGRAM);
    expect(answer).toMatchObject({ ok: true, out: 3, record: { calls: [{ args: ["a", "k"] }] } });
    expect(Reflect.get(globalThis, "weftDecided")).toMatchObject({
      adapter: "cache",
      verb: "get",
      args: ["changed", "k"],
      label_id: "1",
      node_id: "n1",
      trace_id: answer.trace_id,
      facts: { adapter: "cache", verb: "get", effect_tier: "io-read", privilege_tier: "local_state", known: true },
    });
  });

  it.each([
    ["says no", `return { allow: false, reason: "not today" };`, "not today"],
    ["says no without a reason", "return { allow: false };", "refused"],
    ["answers no boolean", `return { allow: "yes" };`, "refused"],
    ["answers nothing", "return undefined;", "no decision"],
    ["throws", `throw new Error("canary");`, "the decider failed"],
    ["is late", "await new Promise(() => {});", "no decision within 50 ms"],
  ])("that %s refuses, and no handler catches it", async (_title, body, reason) => {
    const { run, logged } = await host(ALLOW, decider("mine", body));
    for (const program of [PROGRAM, CAUGHT])
      expect(await run(program)).toMatchObject({
        ok: false,
        error: {
          code: "RUNTIME_ADAPTER_NOT_ALLOWED",
          data: { adapter: "cache", verb: "get", rule: { member: "decider", value: "mine", source: "server" } },
        },
      });
    expect(logged).toContainEqual({ event: "decider_refused", decider: "mine", adapter: "cache", verb: "get", reason });
    expect(JSON.stringify(logged)).not.toContain("canary");
  });

  it.each([
    ["that throws at import", ["throw new Error('no luck')"], "cannot be imported"],
    ["that is invalid", ["export const d = { name: 'x' };"], "exports no decider"],
    ["with a strange name", [decider("No Name", "")], "the name of a decider"],
    ["of the same name as another", [ALLOW, `${ALLOW}\n`], "its name yes is that of another decider"],
  ])("%s stops the start", async (_title, modules, message) => {
    const opening = host(...modules);
    await expect(opening).rejects.toBeInstanceOf(StartFault);
    await expect(opening).rejects.toThrow(message);
  });
});
