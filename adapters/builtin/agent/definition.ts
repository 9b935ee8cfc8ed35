/**
 * The agent adapter: a mailbox between workflows and agents. It passes envelopes on and reads results; who works on a task, and
 * whether it is approved or paid for, is decided elsewhere.
 */
import { canonicalJson } from "../../../compiler/ir/canonical.ts";
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import type { AdapterError } from "../../../vm/errors/failures.ts";
import {
  arg,
  defineAdapter,
  id,
  type SettingsOf,
  setting,
  type VerbContext,
  verbsFor,
  z,
} from "../../definition/define.ts";
import type { AdapterLog } from "../../definition/effect.ts";
import { adapterError } from "../../errors.ts";
import { openRoot } from "../../guard/files/path.ts";
import { type EnvelopeVerdict, validateTaskRequest, validateTaskResult } from "./envelope.ts";
import { fileMailbox } from "./file-mailbox.ts";
import type { Mailbox } from "./mailbox.ts";
import { PostgresMailbox } from "./postgres-mailbox.ts";
import { newTaskId, taskIdOf } from "./task-id.ts";

const bytes = z.number().int().positive();
const settings = {
  root: setting
    .operator(z.string().optional())
    .describe(
      "the folder, else `WF_AGENT_ROOT`; made with mode 0700 when missing. Never `/`, a link to it, or a home folder",
    ),
  backend: setting
    .operator(z.enum(["files", "postgres"]).optional())
    .describe("where the mailbox is kept; without it `postgres` with `WF_DATABASE_URL`, else `files`"),
  strict_envelope: setting
    .operator(z.boolean().default(false))
    .describe("refuse tasks and results that are not valid; otherwise findings are counted in the log"),
  max_task_bytes: setting.operator(bytes.default(65_536)).describe("one line, its end included"),
  max_result_bytes: setting.operator(bytes.default(1_048_576)).describe("one result"),
};
type AgentSettings = SettingsOf<typeof settings>;

const envelopeObject = z.custom<JsonObject>(isObject, "an object");

const verb = verbsFor<typeof settings, Mailbox>();
const shared = { kind: "queue", determinism: "state", timeoutMs: 5_000, maxTimeoutMs: 15_000 } as const;
/** Far above the setting, which is what bounds a result. */
const MAX_RESULT_BYTES = 256 * 1024 * 1024;

export const agentAdapter = defineAdapter<typeof settings, Mailbox>({
  apiVersion: 1,
  concurrent: true,
  name: "agent",
  version: "1.0.0",
  summary: "A mailbox between workflows and agents.",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "operator_sensitive",
  sandboxSafe: false,
  networkFacing: false,
  durable: true,
  maturity: "beta",
  needs: ["files"],
  settings,
  async open({ settings, host, log }) {
    const { sharedDatabase } = host;
    const { backend = sharedDatabase === undefined ? "files" : "postgres" } = settings;
    if (backend === "postgres") {
      if (sharedDatabase !== undefined) return new PostgresMailbox(sharedDatabase);
      throw adapterError("ADAPTER_NOT_CONFIGURED", "this service has no database for mailboxes");
    }
    const path = settings.root ?? host.places.agentRoot;
    if (path === null) throw adapterError("ADAPTER_NOT_CONFIGURED", "no folder is configured for the mailbox");
    const root = await openRoot(path, { setting: "root", stateDir: host.places.stateDir, create: true });
    if (root.worldWritable) log("agent_root_world_writable");
    return fileMailbox(root);
  },
  verbs: {
    send_task: verb({
      ...shared,
      summary: "Puts a task into the mailbox and answers its id.",
      effect: "io-write",
      idempotent: "keyed",
      args: z.tuple([arg("envelope", envelopeObject)]),
      options: z.strictObject({ idempotency_key: z.string().min(1).max(1024).optional() }),
      result: z.string().describe("the task id"),
      errors: ["ADAPTER_PATH_ESCAPE", "ADAPTER_WRITE_FORBIDDEN", "ADAPTER_NOT_A_FILE", "ADAPTER_NOT_A_DIRECTORY"],
      examples: [
        {
          source: 'R agent.send_task {"task_id": "t-7", "task_type": "review", "input": {"payload": 1}} ->id',
          result: "t-7",
        },
      ],
      run: ({ args: [envelope], settings, instance, ctx }) => sendTask(envelope, settings, instance, ctx),
    }),
    read_result: verb({
      ...shared,
      summary: "The result of a task; until it is there, an error that Retry can wait out.",
      effect: "io-read",
      args: z.tuple([arg("task_id", id())]),
      result: envelopeObject.describe("the result, unchanged"),
      maxResultBytes: MAX_RESULT_BYTES,
      errors: ["ADAPTER_PATH_ESCAPE", "ADAPTER_NOT_A_FILE", "ADAPTER_NOT_A_DIRECTORY"],
      examples: [{ source: 'R agent.read_result "t-1" ->result', result: { task_id: "t-1", status: "completed" } }],
      run: ({ args: [taskId], settings, instance, ctx }) => readResult(taskId, settings, instance, ctx),
    }),
  },
});

