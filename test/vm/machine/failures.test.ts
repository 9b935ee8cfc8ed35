/** Failures of programs are not faults of the host: they are cheap, and do not affect the errors of others. */
import { describe, expect, it } from "vitest";
import { FatalFailure, OperationFailure } from "../../../vm/errors/failures.ts";

describe("a failure of a program", () => {
  it.each([new OperationFailure("no number"), new FatalFailure("RUNTIME_MAX_STEPS", "too many", "limit")])(
    "carries no stack of the host: $name",
    (failure) => {
      expect(failure).toBeInstanceOf(Error);
      expect(failure.stack).not.toMatch(/\n\s+at /);
    },
  );

  it("is one too where the host has frozen its globals", () => {
    const limit = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit") ?? {};
    Object.defineProperty(Error, "stackTraceLimit", { ...limit, writable: false });
    try {
      expect(new OperationFailure("no number").message).toBe("no number");
    } finally {
      Object.defineProperty(Error, "stackTraceLimit", limit);
    }
  });

  it("leaves the stacks of other errors alone", () => {
    const before = Error.stackTraceLimit;
    new OperationFailure("no number");
    expect(Error.stackTraceLimit).toBe(before);
    expect(new Error("a defect").stack).toMatch(/\n\s+at /);
  });
});
