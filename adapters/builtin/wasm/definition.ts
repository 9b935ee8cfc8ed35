/**
 * The adapter `wasm`: pure computation in WebAssembly modules that the operator configured. Modules see their arguments
 * and nothing else; they run on threads of their own that are ended when time is over.
 */
import { anyJson, arg, defineAdapter, setting, verbsFor, z } from "../../definition/define.ts";
import { callJson, callNumbers, type WasmRun } from "./calls.ts";
import { type LoadedModule, ModuleSet } from "./modules.ts";

const pinned = z.strictObject({ file: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

const settings = {
  module_allowlist: setting
    .list("exact", ["module"])
    .describe("modules that may be used; without the list all that are configured"),
  modules: z
    .record(z.string(), z.union([z.string(), pinned]))
    .default({})
    .meta({ merge: "within", map: true, closedBy: "modules_dir" })
    .describe(
      'name → absolute path; the operator may write `{"file": …, "sha256": …}`, and a file with other content is refused. A caller can name modules only where the operator names none, here or in `modules_dir`',
    ),
  modules_dir: setting.operator(z.string().optional()).describe("a folder; each `<name>.wasm` in it is a module"),
  timeout_ms: setting.most(1000, 60_000).describe("time of one call, from its start on a thread"),
  max_memory_pages: setting.most(256, 4096).describe("memory of a module, in pages of 64 KiB"),
  reuse_instance: setting
    .allow(false)
    .describe(
      "state lives from call to call of a run, until a call fails; the run gets a thread of its own, of which there are eight",
    ),
  allow_nonfinite: setting.allow(false).describe("NaN and infinities are null instead of an error"),
};

const verb = verbsFor<typeof settings, WasmRun>();

const moduleName = arg("module", z.string(), { role: "module" });
const exportName = arg("export", z.string());
const facts = {
  effect: "pure",
  determinism: "pure",
  // `timeout_ms` bounds the call itself; this also covers its wait for a thread.
  timeoutMs: 60_000,
  maxTimeoutMs: 60_000,
} as const;
const callErrors = [
  "ADAPTER_MODULE_BLOCKED",
  "ADAPTER_WASM_MODULE",
  "ADAPTER_WASM_EXPORT",
  "ADAPTER_WASM_TRAP",
  "ADAPTER_NUMERIC_RANGE",
];
const numbers = z.union([z.number(), z.string()], "a number, or a whole one as text");

export const wasmAdapter = defineAdapter<typeof settings, WasmRun>({
  apiVersion: 1,
  name: "wasm",
  version: "1.0.0",
  summary: "Functions of WebAssembly modules that see nothing but their arguments",
  support: "core",
  lane: "canonical",
  privilege: "pure",
  sandboxSafe: true,
  networkFacing: false,
  durable: false,
  maturity: "beta",
  needs: ["workers"],
  settings,
  settingAliases: { allow_modules: "module_allowlist" },
  aliases: { APPLY: "CALL" },

  open({ settings, host, log }) {
    const modules = new ModuleSet({
      modules: settings.modules,
      folder: settings.modules_dir,
      allowed: settings.module_allowlist,
      dataRoot: host.places.dataRoot,
      reserved: host.places.reserved,
      maxPages: Math.floor(settings.max_memory_pages),
      pool: host.wasm,
    });
    return {
      modules,
      pool: host.wasm,
      log,
      timeoutMs: settings.timeout_ms,
      reuse: settings.reuse_instance,
      allowNonfinite: settings.allow_nonfinite,
      lane: null,
    };
  },
  async check({ instance }) {
    for (const name of await instance.modules.names()) await instance.modules.module(name);
  },
  async close(instance) {
    await instance.lane?.close();
  },

  verbs: {
    CALL: verb({
      ...facts,
      summary: "Calls a function of a module with numbers",
      args: z.tuple([moduleName, exportName], arg("numbers", numbers)),
      result: z
        .union([z.null(), numbers, z.array(numbers.nullable())])
        .describe("the number; a list for several results; null for none"),
      errors: callErrors,
      examples: [{ source: 'R wasm.CALL "m" "add" 2 3 ->n', result: 5 }],
      run({ args: [module, name, ...given], instance, ctx }) {
        return callNumbers(instance, { module, export: name, signal: ctx.signal }, given);
      },
    }),
    JSON: verb({
      exact: true,
      ...facts,
      summary: "Calls a function of a module with a JSON value",
      args: z.tuple([moduleName, exportName, arg("value", anyJson())]),
      result: anyJson(),
      errors: callErrors,
      examples: [{ source: 'R wasm.JSON "text" "same" {"a": [1, 2]} ->v', result: { a: [1, 2] } }],
      run({ args: [module, name, value], instance, ctx }) {
        return callJson(instance, { module, export: name, signal: ctx.signal }, value);
      },
    }),
    LIST: verb({
      ...facts,
      summary: "The modules that may be used, with the functions they export",
      args: z.tuple([]),
      result: z
        .array(
          z.object({
            module: z.string(),
            exports: z.array(z.object({ name: z.string(), params: z.array(z.string()), results: z.array(z.string()) })),
            sha256: z.string(),
          }),
        )
        .describe(
          "`[{module, exports: [{name, params, results}], sha256}]` of the modules that may be used; one that cannot be used is left out, with a warning",
        ),
      examples: [],
      async run({ instance, ctx }) {
        const listed = [];
        for (const module of await instance.modules.names()) {
          const loaded = await instance.modules.module(module).catch((): null => {
            ctx.run.warn(`wasm: the module ${module} cannot be used`);
            return null;
          });
          if (loaded !== null) listed.push(entryOf(module, loaded));
        }
        return listed;
      },
    }),
  },
});

function entryOf(module: string, { exports, sha256 }: LoadedModule) {
  return { module, exports: exports.map(({ name, params, results }) => ({ name, params, results })), sha256 };
}
