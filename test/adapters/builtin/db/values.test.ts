/** The one form of values: what is accepted, and that nothing is rounded. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { postgresDialect, sqliteDialect } from "../../../../adapters/builtin/db/dialects.ts";
import { type ColumnType, columnValue, utcTime } from "../../../../adapters/builtin/db/values.ts";
import type { Json } from "../../../../compiler/json.ts";

describe("columnValue", () => {
  it.each<[ColumnType, Json, Json | undefined]>([
    ["integer", 5, 5],
    ["integer", "-007", -7],
    ["integer", "9007199254740992", "9007199254740992"],
    ["integer", "9223372036854775807", "9223372036854775807"],
    ["integer", "9223372036854775808", undefined],
    ["integer", 1.5, undefined],
    ["integer", "1.0", undefined],
    ["integer", "", undefined],
    ["integer", " 1", undefined],
    ["number", "1.50", 1.5],
    ["number", "-0.10e2", -10],
    ["number", ".5", 0.5],
    ["number", "5.", 5],
    ["number", "0.1000000000000000055", "0.1000000000000000055"],
    ["number", "1e400", "1e400"],
    ["number", "1e-400", "1e-400"],
    ["number", "0e9", 0],
    ["number", "1e997", "1e997"],
    ["number", "1e998", undefined],
    ["number", "1e-997", "1e-997"],
    ["number", "1.0e-997", undefined],
    ["number", "1e9999", undefined],
    ["number", "0e9999", undefined],
    ["number", ".", undefined],
    ["number", "e5", undefined],
    ["number", "0x10", undefined],
    ["number", "NaN", undefined],
    ["number", "", undefined],
    ["text", "", ""],
    ["text", "\udc00", undefined],
    ["boolean", "true", undefined],
    ["bytes", { $base64: "" }, { $base64: "" }],
    ["bytes", { $base64: "AA==", more: 1 }, undefined],
    ["bytes", { $base64: "AA" }, undefined],
    ["bytes", { $base64: "A===" }, undefined],
    ["bytes", { $base64: "AA=A" }, undefined],
    ["timestamp", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00.000Z"],
    ["timestamp", "2024-01-01", undefined],
    ["timestamp", 0, undefined],
    ["json", { a: [1] }, { a: [1] }],
  ])("%s %j is %j", (type, given, kept) => {
    expect(columnValue(type, given)).toEqual(kept);
  });

  it("takes bytes of many megabytes", () => {
    const bytes = { $base64: "A".repeat(20_000_000) };
    expect(columnValue("bytes", bytes)).toBe(bytes);
    expect(columnValue("bytes", { $base64: `${"A".repeat(20_000_000)}!AAA` })).toBeUndefined();
  });

  it("keeps every number, written as text or not", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => {
        expect(columnValue("number", n)).toBe(n);
        expect(columnValue("number", String(n))).toBe(n === 0 ? 0 : n);
      }),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (n) => {
        expect(BigInt(columnValue("integer", n.toString()) as string | number)).toBe(n);
      }),
    );
  });
});

describe("utcTime", () => {
  it.each<[string, string | undefined]>([
    ["2024-02-29 21:00:00.25+00", "2024-02-29T21:00:00.250Z"],
    ["2024-02-29 21:00:00", "2024-02-29T21:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2024-01-01T00:30:00.123456+05:30", "2023-12-31T19:00:00.123456Z"],
    ["2024-01-01T00:30:00.1234567-0530", "2024-01-01T06:00:00.123456Z"],
    ["2024-01-01t00:00:00z", "2024-01-01T00:00:00.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59-01:00", undefined],
    ["0000-01-01T00:00:00+01:00", undefined],
    ["2023-02-29T00:00:00Z", undefined],
    ["2024-01-01T24:00:00Z", undefined],
    ["2024-01-01T00:60:00Z", undefined],
    ["2024-13-01T00:00:00Z", undefined],
    ["2024-01-01 00:00:00 BC", undefined],
    ["infinity", undefined],
    ["", undefined],
  ])("%j is %j", (text, time) => {
    expect(utcTime(text)).toBe(time);
  });
});

describe.each([sqliteDialect, postgresDialect])("the dialect $name", (dialect) => {
  it.each<[ColumnType, Json]>([
    ["integer", 7],
    ["number", 1.5],
    ["text", "\\x00"],
    ["boolean", true],
    ["boolean", false],
    ["json", { a: ["1", null] }],
    ["timestamp", "2024-01-01T00:00:00.125Z"],
    ["bytes", { $base64: "AP/+" }],
  ])("reads a %s as it wrote it: %j", (type, value) => {
    const written = dialect.write(type, value) as Json;
    // PostgreSQL writes t and f.
    const raw = dialect === postgresDialect && type === "boolean" ? String(written).slice(0, 1) : written;
    expect(dialect.read(type, raw)).toEqual(value);
  });

  it.each<[ColumnType, Json]>([
    ["integer", "x"],
    ["boolean", "yes"],
    ["json", "{nope"],
    ["timestamp", "soon"],
    ["bytes", 5],
  ])("does not read as %s: %j", (type, raw) => {
    expect(dialect.read(type, raw)).toBeUndefined();
  });
});

it("refuses to have SQLite round a number", () => {
  expect(sqliteDialect.write("number", "0.30000000000000000001")).toBeUndefined();
});