async function sendTask(
  given: JsonObject,
  settings: AgentSettings,
  mailbox: Mailbox,
  ctx: VerbContext,
): Promise<string> {
  const named = given["task_id"] ?? null;
  const id = named === null ? newTaskId(ctx.now(), ctx.uuid()) : taskIdOf(named);
  const envelope = named === null ? { ...given, task_id: id } : given;
  const verdict = validateTaskRequest(envelope);
  if (settings.strict_envelope && !verdict.ok) {
    throw adapterError("ADAPTER_BAD_ARGS", "the envelope is not a valid task request", {
      data: { issues: issuesOf(verdict) },
    });
  }
  logFindings("agent_task_findings", verdict, ctx.log);
  const line = asciiJson(envelope);
  if (line.length + 1 > settings.max_task_bytes) {
    const limit = settings.max_task_bytes;
    const message = `the task is larger than ${limit} bytes (agent.max_task_bytes)`;
    throw adapterError("ADAPTER_TOO_LARGE", message, { data: { max_bytes: limit } });
  }
  return mailbox.send({ id, line, key: ctx.idempotencyKey }, ctx);
}

async function readResult(
  taskId: string,
  settings: AgentSettings,
  mailbox: Mailbox,
  ctx: VerbContext,
): Promise<JsonObject> {
  const result = parsedObject(await mailbox.result(taskIdOf(taskId), settings.max_result_bytes, ctx.signal));
  const verdict = validateTaskResult(result);
  if (settings.strict_envelope && !verdict.ok)
    throw badResult("this is not a valid task result", { issues: issuesOf(verdict) });
  logFindings("agent_result_findings", verdict, ctx.log);
  return result;
}

/** The writer may not be done, so trying again can help. */
function badResult(message: string, data: JsonObject = {}): AdapterError {
  return adapterError("ADAPTER_BAD_DATA", message, { retryable: true, data });
}

function parsedObject(bytes: Uint8Array): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw badResult("the result is not JSON");
  }
  if (!isObject(value)) throw badResult("the result is not an object");
  return value;
}

function issuesOf(verdict: EnvelopeVerdict): JsonObject[] {
  return verdict.issues.map((issue) => ({ ...issue }));
}

function logFindings(event: string, { issues }: EnvelopeVerdict, log: AdapterLog): void {
  if (issues.length === 0) return;
  const errors = issues.filter((issue) => issue.kind === "error").length;
  log(event, { errors, warnings: issues.length - errors });
}

/** One line that every reader takes, whatever charset it assumes: sorted keys, and nothing but ASCII. */
function asciiJson(value: JsonObject): string {
  return canonicalJson(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
