/** Failures of PostgreSQL and its connections by code: those that a test cannot make happen included. */
import { expect, it } from "vitest";
import { postgresError } from "../../../../adapters/engine/postgres/errors.ts";

const refusal = (code: string) => Object.assign(new Error("canary"), { code, severity: "ERROR" });
const fault = (code: string) => Object.assign(new Error("canary"), { code });

it.each<[thrown: Error, code: string, retryable: boolean, data: object | null]>([
  [refusal("53100"), "ADAPTER_QUOTA", false, { sqlstate: "53100" }],
  [refusal("53300"), "ADAPTER_BUSY", true, { sqlstate: "53300" }],
  [refusal("57P03"), "ADAPTER_UNAVAILABLE", true, { sqlstate: "57P03" }],
  [refusal("57P01"), "ADAPTER_TRANSPORT", true, { sqlstate: "57P01" }],
  [refusal("08006"), "ADAPTER_TRANSPORT", true, { sqlstate: "08006" }],
  [refusal("40001"), "ADAPTER_BUSY", true, { sqlstate: "40001" }],
  [refusal("23P01"), "ADAPTER_SQL_CONSTRAINT", false, { kind: "exclusion", sqlstate: "23P01" }],
  [refusal("23001"), "ADAPTER_SQL_CONSTRAINT", false, { kind: "other", sqlstate: "23001" }],
  [refusal("22003"), "ADAPTER_SQL_ERROR", false, { sqlstate: "22003" }],
  [refusal("42P01"), "ADAPTER_SQL_ERROR", false, { sqlstate: "42P01" }],
  [refusal("42501"), "ADAPTER_NOT_ALLOWED", false, { sqlstate: "42501" }],
  [refusal("54000"), "ADAPTER_TOO_LARGE", false, { sqlstate: "54000" }],
  [refusal("XX001"), "ADAPTER_BAD_DATA", false, { sqlstate: "XX001" }],
  [fault("ECONNREFUSED"), "ADAPTER_TRANSPORT", true, { reason: "refused" }],
  [fault("ENOTFOUND"), "ADAPTER_TRANSPORT", true, { reason: "dns" }],
  [fault("EPIPE"), "ADAPTER_TRANSPORT", true, { reason: "reset" }],
  [fault("CERT_HAS_EXPIRED"), "ADAPTER_TRANSPORT", true, { reason: "tls" }],
  [fault("EMFILE"), "ADAPTER_BUSY", true, null],
  [new Error("Connection terminated unexpectedly"), "ADAPTER_TRANSPORT", true, { reason: "closed" }],
])("%s is %s", (thrown, code, retryable, data) => {
  const error = postgresError(thrown);
  expect(error).toMatchObject({ code, retryable, data });
  expect(error.message).not.toContain("canary");
});
