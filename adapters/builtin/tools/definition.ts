/**
 * The adapter `tools`: functions and programs that the operator declared by name. Callers choose among them and give
 * arguments; what runs, where and with which rights, they cannot say.
 */
import type { Json } from "../../../compiler/json.ts";
import { anyJson, arg, defineAdapter, type SettingsOf, setting, verbsFor, z } from "../../definition/define.ts";
import type { HostServices } from "../../definition/host-services.ts";
import { declaration } from "./declarations.ts";
import { effectOf, ToolSet } from "./tool-set.ts";

const MAX_TIMEOUT_S = 300;

const settings = {
  allow_tools: setting
    .list("exact", ["tool"])
    .describe("names that may be called; without the list all that are declared"),
  tools: setting.operator(z.record(z.string(), declaration).default({})).describe("name → declaration, see below"),
  /** Without it, a tool's own bound holds, or 10 s. */
  timeout_s: setting
    .bound(MAX_TIMEOUT_S)
    .describe("bound of every tool, in seconds; a tool's own bound is 10 s unless it declares `timeout_s`"),
};

const verb = verbsFor<typeof settings, ToolSet>();

type Named = { readonly args: readonly [string, ...Json[]]; readonly settings: SettingsOf<typeof settings> };
type Offered = Named & { readonly host: Pick<HostServices, "tools"> };

/** Whether the tool is declared to be one that does no harm when it is called again, or changes nothing. */
function repeats({ args: [name], settings: { tools } }: Named): boolean {
  const declared = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (declared === undefined || declared.kind === "builtin") return false;
  return declared.idempotent ?? declared.effect !== "io-write";
}

/** Whether the declaration of the tool says that it changes nothing. */
function harmless({ args: [name], settings: { tools: declared }, host: { tools: functions = {} } }: Offered): boolean {
  return (effectOf(name, declared, functions) ?? "io-write") !== "io-write";
}

const call = {
  effect: "io-write",
  kind: "tool",
  determinism: "external",
  args: z.tuple([arg("name", z.string(), { role: "tool" })], arg("arguments", anyJson())),
  result: anyJson().describe("what the tool gives"),
  timeoutMs: MAX_TIMEOUT_S * 1000,
  maxTimeoutMs: MAX_TIMEOUT_S * 1000,
  repeats,
  harmless,
  errors: ["ADAPTER_TOOL_BLOCKED", "ADAPTER_TOOL_UNKNOWN", "ADAPTER_TOOL_FAILED"],
} as const;

export const toolsAdapter = defineAdapter<typeof settings, ToolSet>({
  apiVersion: 1,
  concurrent: true,
  name: "tools",
  version: "1.0.0",
  summary: "Functions and programs that the operator declared",
  support: "core",
  lane: "canonical",
  privilege: "operator_sensitive",
  sandboxSafe: false,
  networkFacing: false,
  durable: false,
  maturity: "beta",
  needs: ["process", "http"],
  verbFallback: "Call",
  settings,

  open({ settings, host }) {
    const { processes, http, tools = {} } = host;
    return new ToolSet({
      declared: settings.tools,
      functions: tools,
      allowed: settings.allow_tools,
      timeoutMs: settings.timeout_s === undefined ? undefined : settings.timeout_s * 1000,
      processes,
      http,
    });
  },

  verbs: {
    Call: verb({
      ...call,
      summary: "Calls a tool; tools.<name> means the same",
      examples: [
        { source: 'R tools.Call "sum" 2 3 ->n', result: 5 },
        { source: "R tools.sum 2 3 ->n", result: 5 },
      ],
      run: ({ args: [name, ...given], instance, ctx }) => instance.call(name, given, ctx),
    }),
    invoke: verb({
      ...call,
      summary: "Calls a tool, as Call does",
      examples: [{ source: 'R tools.invoke "join" "-" ["a", "b"] ->text', result: "a-b" }],
      run: ({ args: [name, ...given], instance, ctx }) => instance.call(name, given, ctx),
    }),
    list: verb({
      summary: "The tools that may be called",
      effect: "io-read",
      kind: "tool",
      determinism: "external",
      args: z.tuple([]),
      result: z.array(
        z.object({ name: z.string(), summary: z.string(), effect: z.string(), args_schema: anyJson().nullable() }),
      ),
      examples: [],
      run({ instance }) {
        return instance.list().map(({ name, facts: { summary, effect, argsSchema } }) => {
          return { name, summary, effect, args_schema: argsSchema };
        });
      },
    }),
  },
});
