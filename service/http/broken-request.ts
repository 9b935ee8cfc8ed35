/** Requests that the HTTP parser could not read, or does not hand on: no route, no request object, an answer written straight to the socket. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { unsampled } from "../telemetry/tracing.ts";
import { asText, jsonAnswer } from "../wire/answers.ts";
import { errorRow, faultBody, ServiceFault } from "../wire/errors.ts";
import { SILENT_MS } from "./lingering.ts";
import { standardHeaders } from "./request-context.ts";

export function answerBrokenRequest(fault: Error & { readonly code?: string }, socket: Socket, traceId: string): void {
  if (fault.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  endWith(faultOf(fault.code), socket, traceId);
}

/** CONNECT asks for a tunnel; Node creates no request object for it either. */
export function answerTunnel(socket: Socket, traceId: string): void {
  socket.on("error", () => undefined);
  const allow = { allow: "GET, HEAD, POST, DELETE" };
  endWith(new ServiceFault("method_not_allowed", "this service is not a proxy", {}, allow), socket, traceId);
}

function endWith(fault: ServiceFault, socket: Socket, traceId: string): void {
  const answer = jsonAnswer(errorRow(fault.error).status, faultBody(fault, traceId), {
    ...standardHeaders(traceId, unsampled(traceId)),
    ...fault.headers,
    connection: "close",
  });
  const { status, headers, body } = asText(answer);
  const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(body)) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  // No other code closes this connection, and its sender may never do so.
  socket.setTimeout(SILENT_MS, () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}

function faultOf(code: string | undefined): ServiceFault {
  if (code === "HPE_HEADER_OVERFLOW")
    return new ServiceFault("header_fields_too_large", "the headers are larger than 16384 bytes");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new ServiceFault("request_timeout", "the headers did not arrive in time");
  return new ServiceFault("invalid_request", "this is not an HTTP/1.1 request");
}
