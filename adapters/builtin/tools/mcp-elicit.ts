/**
 * Questions of an MCP server to the user, asked while one of its tools is called (elicitation in form mode). In a run that can ask people, and
 * where the operator allows it for the tool, they become questions like those of the adapter `approval` (docs/approvals.md).
 */
import { createHash } from "node:crypto";
import type { ElicitRequest, ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { canonicalJson } from "../../../compiler/ir/canonical.ts";
import { isObject, type Json, type JsonObject } from "../../../compiler/json.ts";
import {
  type ApprovalAsked,
  type ApprovalForm,
  isFieldName,
  MAX_CHOICE,
  MAX_CHOICES,
  MAX_FIELDS,
  MAX_TITLE,
  type RunDesk,
  secretField,
} from "../../../vm/durable/approvals.ts";
import type { ToolCall } from "./tool.ts";

const ACCEPT = "accept";
const DECLINE = "decline";
/** Questions of one call that are open at the same time. */
const MAX_OPEN = 20;
const DECLINED: ElicitResult = { action: "decline" };

/** A question that people cannot be asked is declined at once. */
export async function elicited(
  tool: string,
  desk: Required<Pick<RunDesk, "openApproval" | "awaitDecision" | "cancelApproval">>,
  { signal, ctx }: Pick<ToolCall, "signal" | "ctx">,
  params: ElicitRequest["params"],
): Promise<ElicitResult> {
  if (!("requestedSchema" in params)) return DECLINED;
  const { message, requestedSchema } = params;
  const form = formOf(requestedSchema.properties as JsonObject);
  if (form === null || message === "") return DECLINED;
  const question = canonicalJson({ message, form } as Json);
  // The same question of the same call is asked once, also when the call is made again.
  const id = createHash("sha256").update(`${ctx.traceId}\n${ctx.callId}\n${question}`).digest("hex").slice(0, 32);
  const asked: ApprovalAsked = {
    title: message.slice(0, MAX_TITLE),
    details: { via: "tool", tool, ...(message.length > MAX_TITLE ? { message } : {}) },
    choices: [ACCEPT, DECLINE],
    to: [],
    need: 1,
    form: Object.keys(form).length === 0 ? null : form,
    expiresMs: ctx.now() + ctx.remainingMs(),
  };
  await desk.openApproval(id, asked, MAX_OPEN);
  try {
    const { decision, data } = await desk.awaitDecision(id, signal);
    if (decision === DECLINE) return DECLINED;
    return decision === ACCEPT
      ? { action: "accept", content: (data ?? {}) as ElicitResult["content"] }
      : { action: "cancel" };
  } catch (thrown) {
    await desk.cancelApproval(id).catch(() => {});
    throw thrown;
  }
}

/** Null: it has fields that people cannot be asked for. */
function formOf(properties: JsonObject): ApprovalForm | null {
  const names = Object.keys(properties);
  if (names.length > MAX_FIELDS || !names.every(isFieldName) || secretField(properties) !== undefined) return null;
  const fields: [string, ApprovalForm[string]][] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const kind = kindOf(schema);
    if (kind === null) return null;
    fields.push([name, kind]);
  }
  return Object.fromEntries(fields);
}

function kindOf(schema: Json): ApprovalForm[string] | null {
  if (!isObject(schema)) return null;
  const { type, enum: words } = schema;
  if (type === "boolean") return "boolean";
  if (type === "number" || type === "integer") return "number";
  if (type !== "string") return null;
  if (words === undefined) return "oneOf" in schema ? null : "text";
  const isList = Array.isArray(words) && words.length >= 1 && words.length <= MAX_CHOICES;
  const fits = (word: Json): boolean => typeof word === "string" && word !== "" && word.length <= MAX_CHOICE;
  return isList && words.every(fits) ? (words as readonly string[]) : null;
}
