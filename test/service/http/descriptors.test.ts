/** Connections of clients leave files for the process itself, whatever the operator allows. */
import { describe, expect, it } from "vitest";
import { readServiceStart } from "../../../service/config.ts";
import { openFilesOf, withinDescriptors } from "../../../service/http/connection-limit.ts";

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max processes             96365                96365                processes
Max open files            1024                 524288               files
Max locked memory         8388608              8388608              bytes
`;

describe("connections", () => {
  it.each([
    [1024, 768],
    [400, 200],
    [2, 1],
    [1, 1],
  ])("are limited, for a process with %i descriptors, to %i", (files, most) => {
    const start = withinDescriptors(readServiceStart({}), files);
    expect(start.config.maxConnections).toBe(most);
    expect(start.warnings.join("\n")).toMatch(
      new RegExp(`^few_descriptors: ${most} connections .* not 1024, .* ${files} `, "m"),
    );
  });

  it.each([1280, 20_000, null])("keep their configured maximum with %s", (files) => {
    const start = readServiceStart({});
    expect(withinDescriptors(start, files)).toBe(start);
  });

  it("may be limited further by the operator", () => {
    expect(withinDescriptors(readServiceStart({ WF_MAX_CONNECTIONS: "9" }), 64).config.maxConnections).toBe(9);
  });
});

describe("the most files", () => {
  it("are the soft limit, not the hard limit", () => {
    expect(openFilesOf(LIMITS)).toBe(1024);
  });

  it.each(["", LIMITS.replace("1024  ", "unlimited")])("are not known of %j", (limits) => {
    expect(openFilesOf(limits)).toBeNull();
  });
});
