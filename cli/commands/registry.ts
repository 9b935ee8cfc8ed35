import type { CommandEntry } from "./entry.ts";

export const COMMANDS: readonly CommandEntry[] = [
  {
    names: ["init", "new"],
    summary: "create a project with a program, tests and a configuration file",
    load: async () => (await import("./write/init.ts")).InitCommand,
  },
  {
    names: ["run"],
    summary: "run a program and print its result",
    load: async () => (await import("./run/run.ts")).RunCommand,
  },
  {
    names: ["batch"],
    summary: "run a program once per input line",
    load: async () => (await import("./run/batch.ts")).BatchCommand,
  },
  {
    names: ["replay"],
    summary: "repeat a recorded run without live calls",
    load: async () => (await import("./run/replay.ts")).ReplayCommand,
  },
  {
    names: ["test"],
    summary: "run the tests next to programs",
    load: async () => (await import("./run/test.ts")).TestCommand,
  },
  {
    names: ["trace"],
    summary: "show what a run did as a tree",
    load: async () => (await import("./run/trace.ts")).TraceCommand,
  },
  {
    names: ["check", "validate"],
    summary: "compile programs and list their errors and warnings",
    load: async () => (await import("./write/check.ts")).CheckCommand,
  },
  {
    names: ["lint"],
    summary: "check programs and give hints on style and safety",
    load: async () => (await import("./write/lint.ts")).LintCommand,
  },
  {
    names: ["compile", "emit"],
    summary: "print a program's IR, bytecode or OpenAPI document",
    load: async () => (await import("./look/compile.ts")).CompileCommand,
  },
  {
    names: ["inspect"],
    summary: "show a program's structure and costs",
    load: async () => (await import("./look/inspect.ts")).InspectCommand,
  },
  {
    names: ["diagram", "visualize", "graph"],
    summary: "draw a program's graph",
    load: async () => (await import("./look/diagram.ts")).DiagramCommand,
  },
  { names: ["diff"], summary: "compare two programs", load: async () => (await import("./look/diff.ts")).DiffCommand },
  {
    names: ["disasm"],
    summary: "print a program's bytecode",
    load: async () => (await import("./look/disasm.ts")).DisasmCommand,
  },
  { names: ["fmt"], summary: "format programs", load: async () => (await import("./write/fmt.ts")).FmtCommand },
  {
    names: ["migrate"],
    summary: "bring programs of the predecessor over",
    load: async () => (await import("./write/migrate.ts")).MigrateCommand,
  },
  {
    names: ["explain"],
    summary: "explain a code, an op, a function or a word",
    load: async () => (await import("./write/explain.ts")).ExplainCommand,
  },
  {
    names: ["policy-validate"],
    summary: "check a program against a policy",
    load: async () => (await import("./guard/policy-validate.ts")).PolicyValidateCommand,
  },
  {
    names: ["security-report"],
    summary: "list everything that a program can access",
    load: async () => (await import("./guard/security-report.ts")).SecurityReportCommand,
  },
  {
    names: ["profiles"],
    summary: "list or show security profiles",
    load: async () => (await import("./guard/profiles.ts")).ProfilesCommand,
  },
  {
    names: ["capabilities", "adapters"],
    summary: "list adapters and their verbs",
    load: async () => (await import("./look/capabilities.ts")).CapabilitiesCommand,
  },
  {
    names: ["adapter"],
    summary: "create, test, call and document adapters",
    load: async () => (await import("./operate/adapter.ts")).AdapterCommand,
  },
  {
    names: ["grammar"],
    summary: "print the grammar of the language",
    load: async () => (await import("./write/grammar.ts")).GrammarCommand,
  },
  {
    names: ["lsp"],
    summary: "serve editors (Language Server Protocol)",
    load: async () => (await import("./write/lsp.ts")).LspCommand,
  },
  {
    names: ["serve"],
    summary: "start the HTTP service",
    load: async () => (await import("./serve/serve.ts")).ServeCommand,
  },
  {
    names: ["playground"],
    summary: "open a playground in the browser",
    load: async () => (await import("./serve/playground.ts")).PlaygroundCommand,
  },
  {
    names: ["deploy"],
    summary: "deploy programs to a running service",
    load: async () => (await import("./serve/deploy.ts")).DeployCommand,
  },
  {
    names: ["propose"],
    summary: "propose versions of programs to a running service",
    load: async () => (await import("./serve/propose.ts")).ProposeCommand,
  },
  {
    names: ["proposals"],
    summary: "accept or decline versions that were proposed",
    load: async () => (await import("./serve/proposals.ts")).ProposalsCommand,
  },
  {
    names: ["promote"],
    summary: "bring a version from one service to another",
    load: async () => (await import("./serve/promote.ts")).PromoteCommand,
  },
  {
    names: ["sign"],
    summary: "make keys, and sign programs",
    load: async () => (await import("./serve/sign.ts")).SignCommand,
  },
  {
    names: ["programs"],
    summary: "manage deployments of a running service",
    load: async () => (await import("./serve/programs.ts")).ProgramsCommand,
  },
  {
    names: ["schedule"],
    summary: "manage schedules of a running service",
    load: async () => (await import("./serve/schedule.ts")).ScheduleCommand,
  },
  {
    names: ["events"],
    summary: "emit events, and show what they started",
    load: async () => (await import("./serve/events.ts")).EventsCommand,
  },
  {
    names: ["jobs"],
    summary: "manage jobs of a running service",
    load: async () => (await import("./serve/jobs.ts")).JobsCommand,
  },
  {
    names: ["dead-letters"],
    summary: "list, retry and discard jobs that failed",
    load: async () => (await import("./serve/dead-letters.ts")).DeadLettersCommand,
  },
  {
    names: ["notices"],
    summary: "show what people were notified of",
    load: async () => (await import("./serve/notices.ts")).NoticesCommand,
  },
  {
    names: ["approve", "approvals"],
    summary: "decide what jobs of a service ask people",
    load: async () => (await import("./serve/approve.ts")).ApproveCommand,
  },
  { names: ["mcp"], summary: "start the MCP server", load: async () => (await import("./serve/mcp.ts")).McpCommand },
  {
    names: ["import"],
    summary: "convert a Markdown document into a program",
    load: async () => (await import("./write/import.ts")).ImportCommand,
  },
  {
    names: ["doctor"],
    summary: "check the machine, environment and configuration",
    load: async () => (await import("./operate/doctor.ts")).DoctorCommand,
  },
  {
    names: ["backup"],
    summary: "copy the job store, also while a service uses it",
    load: async () => (await import("./operate/backup.ts")).BackupCommand,
  },
  {
    names: ["restore"],
    summary: "make a job store of a copy, in which nothing continues by itself",
    load: async () => (await import("./operate/backup.ts")).RestoreCommand,
  },
  {
    names: ["completion"],
    summary: "print a shell completion script",
    load: async () => (await import("./operate/completion.ts")).CompletionCommand,
  },
  {
    names: ["mailbox"],
    summary: "check and list agent tasks, and deliver results",
    load: async () => (await import("./operate/mailbox.ts")).MailboxCommand,
  },
  {
    names: ["memory"],
    summary: "export, import, count and prune memory records",
    load: async () => (await import("./operate/memory.ts")).MemoryCommand,
  },
  {
    names: ["queue"],
    summary: "inspect, drain and requeue messages",
    load: async () => (await import("./operate/queue.ts")).QueueCommand,
  },
  {
    names: ["cache"],
    summary: "import cache entries",
    load: async () => (await import("./operate/cache.ts")).CacheCommand,
  },
  {
    names: ["audit"],
    summary: "verify the log of a service",
    load: async () => (await import("./operate/audit.ts")).AuditCommand,
  },
  {
    names: ["summarize"],
    summary: "shorten the JSON answer of a run",
    load: async () => (await import("./operate/summarize.ts")).SummarizeCommand,
  },
];
