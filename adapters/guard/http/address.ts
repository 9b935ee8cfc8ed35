/**
 * What an IP address leads to, as far as the address itself tells: the public internet, a private network, or something that no
 * request should ever reach. Every connection to an address that was not chosen by the operator is checked here first; nothing is resolved.
 */
import { BlockList, isIP } from "node:net";

/**
 * `private`: this machine, or a network of its owner. `reserved`: no ordinary host at all, or the services of a cloud that
 * hand out credentials (link-local, unspecified, multicast, reserved, documentation).
 */
export type AddressKind = "public" | "private" | "reserved";

type Range = readonly [network: string, bits: number];

const PRIVATE: readonly Range[] = [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["::1", 128],
  ["fc00::", 7],
];

const RESERVED: readonly Range[] = [
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
  // Metadata services of clouds that stand in a private range, or in a public one.
  ["100.100.100.200", 32],
  ["168.63.129.16", 32],
  ["fd00:ec2::254", 128],
  ["fd20:ce::254", 128],
];

/** Forms of IPv6 whose last 32 bits are an IPv4 address: mapped, compatible, and translated by NAT64. */
const CARRIERS: readonly Range[] = [
  ["::ffff:0:0", 96],
  ["::", 96],
  ["64:ff9b::", 96],
];

const privateRanges = blockList(PRIVATE);
const reservedRanges = blockList(RESERVED);
const carriers = blockList(CARRIERS);
const globalUnicast = blockList([["2000::", 3]]);

/** Null when the text is not an address, or has a zone, which is meaningful on one machine only. */
export function addressKind(address: string): AddressKind | null {
  const family = isIP(address);
  if (family === 0 || address.includes("%")) return null;
  if (family === 4) return kindIn(address, "ipv4");
  const kind = kindIn(address, "ipv6");
  if (kind !== "public" || globalUnicast.check(address, "ipv6")) return kind;
  return carriers.check(address, "ipv6") ? kindIn(carriedAddress(address), "ipv4") : "reserved";
}

/** Whether an address is public in its own right: one that carries an IPv4 address is not. */
export function isPublicAddress(address: string): boolean {
  return addressKind(address) === "public" && !(isIP(address) === 6 && carriers.check(address, "ipv6"));
}

function kindIn(address: string, family: "ipv4" | "ipv6"): AddressKind {
  if (reservedRanges.check(address, family)) return "reserved";
  return privateRanges.check(address, family) ? "private" : "public";
}

/** The last 32 bits of an IPv6 address, in dots. */
function carriedAddress(address: string): string {
  // The parser of URLs knows all spellings and writes groups of hexadecimal digits only.
  const [head = "", tail = ""] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split("::");
  const groups = [head, tail].map((half) => (half === "" ? [] : half.split(":")));
  const [before = [], after = []] = groups;
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  const [high = 0, low = 0] = [...before, ...zeros, ...after].slice(-2).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function blockList(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of ranges) list.addSubnet(network, bits, isIP(network) === 4 ? "ipv4" : "ipv6");
  return list;
}
