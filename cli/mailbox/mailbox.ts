/**
 * The mailbox of the agent adapter as people and orchestrators use it: looking at tasks, checking envelopes, putting results down where
 * workflows find them. It reads and writes where the adapter does, a folder or the shared database, under the same rules.
 */
import { rename } from "node:fs/promises";
import {
  type EnvelopeVerdict,
  validateTaskRequest,
  validateTaskResult,
} from "../../adapters/builtin/agent/envelope.ts";
import { withLock } from "../../adapters/builtin/agent/lock.ts";
import type { MailCall } from "../../adapters/builtin/agent/mailbox.ts";
import { taskIdOf } from "../../adapters/builtin/agent/task-id.ts";
import { type FileRoot, openRoot } from "../../adapters/guard/files/path.ts";
import { readFile } from "../../adapters/guard/files/read.ts";
import { atPlace, inFolder } from "../../adapters/guard/files/walk.ts";
import { portionsOf, replaceFile } from "../../adapters/guard/files/write.ts";
import { isObject } from "../../compiler/json.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { CliFault, EXIT } from "../session/faults.ts";
import type { CliIo } from "../session/io.ts";
import { withSharedMailbox } from "./shared-mailbox.ts";

/** Where the mailbox is: in the shared database when there is one, else in the folder. */
export type MailboxPlace = { readonly agentRoot: string | null; readonly databaseUrl: string | null };

/** A finding with the file it is about, and the line of a file of tasks. */
export type MailboxIssue = EnvelopeVerdict["issues"][number] & { readonly file: string; readonly line?: number };

export type TaskRow = {
  /** 1-based, in the order in which they were sent. */
  readonly line: number;
  /** Null when the line is not a task or lacks the member. */
  readonly task_id: string | null;
  readonly task_type: string | null;
  readonly target_agent: string | null;
  readonly has_result: boolean;
};

const TASKS_FILE = "agent_tasks.jsonl";
const MAX_TASKS_BYTES = 256 * 1024 * 1024;
const MAX_RESULT_BYTES = 1024 * 1024;

/** Findings of a file with one task a line. */
export function lintTasks(file: string, text: string): readonly MailboxIssue[] {
  return linesOf(text).flatMap(({ line, value }) =>
    (value === undefined ? NOT_JSON : validateTaskRequest(value)).issues.map((issue) => ({ ...issue, file, line })),
  );
}

/** Findings of a file with one envelope. */
export function lintEnvelope(kind: "task" | "result", file: string, text: string): readonly MailboxIssue[] {
  const value = parsed(text);
  const validate = kind === "task" ? validateTaskRequest : validateTaskResult;
  return (value === undefined ? NOT_JSON : validate(value)).issues.map((issue) => ({ ...issue, file }));
}

/** The tasks of a mailbox, oldest first. Throws CliFault. */
export async function listTasks({ agentRoot, databaseUrl }: MailboxPlace): Promise<readonly TaskRow[]> {
  const rows: TaskRow[] = [];
  if (databaseUrl !== null) {
    return explained(() =>
      withSharedMailbox(databaseUrl, async (mailbox) => {
        for await (const { envelope, hasResult } of mailbox.tasks())
          rows.push(taskRow(rows.length + 1, parsed(envelope), hasResult));
        return rows;
      }),
    );
  }
  return withMailbox(agentRoot, { absent: [] }, async (root) => {
    const { signal } = new AbortController();
    const text = await readFile(root, `tasks/${TASKS_FILE}`, MAX_TASKS_BYTES, signal).catch(nothingYet);
    for (const { line, value } of linesOf(text.toString("utf8"))) {
      const id = memberOf(value, "task_id");
      rows.push(taskRow(line, value, id !== null && (await hasResult(root, id))));
    }
    return rows;
  });
}

function taskRow(line: number, task: unknown, has_result: boolean): TaskRow {
  return {
    line,
    task_id: memberOf(task, "task_id"),
    task_type: memberOf(task, "task_type"),
    target_agent: memberOf(task, "target_agent"),
    has_result,
  };
}

