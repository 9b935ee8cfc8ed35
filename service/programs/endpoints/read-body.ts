/** The body of a request to an endpoint: which kinds are read where, its signature, and what it says. */

import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Json } from "../../../compiler/json.ts";
import { readBytes, readJsonValue } from "../../http/body/json.ts";
import { plainType } from "../../http/body/stream.ts";
import type { RequestCall } from "../../http/request-context.ts";
import type { Services } from "../../services.ts";
import { faults, ServiceFault } from "../../wire/errors.ts";
import type { EndpointSettings } from "./endpoint-settings.ts";
import { type Fields, formBody, multipartBody } from "./forms.ts";
import type { VerifySettings } from "./verify/settings.ts";
import { signatureFault } from "./verify/signatures.ts";

type Asking = {
  readonly services: Services;
  readonly settings: EndpointSettings;
  readonly program: string;
  readonly asked: { readonly method: string; readonly path: string; readonly written: string };
  readonly headers: IncomingHttpHeaders;
  readonly raw: IncomingMessage;
  readonly call: RequestCall;
};

/** `fields`: of a form, whose texts inputs read as they read a query. */
export type EndpointBody = { readonly value: Json | undefined; readonly fields: Fields | null };

const NOTHING: EndpointBody = { value: undefined, fields: null };

type Kind = "json" | "form" | "multipart" | "text";

/** After its signature was found valid. Rejects with ServiceFault. */
export async function readEndpointBody(asking: Asking): Promise<EndpointBody> {
  const { services, settings, headers, raw } = asking;
  const isEmpty = hasNoBody(headers);
  if (settings.verify === undefined) {
    if (isEmpty) return NOTHING;
    const kind = kindOf(headers, settings);
    return readBytes(services, raw, (bytes) => parsed(kind, bytes, asking));
  }
  const kind = isEmpty ? "json" : kindOf(headers, settings);
  // A copy: the buffer of a body is used again.
  const bytes = isEmpty ? Buffer.alloc(0) : await readBytes(services, raw, (body) => Buffer.from(body));
  await checkSignature(asking, settings.verify, bytes);
  return isEmpty ? NOTHING : parsed(kind, bytes, asking);
}

async function checkSignature(asking: Asking, verify: VerifySettings, body: Buffer): Promise<void> {
  const { services, asked, program, headers, call } = asking;
  const { config, clock, secrets, events } = services;
  const delivery = {
    method: asked.method,
    path: `/app/${program}${asked.path}`,
    query: asked.written,
    publicUrl: config.publicUrl,
    headers,
    body,
    now: clock.wall(),
  };
  const reason = await signatureFault(verify, delivery, (name) => secrets.get(name));
  if (reason === null) return;
  events.note("warn", "signature_invalid", { reason, kind: verify.kind }, call.context);
  throw new ServiceFault("signature_invalid", "the signature is not valid", {}, authenticateBy(verify, program));
}

/** Clients that send a password only when they are asked for one are asked. */
function authenticateBy({ kind }: VerifySettings, program: string): Readonly<Record<string, string>> {
  if (kind === "basic") return { "www-authenticate": `Basic realm="${program}", charset="UTF-8"` };
  return kind === "bearer" ? { "www-authenticate": `Bearer realm="${program}"` } : {};
}

/**
 * Any page can send a form or a plain text without asking first, so both are read only where a signature is checked, or where the program says so. Throws
 * ServiceFault unsupported_media_type.
 */
function kindOf(headers: IncomingHttpHeaders, settings: EndpointSettings): Kind {
  const { type, isJson } = plainType(headers);
  if (isJson) return "json";
  const isForm = type === "application/x-www-form-urlencoded";
  const isMultipart = type === "multipart/form-data";
  if (isForm || isMultipart) {
    if (settings.verify === undefined && settings.body !== "form") throw unread("forms", "form");
    return isForm ? "form" : "multipart";
  }
  if (!TEXT.test(type)) throw faults.notJson();
  if (settings.verify === undefined && settings.body !== "text") throw unread("texts", "text");
  return "text";
}

const TEXT = /^(?:text\/[a-z0-9.+-]+|application\/(?:[a-z0-9.-]+\+)?xml)$/;

function unread(what: string, setting: string): ServiceFault {
  const message = `send the body as JSON: ${what} are read by endpoints that have verify, or body "${setting}", in their settings`;
  return new ServiceFault("unsupported_media_type", message);
}

function parsed(
  kind: Kind,
  bytes: Buffer,
  { services, settings, headers }: Asking,
): EndpointBody | Promise<EndpointBody> {
  if (kind === "form") return formBody(bytes);
  if (kind === "multipart") return multipartBody(bytes, headers["content-type"] ?? "", settings.files === true);
  if (kind === "text") {
    if (!isUtf8(bytes)) throw faults.invalidRequest([{ path: "", code: "encoding", message: "the body is not UTF-8" }]);
    return { value: bytes.toString("utf8"), fields: null };
  }
  const value = readJsonValue(bytes, services.clock);
  return value instanceof Promise ? value.then(ofJson) : ofJson(value);
}

const ofJson = (value: Json | undefined): EndpointBody => ({ value, fields: null });

function hasNoBody(headers: IncomingHttpHeaders): boolean {
  return headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
}
