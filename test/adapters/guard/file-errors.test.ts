/** The errors that programs get for failed system calls. */
import { expect, it } from "vitest";
import { errnoOf, fileError, ifPresent } from "../../../adapters/guard/files/errors.ts";
import { AdapterError } from "../../../vm/errors/failures.ts";

/** As Node makes them: with the path in the message. */
function failed(code: string): Error {
  return Object.assign(new Error(`${code}: open '/srv/secret/place'`), { errno: -1, code, syscall: "open" });
}

it.each([
  ["ENOENT", "ADAPTER_NOT_FOUND", false],
  ["ENOTDIR", "ADAPTER_NOT_A_DIRECTORY", false],
  ["EISDIR", "ADAPTER_NOT_A_FILE", false],
  ["ENXIO", "ADAPTER_NOT_A_FILE", false],
  ["ELOOP", "ADAPTER_PATH_ESCAPE", false],
  ["EEXIST", "ADAPTER_CONFLICT", false],
  ["ENOTEMPTY", "ADAPTER_CONFLICT", false],
  ["EXDEV", "ADAPTER_CONFLICT", false],
  ["ENAMETOOLONG", "ADAPTER_BAD_ARGS", false],
  ["EFBIG", "ADAPTER_TOO_LARGE", false],
  ["ENOSPC", "ADAPTER_QUOTA", false],
  ["EDQUOT", "ADAPTER_QUOTA", false],
  ["EMFILE", "ADAPTER_BUSY", true],
  ["ENFILE", "ADAPTER_BUSY", true],
  ["EBUSY", "ADAPTER_BUSY", true],
  ["EIO", "ADAPTER_FAILED", false],
])("%s: %s", (errno, code, retryable) => {
  for (const purpose of ["read", "write"] as const) {
    const error = fileError(failed(errno), purpose);
    expect(error).toMatchObject({ code, retryable, cause: { code: errno } });
    expect((error as AdapterError).message).not.toMatch(/secret/);
  }
});

it.each(["EACCES", "EPERM", "EROFS"])("%s depends on the purpose", (errno) => {
  expect(fileError(failed(errno), "read")).toMatchObject({ code: "ADAPTER_NOT_ALLOWED" });
  expect(fileError(failed(errno), "write")).toMatchObject({ code: "ADAPTER_WRITE_FORBIDDEN" });
});

it("leaves everything else as it is", async () => {
  const others = [new AdapterError("ADAPTER_CONFLICT", "x"), AbortSignal.abort().reason, new TypeError("x"), "text"];
  for (const other of others) {
    expect(fileError(other, "read")).toBe(other);
    expect(errnoOf(other)).toBeNull();
  }
  await expect(ifPresent(Promise.reject(failed("EIO")))).rejects.toMatchObject({ code: "EIO" });
  expect(await ifPresent(Promise.reject(failed("ENOENT")))).toBeUndefined();
});
