/** A program as it was in some revision: `git:REV:PATH`, read through the git of this machine. Nothing is run but git itself. */
import { spawnSync } from "node:child_process";
import { CliFault, EXIT, usageFault } from "../session/faults.ts";
import { MAX_IR_BYTES, type ProgramInput, parseInput } from "./input.ts";

const FORM = /^git:([^:]+):(.+)$/;
const TIMEOUT_MS = 30_000;

export const isRevision = (operand: string): boolean => operand.startsWith("git:");

/** The path in an operand: `git:HEAD:sub/a.wf` → `sub/a.wf`. */
export const pathInRevision = (operand: string): string => FORM.exec(operand)?.[2] ?? operand;

export function readRevision(cwd: string, operand: string): ProgramInput {
  const [, revision = "", path = ""] = FORM.exec(operand) ?? [];
  // A revision that begins with a dash would be an option.
  if (revision === "" || revision.startsWith("-")) throw usageFault(`${operand} is not of the form git:REV:PATH`);
  // `./` makes the path count from the working folder, as everywhere else.
  const object = `${revision}:${path.startsWith("/") ? path : `./${path}`}`;
  const answer = spawnSync("git", ["--no-pager", "cat-file", "blob", object], {
    cwd,
    maxBuffer: MAX_IR_BYTES + 1,
    timeout: TIMEOUT_MS,
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (answer.error !== undefined && "code" in answer.error && answer.error.code === "ENOENT")
    throw unreadable("git is not installed here");
  if (answer.status !== 0)
    throw unreadable(`git has no file ${path} in revision ${revision}, or this is not a git repository`);
  return parseInput(operand, null, answer.stdout);
}

function unreadable(message: string): CliFault {
  return new CliFault(message, {
    error: "input_error",
    exitCode: EXIT.usage,
    members: { error_kind: "path_not_found" },
  });
}
