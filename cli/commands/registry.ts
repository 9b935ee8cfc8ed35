/** The commands of this build, in the order of their help. Static imports, so that a bundle holds them all. */
import { CheckCommand } from "./check.ts";
import { CompileCommand } from "./compile.ts";
import { DisasmCommand } from "./disasm.ts";
import { ExplainCommand } from "./explain.ts";
import { FmtCommand } from "./fmt.ts";
import { InspectCommand } from "./inspect.ts";
import { LintCommand } from "./lint.ts";
import { RunCommand } from "./run.ts";

export const COMMANDS = [
  RunCommand,
  CheckCommand,
  LintCommand,
  CompileCommand,
  InspectCommand,
  DisasmCommand,
  FmtCommand,
  ExplainCommand,
] as const;
