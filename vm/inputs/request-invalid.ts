/**
 * What a host refuses of a request that its types do not admit, because who embeds it need not use them: a misspelt limit would be none
 * at all. Only shapes are looked at, in few nanoseconds; what is wrong inside the frame shows in the run.
 */
import type { Ir } from "../../compiler/ir/graph.ts";
import { isObject, type JsonObject } from "../../compiler/json.ts";
import type { InputIssue } from "../../compiler/policy/policy.ts";
import { keepText } from "./exact-text.ts";

type RequestIssue = Omit<InputIssue, "code"> & { readonly code: InputIssue["code"] | "input_type" | "input_missing" };

/** A mistake of the embedding caller; nothing ran. `issues` have the same form as on the other surfaces. */
export class RequestInvalid extends Error {
  readonly code: "invalid_request" | "input_invalid";
  readonly issues: readonly RequestIssue[];
  constructor(issues: readonly RequestIssue[], code: RequestInvalid["code"] = "invalid_request") {
    super(`invalid request: ${issues.map(({ path, message }) => `${path}: ${message}`).join("; ")}`);
    this.name = "RequestInvalid";
    this.code = code;
    this.issues = issues;
  }
}

function wrongType(path: string, message: string): RequestInvalid {
  return new RequestInvalid([{ path, code: "type", message }]);
}

const NO_FRAME: JsonObject = Object.freeze({});

/** The IR of a request. That of a program which did not compile is null. */
export function givenIr(ir: Ir | null | undefined): Ir {
  if (isObject(ir)) return ir;
  throw wrongType("/ir", "expected IR; where compile gives null, its diagnostics say why");
}

/** The label of a request, as it was written; absent and null mean the default entry. */
export function givenLabel(label: string | null | undefined): string | undefined {
  if (label === undefined || label === null) return undefined;
  if (typeof label === "string") return label;
  throw wrongType("/label", "expected a text");
}

/** The frame of a request; absent and null mean an empty frame. */
export function givenFrame(frame: JsonObject | null | undefined): JsonObject {
  if (frame === undefined || frame === null) return NO_FRAME;
  if (isObject(frame)) return frame;
  throw wrongType("/frame", "expected an object");
}

type Texts = { readonly frame?: JsonObject | undefined; readonly frameText?: string | undefined };

/** The request with the frame that its text holds. */
export function withFrame<Request extends Texts>(request: Request): Request {
  const { frame, frameText } = request;
  if (frameText === undefined) return request;
  if (frame !== undefined) throw wrongType("/frameText", "give either frame or frameText");
  const { frameText: _text, ...rest } = request;
  return { ...rest, frame: readFrameText(frameText), outText: true } as unknown as Request;
}

function readFrameText(text: unknown): JsonObject {
  let frame: unknown;
  try {
    frame = JSON.parse(String(text));
  } catch {
    throw wrongType("/frameText", "expected JSON");
  }
  if (!isObject(frame)) throw wrongType("/frameText", "expected a JSON object");
  keepText(frame, String(text));
  return frame as JsonObject;
}

/** Adapters that a run may call, null for every one. A text would be a list of its letters. */
export function givenAdapters(
  allowed: readonly string[] | ReadonlySet<string> | null | undefined,
): ReadonlySet<string> | null {
  if (allowed === undefined || allowed === null) return null;
  if (allowed instanceof Set) return allowed;
  if (typeof allowed === "object" && Symbol.iterator in allowed) return new Set(allowed);
  throw wrongType("/allowedAdapters", "expected a list or a set of names");
}
