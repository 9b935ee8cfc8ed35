/** Requests that the HTTP parser could not read, or does not hand on: no route, no request object, an answer written straight to the socket. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { jsonAnswer } from "./answers.ts";
import { standardHeaders } from "./call.ts";
import { errorRow, faultBody, ServiceFault } from "./errors.ts";
import { SILENT_MS } from "./lingering.ts";
import { unsampled } from "./tracing.ts";

export function answerBrokenRequest(fault: Error & { readonly code?: string }, socket: Socket, traceId: string): void {
  if (fault.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  endWith(faultOf(fault.code), socket, traceId);
}

/** CONNECT asks for a tunnel, for which there is no request object either. */
export function answerTunnel(socket: Socket, traceId: string): void {
  socket.on("error", () => undefined);
  const allow = { allow: "GET, HEAD, POST, DELETE" };
  endWith(new ServiceFault("method_not_allowed", "this service is no proxy", {}, allow), socket, traceId);
}

function endWith(fault: ServiceFault, socket: Socket, traceId: string): void {
  const { status, headers, body } = jsonAnswer(errorRow(fault.error).status, faultBody(fault, traceId), {
    ...standardHeaders(traceId, unsampled(traceId)),
    ...fault.headers,
    connection: "close",
  });
  const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(body)) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  // Nobody else looks after this connection any more, and its sender may never close it.
  socket.setTimeout(SILENT_MS, () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}

function faultOf(code: string | undefined): ServiceFault {
  if (code === "HPE_HEADER_OVERFLOW")
    return new ServiceFault("header_fields_too_large", "the headers are larger than 16384 bytes");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new ServiceFault("request_timeout", "the headers did not arrive in time");
  return new ServiceFault("invalid_request", "this is no HTTP/1.1 request");
}
