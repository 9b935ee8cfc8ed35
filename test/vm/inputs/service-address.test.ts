/** Addresses of services: credentials leave them as a header, and never stay in what is shown. */
import { describe, expect, it } from "vitest";
import { readServiceAddress } from "../../../vm/inputs/service-address.ts";

const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;

describe("readServiceAddress", () => {
  it.each([
    ["http://127.0.0.1:8770/", "http://127.0.0.1:8770", {}],
    ["https://weft.example.com/team//", "https://weft.example.com/team", {}],
    ["https://tok_1.a@weft.example.com", "https://weft.example.com", { authorization: "Bearer tok_1.a" }],
    ["https://ab%3D@weft.example.com/x/", "https://weft.example.com/x", { authorization: "Bearer ab=" }],
    ["https://ann:p%40ss@weft.example.com", "https://weft.example.com", { authorization: basic("ann:p@ss") }],
    ["https://:pass@weft.example.com", "https://weft.example.com", { authorization: basic(":pass") }],
    ["https://a%zz:b@weft.example.com", "https://weft.example.com", { authorization: basic("a%zz:b") }],
  ])("reads %s", (text, base, headers) => {
    expect(readServiceAddress(text)).toEqual({ base, headers });
  });

  it.each([
    "",
    "weft.example.com",
    "ftp://weft.example.com",
    "https://a%20b@weft.example.com",
    "https://%0A@x.example",
  ])("refuses %j", (text) => {
    expect(readServiceAddress(text)).toBeNull();
  });
});
