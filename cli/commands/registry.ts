/** The commands of this build, in the order of their help. Static imports, so that a bundle holds them all. */
import { CapabilitiesCommand } from "./capabilities.ts";
import { CheckCommand } from "./check.ts";
import { CompileCommand } from "./compile.ts";
import { DisasmCommand } from "./disasm.ts";
import { ExplainCommand } from "./explain.ts";
import { FmtCommand } from "./fmt.ts";
import { ImportCommand } from "./import.ts";
import { InspectCommand } from "./inspect.ts";
import { JobsCommand } from "./jobs.ts";
import { LintCommand } from "./lint.ts";
import { MailboxCommand } from "./mailbox.ts";
import { McpCommand } from "./mcp.ts";
import { PolicyValidateCommand } from "./policy-validate.ts";
import { ProfilesCommand } from "./profiles.ts";
import { ReplayCommand } from "./replay.ts";
import { RunCommand } from "./run.ts";
import { SecurityReportCommand } from "./security-report.ts";
import { ServeCommand } from "./serve.ts";
import { SummarizeCommand } from "./summarize.ts";

export const COMMANDS = [
  RunCommand,
  ReplayCommand,
  CheckCommand,
  LintCommand,
  CompileCommand,
  InspectCommand,
  DisasmCommand,
  FmtCommand,
  ExplainCommand,
  PolicyValidateCommand,
  SecurityReportCommand,
  ProfilesCommand,
  CapabilitiesCommand,
  ServeCommand,
  JobsCommand,
  McpCommand,
  ImportCommand,
  MailboxCommand,
  SummarizeCommand,
] as const;
