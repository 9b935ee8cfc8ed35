import type { CommandEntry } from "./commands/entry.ts";

export const COMMANDS: readonly CommandEntry[] = [
  {
    names: ["init", "new"],
    summary: "create a project with a program, tests and a configuration file",
    load: async () => (await import("./init/command.ts")).InitCommand,
  },
  {
    names: ["run"],
    summary: "run a program and print its result",
    load: async () => (await import("./run/command.ts")).RunCommand,
  },
  {
    names: ["batch"],
    summary: "run a program once per input line",
    load: async () => (await import("./batch/command.ts")).BatchCommand,
  },
  {
    names: ["replay"],
    summary: "repeat a recorded run without live calls",
    load: async () => (await import("./replay/command.ts")).ReplayCommand,
  },
  {
    names: ["test"],
    summary: "run the tests next to programs",
    load: async () => (await import("./test/command.ts")).TestCommand,
  },
  {
    names: ["trace"],
    summary: "show what a run did as a tree",
    load: async () => (await import("./trace/command.ts")).TraceCommand,
  },
  {
    names: ["check", "validate"],
    summary: "compile programs and list their errors and warnings",
    load: async () => (await import("./check/command.ts")).CheckCommand,
  },
  {
    names: ["lint"],
    summary: "check programs and give hints on style and safety",
    load: async () => (await import("./lint/command.ts")).LintCommand,
  },
  {
    names: ["compile", "emit"],
    summary: "print a program's IR, bytecode or OpenAPI document",
    load: async () => (await import("./compile/command.ts")).CompileCommand,
  },
  {
    names: ["inspect"],
    summary: "show a program's structure and costs",
    load: async () => (await import("./inspect/command.ts")).InspectCommand,
  },
  {
    names: ["diagram", "visualize", "graph"],
    summary: "draw a program's graph",
    load: async () => (await import("./diagram/command.ts")).DiagramCommand,
  },
  {
    names: ["diff"],
    summary: "compare two programs",
    load: async () => (await import("./diff/command.ts")).DiffCommand,
  },
  {
    names: ["disasm"],
    summary: "print a program's bytecode",
    load: async () => (await import("./disasm/command.ts")).DisasmCommand,
  },
  { names: ["fmt"], summary: "format programs", load: async () => (await import("./fmt/command.ts")).FmtCommand },
  {
    names: ["migrate"],
    summary: "bring programs of the predecessor over",
    load: async () => (await import("./migrate/command.ts")).MigrateCommand,
  },
  {
    names: ["explain"],
    summary: "explain a code, an op, a function or a word",
    load: async () => (await import("./explain/command.ts")).ExplainCommand,
  },
  {
    names: ["policy-validate"],
    summary: "check a program against a policy",
    load: async () => (await import("./policy-validate/command.ts")).PolicyValidateCommand,
  },
  {
    names: ["security-report"],
    summary: "list everything that a program can access",
    load: async () => (await import("./security-report/command.ts")).SecurityReportCommand,
  },
  {
    names: ["profiles"],
    summary: "list or show security profiles",
    load: async () => (await import("./profiles/command.ts")).ProfilesCommand,
  },
  {
    names: ["capabilities", "adapters"],
    summary: "list adapters and their verbs",
    load: async () => (await import("./capabilities/command.ts")).CapabilitiesCommand,
  },
  {
    names: ["adapter"],
    summary: "create, test, call and document adapters",
    load: async () => (await import("./adapter/command.ts")).AdapterCommand,
  },
  {
    names: ["grammar"],
    summary: "print the grammar of the language",
    load: async () => (await import("./grammar/command.ts")).GrammarCommand,
  },
  {
    names: ["lsp"],
    summary: "serve editors (Language Server Protocol)",
    load: async () => (await import("./lsp/command.ts")).LspCommand,
  },
  {
    names: ["serve"],
    summary: "start the HTTP service",
    load: async () => (await import("./serve/command.ts")).ServeCommand,
  },
  {
    names: ["playground"],
    summary: "open a playground in the browser",
    load: async () => (await import("./playground/command.ts")).PlaygroundCommand,
  },
  {
    names: ["deploy"],
    summary: "deploy programs to a running service",
    load: async () => (await import("./deploy/command.ts")).DeployCommand,
  },
  {
    names: ["propose"],
    summary: "propose versions of programs to a running service",
    load: async () => (await import("./propose/command.ts")).ProposeCommand,
  },
  {
    names: ["proposals"],
    summary: "accept or decline versions that were proposed",
    load: async () => (await import("./proposals/command.ts")).ProposalsCommand,
  },
  {
    names: ["promote"],
    summary: "bring a version from one service to another",
    load: async () => (await import("./promote/command.ts")).PromoteCommand,
  },
  {
    names: ["sign"],
    summary: "make keys, and sign programs",
    load: async () => (await import("./sign/command.ts")).SignCommand,
  },
  {
    names: ["programs"],
    summary: "manage deployments of a running service",
    load: async () => (await import("./programs/command.ts")).ProgramsCommand,
  },
  {
    names: ["schedule"],
    summary: "manage schedules of a running service",
    load: async () => (await import("./schedule/command.ts")).ScheduleCommand,
  },
  {
    names: ["events"],
    summary: "emit events, and show what they started",
    load: async () => (await import("./events/command.ts")).EventsCommand,
  },
  {
    names: ["jobs"],
    summary: "manage jobs of a running service",
    load: async () => (await import("./jobs/command.ts")).JobsCommand,
  },
  {
    names: ["dead-letters"],
    summary: "list, retry and discard jobs that failed",
    load: async () => (await import("./dead-letters/command.ts")).DeadLettersCommand,
  },
  {
    names: ["notices"],
    summary: "show what people were notified of",
    load: async () => (await import("./notices/command.ts")).NoticesCommand,
  },
  {
    names: ["approve", "approvals"],
    summary: "decide what jobs of a service ask people",
    load: async () => (await import("./approve/command.ts")).ApproveCommand,
  },
  { names: ["mcp"], summary: "start the MCP server", load: async () => (await import("./mcp/command.ts")).McpCommand },
  {
    names: ["import"],
    summary: "convert a Markdown document into a program",
    load: async () => (await import("./import/command.ts")).ImportCommand,
  },
  {
    names: ["doctor"],
    summary: "check the machine, environment and configuration",
    load: async () => (await import("./doctor/command.ts")).DoctorCommand,
  },
  {
    names: ["backup"],
    summary: "copy the job store, also while a service uses it",
    load: async () => (await import("./backup/command.ts")).BackupCommand,
  },
  {
    names: ["restore"],
    summary: "make a job store of a copy, in which nothing continues by itself",
    load: async () => (await import("./backup/command.ts")).RestoreCommand,
  },
  {
    names: ["completion"],
    summary: "print a shell completion script",
    load: async () => (await import("./completion/command.ts")).CompletionCommand,
  },
  {
    names: ["mailbox"],
    summary: "check and list agent tasks, and deliver results",
    load: async () => (await import("./mailbox/command.ts")).MailboxCommand,
  },
  {
    names: ["memory"],
    summary: "export, import, count and prune memory records",
    load: async () => (await import("./memory/command.ts")).MemoryCommand,
  },
  {
    names: ["queue"],
    summary: "inspect, drain and requeue messages",
    load: async () => (await import("./queue/command.ts")).QueueCommand,
  },
  {
    names: ["cache"],
    summary: "import cache entries",
    load: async () => (await import("./cache/command.ts")).CacheCommand,
  },
  {
    names: ["audit"],
    summary: "verify the log of a service",
    load: async () => (await import("./audit/command.ts")).AuditCommand,
  },
  {
    names: ["summarize"],
    summary: "shorten the JSON answer of a run",
    load: async () => (await import("./summarize/command.ts")).SummarizeCommand,
  },
];
