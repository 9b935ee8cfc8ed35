/** Requests that the HTTP parser could not read: no route, no request object, an answer written straight to the socket. */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { jsonAnswer } from "./answers.ts";
import { standardHeaders } from "./call.ts";
import { errorRow, faultBody, ServiceFault } from "./errors.ts";
import { unsampled } from "./tracing.ts";

export function answerBrokenRequest(fault: Error & { readonly code?: string }, socket: Socket, traceId: string): void {
  if (fault.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const meant = faultOf(fault.code);
  const { status, headers, body } = jsonAnswer(errorRow(meant.error).status, faultBody(meant, traceId), {
    ...standardHeaders(traceId, unsampled(traceId)),
    connection: "close",
  });
  const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(body)) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}

function faultOf(code: string | undefined): ServiceFault {
  if (code === "HPE_HEADER_OVERFLOW")
    return new ServiceFault("header_fields_too_large", "the headers are larger than 16384 bytes");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new ServiceFault("request_timeout", "the headers did not arrive in time");
  return new ServiceFault("invalid_request", "this is no HTTP/1.1 request");
}
