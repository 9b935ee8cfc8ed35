/**
 * The commands of this build, in the order of their help: the names of each (the first one, then aliases) and how its class is loaded.
 * Loading waits until a command is asked for, because a start that loads one command is half as long as one that loads them all.
 */
import type { WeftCommandClass } from "./base.ts";

export type CommandEntry = {
  /** The same words as in `paths` of the class. */
  readonly names: readonly [string, ...string[]];
  load(): Promise<WeftCommandClass>;
};

export const COMMANDS: readonly CommandEntry[] = [
  { names: ["init", "new"], load: async () => (await import("./init.ts")).InitCommand },
  { names: ["run"], load: async () => (await import("./run.ts")).RunCommand },
  { names: ["batch"], load: async () => (await import("./batch.ts")).BatchCommand },
  { names: ["replay"], load: async () => (await import("./replay.ts")).ReplayCommand },
  { names: ["test"], load: async () => (await import("./test.ts")).TestCommand },
  { names: ["bench"], load: async () => (await import("./bench.ts")).BenchCommand },
  { names: ["trace"], load: async () => (await import("./trace.ts")).TraceCommand },
  { names: ["check", "validate"], load: async () => (await import("./check.ts")).CheckCommand },
  { names: ["lint"], load: async () => (await import("./lint.ts")).LintCommand },
  { names: ["compile", "emit"], load: async () => (await import("./compile.ts")).CompileCommand },
  { names: ["inspect"], load: async () => (await import("./inspect.ts")).InspectCommand },
  {
    names: ["diagram", "visualize", "graph"],
    load: async () => (await import("./diagram.ts")).DiagramCommand,
  },
  { names: ["diff"], load: async () => (await import("./diff.ts")).DiffCommand },
  { names: ["disasm"], load: async () => (await import("./disasm.ts")).DisasmCommand },
  { names: ["fmt"], load: async () => (await import("./fmt.ts")).FmtCommand },
  { names: ["explain"], load: async () => (await import("./explain.ts")).ExplainCommand },
  { names: ["policy-validate"], load: async () => (await import("./policy-validate.ts")).PolicyValidateCommand },
  { names: ["security-report"], load: async () => (await import("./security-report.ts")).SecurityReportCommand },
  { names: ["sandbox"], load: async () => (await import("./sandbox.ts")).SandboxCommand },
  { names: ["profiles"], load: async () => (await import("./profiles.ts")).ProfilesCommand },
  { names: ["capabilities", "adapters"], load: async () => (await import("./capabilities.ts")).CapabilitiesCommand },
  { names: ["adapter"], load: async () => (await import("./adapter.ts")).AdapterCommand },
  { names: ["grammar"], load: async () => (await import("./grammar.ts")).GrammarCommand },
  { names: ["lsp"], load: async () => (await import("./lsp.ts")).LspCommand },
  { names: ["serve"], load: async () => (await import("./serve.ts")).ServeCommand },
  { names: ["jobs"], load: async () => (await import("./jobs.ts")).JobsCommand },
  { names: ["mcp"], load: async () => (await import("./mcp.ts")).McpCommand },
  { names: ["import"], load: async () => (await import("./import.ts")).ImportCommand },
  { names: ["doctor"], load: async () => (await import("./doctor.ts")).DoctorCommand },
  { names: ["completion"], load: async () => (await import("./completion.ts")).CompletionCommand },
  { names: ["mailbox"], load: async () => (await import("./mailbox.ts")).MailboxCommand },
  { names: ["memory"], load: async () => (await import("./memory.ts")).MemoryCommand },
  { names: ["queue"], load: async () => (await import("./queue.ts")).QueueCommand },
  { names: ["cache"], load: async () => (await import("./cache.ts")).CacheCommand },
  { names: ["audit"], load: async () => (await import("./audit.ts")).AuditCommand },
  { names: ["summarize"], load: async () => (await import("./summarize.ts")).SummarizeCommand },
];
