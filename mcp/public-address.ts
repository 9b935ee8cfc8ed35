/**
 * Which addresses belong to the public internet. Everything a document could use to reach into the host or its network is
 * refused: loopback, private, link-local, shared, multicast and reserved ranges, and every IPv6 form that carries an IPv4 address.
 */
import { BlockList, isIP } from "node:net";

const REFUSED_IPV4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Inside the global unicast range; everything outside it is refused anyway. */
const REFUSED_IPV6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const refused = new BlockList();
for (const [network, bits] of REFUSED_IPV4) refused.addSubnet(network, bits, "ipv4");
for (const [network, bits] of REFUSED_IPV6) refused.addSubnet(network, bits, "ipv6");
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

/** False for what is no address too, and for addresses with a zone. */
export function isPublicAddress(address: string): boolean {
  if (address.includes("%")) return false;
  const family = isIP(address);
  if (family === 4) return !refused.check(address, "ipv4");
  return family === 6 && globalUnicast.check(address, "ipv6") && !refused.check(address, "ipv6");
}
