/** What addresses lead to: the edges of every range, and the forms that carry another address. */
import { describe, expect, it } from "vitest";
import { addressKind, isPublicAddress } from "../../../adapters/guard/http/address.ts";

/** First and last address of every range that is not public, and the nearest ones outside where those are public. */
const RANGES: readonly (readonly [string, string, string | null, string | null])[] = [
  ["0.0.0.0", "0.255.255.255", null, "1.0.0.0"],
  ["10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
  ["192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
  ["192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
  ["192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  ["198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
  ["203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
  ["224.0.0.0", "255.255.255.255", "223.255.255.255", null],
  ["::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, "2000::"],
  ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"],
  ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"],
  ["4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null],
];

/** First and last address of the ranges that an operator may allow. */
const PRIVATE: readonly (readonly [string, string])[] = [
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.255.255.255"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["::1", "::1"],
  ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
];

const isPrivate = (address: string): boolean => PRIVATE.some((range) => range.includes(address));

describe("public addresses", () => {
  it.each(RANGES)("end before %s and continue after %s", (first, last, before, after) => {
    for (const inside of [first, last])
      expect([inside, addressKind(inside)]).toEqual([inside, isPrivate(inside) ? "private" : "reserved"]);
    for (const outside of [before, after])
      if (outside !== null) expect([outside, addressKind(outside)]).toEqual([outside, "public"]);
  });

  it.each([
    "",
    "example.com",
    "1.2.3",
    "2606:2800::1%eth0",
    "1.2.3.4/8",
    "[2606:2800::1]",
    "0x7f.1",
    "127.1",
    "010.1.1.1",
  ])("%j is not an address", (text) => {
    expect([addressKind(text), isPublicAddress(text)]).toEqual([null, false]);
  });
});

describe("private addresses", () => {
  it.each(PRIVATE)("reach from %s to %s", (first, last) => {
    expect([first, last].map(addressKind)).toEqual(["private", "private"]);
  });

  it.each(["100.100.100.200", "168.63.129.16", "fd00:ec2::254", "fd20:ce::254", "169.254.169.254"])(
    "do not include the metadata service at %s",
    (address) => {
      expect(addressKind(address)).toBe("reserved");
    },
  );
});

describe("IPv6 forms of IPv4 addresses", () => {
  it.each([
    ["::ffff:127.0.0.1", "private"],
    ["::ffff:7f00:1", "private"],
    ["0:0:0:0:0:ffff:a01:203", "private"],
    ["::ffff:169.254.169.254", "reserved"],
    ["::ffff:100:0", "public"],
    ["::ffff:8.8.8.8", "public"],
    ["::127.0.0.1", "private"],
    ["::8.8.8.8", "public"],
    ["::2", "reserved"],
    ["64:ff9b::7f00:1", "private"],
    ["64:ff9b::192.168.0.1", "private"],
    ["64:ff9b::8.8.8.8", "public"],
    ["64:ff9b::1", "reserved"],
    ["64:ff9b:1::8.8.8.8", "reserved"],
  ])("%s is %s", (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });

  it.each(["::ffff:8.8.8.8", "::8.8.8.8", "64:ff9b::8.8.8.8"])("%s is not public in its own right", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