/** Puts a result down under its task id, in the place of an older one; readers see all of it or nothing. Returns the id. */
export async function putResult({ agentRoot, databaseUrl }: MailboxPlace, text: string, io: CliIo): Promise<string> {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length > MAX_RESULT_BYTES)
    throw new CliFault("the result is larger than 1 MiB", { error: "output_error", exitCode: EXIT.usage });
  const id = await explained(async () => taskIdOf(memberOf(parsed(text), "task_id")));
  if (databaseUrl !== null) {
    await explained(() => withSharedMailbox(databaseUrl, (mailbox) => mailbox.putResult(id, text)));
    return id;
  }
  return withMailbox(agentRoot, "create", async (root) => {
    const walk = { purpose: "write", make: true } as const;
    await atPlace(root, ["results", `${id}.json`], walk, (file) =>
      replaceFile(file, portionsOf(bytes), callOf(io), { create: false }),
    );
    return id;
  });
}

/** Moves the file of tasks aside, so that the next task begins a new one. Returns its new name, or null when there was none. */
export async function rotateTasks({ agentRoot, databaseUrl }: MailboxPlace, io: CliIo): Promise<string | null> {
  if (databaseUrl !== null) throw mailboxFault("a mailbox in a database has no file to move aside; delete its tasks");
  const stamp = new Date(io.clock.wall()).toISOString().replace(/[:.]/g, "-");
  const name = `agent_tasks.${stamp}.jsonl`;
  const call = callOf(io);
  return withMailbox(agentRoot, { absent: null }, (root) =>
    inFolder(root, ["tasks"], { purpose: "write" }, (folder) =>
      withLock(folder, call, async (held) => {
        await held();
        await rename(folder.at(TASKS_FILE), folder.at(name));
        return name;
      }),
    ).catch((cause: unknown) => (isMissing(cause) ? null : Promise.reject(cause))),
  );
}

/** `absent`: the result when the mailbox does not exist yet. */
async function withMailbox<T>(
  place: string | null,
  missing: "create" | { readonly absent: T },
  use: (root: FileRoot) => Promise<T>,
): Promise<T> {
  if (place === null) throw mailboxFault("no folder is configured for the mailbox; set WF_AGENT_ROOT");
  const create = missing === "create";
  return explained(async () => {
    try {
      return await use(await openRoot(place, { setting: "WF_AGENT_ROOT", stateDir: null, create }));
    } catch (cause) {
      const isAbsent = cause instanceof AdapterError && cause.code === "ADAPTER_NOT_CONFIGURED";
      if (!create && isAbsent) return missing.absent;
      throw cause;
    }
  });
}

/** What the adapter's parts refuse is a fault of the command. */
async function explained<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    throw cause instanceof AdapterError ? mailboxFault(cause.message) : cause;
  }
}

function mailboxFault(message: string): CliFault {
  return new CliFault(message, { error: "mailbox_error", exitCode: EXIT.usage });
}

function callOf({ clock, uuid }: CliIo): MailCall {
  return { signal: new AbortController().signal, now: () => clock.wall(), uuid, random: Math.random };
}

async function hasResult(root: FileRoot, id: string): Promise<boolean> {
  try {
    return await atPlace(
      root,
      ["results", `${taskIdOf(id)}.json`],
      { purpose: "read" },
      async ({ facts }) => facts?.isFile() === true,
    );
  } catch (cause) {
    if (cause instanceof AdapterError) return false;
    throw cause;
  }
}

function nothingYet(cause: unknown): Buffer {
  if (isMissing(cause)) return Buffer.alloc(0);
  throw cause;
}

function isMissing(cause: unknown): boolean {
  return cause instanceof AdapterError && cause.code === "ADAPTER_NOT_FOUND";
}

const NOT_JSON: EnvelopeVerdict = { ok: false, issues: [{ kind: "error", path: "", message: "not JSON" }] };

type Line = { readonly line: number /** undefined: not JSON. */; readonly value: unknown };

/** Empty lines are skipped. */
function linesOf(text: string): readonly Line[] {
  return text
    .split("\n")
    .map((line, at) => ({ line: at + 1, text: line.trim() }))
    .filter((one) => one.text !== "")
    .map(({ line, text: written }) => ({ line, value: parsed(written) }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, name: string): string | null {
  if (!isObject(value as never)) return null;
  const member = Object.getOwnPropertyDescriptor(value, name)?.value as unknown;
  return typeof member === "string" ? member : null;
}
