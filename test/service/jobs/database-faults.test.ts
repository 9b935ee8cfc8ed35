/** What failures of a database mean: which of them pass, and which are ours. */
import { expect, it } from "vitest";
import { reasonOf } from "../../../service/jobs/postgres/database.ts";

const failure = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

it.each([
  ["a lost socket", failure("write EPIPE", "EPIPE"), "cannot be reached"],
  ["a server that is not there", failure("connect ENOENT", "ENOENT"), "cannot be reached"],
  ["an ended connection", failure("Connection terminated unexpectedly"), "cannot be reached"],
  ["no answer", failure("Query read timeout"), "cannot be reached"],
  ["a shutdown", failure("terminating connection", "57P01"), "shutting down"],
  ["a statement that took too long", failure("canceling statement", "57014"), "in time"],
  ["a full disk", failure("could not extend file", "53100"), "disk"],
  ["a deadlock", failure("deadlock detected", "40P01"), "busy"],
])("%s passes", (_, thrown, reason) => {
  expect(reasonOf(thrown)).toContain(reason);
});

it.each([
  ["a wrong statement", failure("syntax error", "42601")],
  ["a broken constraint", failure("duplicate key", "23505")],
  ["a defect", new TypeError("x is not a function")],
])("%s is ours", (_, thrown) => {
  expect(reasonOf(thrown)).toBeNull();
});
