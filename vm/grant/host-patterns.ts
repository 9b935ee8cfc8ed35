/**
 * Patterns of hosts and what two of them have in common: a name, `*.name` (sub-domains only), an address, a block of addresses,
 * each with or without a port. Text in, text out; no name is ever resolved.
 */

type Block = { readonly bits: 32 | 128; readonly base: bigint; readonly length: number };
type Host =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "below"; readonly name: string }
  | { readonly kind: "block"; readonly block: Block };
type Pattern = { readonly host: Host; readonly port: number | null };

const NAME = /^[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*$/;

/** The canonical spelling of a pattern; null when it is not valid. */
export function foldHostPattern(text: string): string | null {
  const pattern = parse(text);
  return pattern === null ? null : print(pattern);
}

/** The hosts that both folded patterns admit, as one folded pattern; null when they admit no common host. */
export function meetHostPatterns(left: string, right: string): string | null {
  const a = parse(left);
  const b = parse(right);
  if (a === null || b === null) return left === right ? left : null;
  const host = meetHosts(a.host, b.host);
  if (host === null || (a.port !== null && b.port !== null && a.port !== b.port)) return null;
  return print({ host, port: a.port ?? b.port });
}

/** Whether a folded pattern admits a host, given as a name or address with a port; without one: whether it does at some port. */
export function admitsHost(pattern: string, host: string, port: number | null): boolean {
  const bare = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const at = port ?? parse(pattern)?.port ?? null;
  const folded = foldHostPattern(at === null ? bare : `${bare}:${at}`);
  return folded !== null && meetHostPatterns(pattern, folded) === folded;
}

function meetHosts(a: Host, b: Host): Host | null {
  if (a.kind === "block" || b.kind === "block") {
    return a.kind === "block" && b.kind === "block" ? meetBlocks(a, b) : null;
  }
  if (a.kind === "name") return admitsName(b, a.name) ? a : null;
  if (b.kind === "name") return admitsName(a, b.name) ? b : null;
  if (a.name === b.name || a.name.endsWith(`.${b.name}`)) return a;
  return b.name.endsWith(`.${a.name}`) ? b : null;
}

function admitsName(host: Exclude<Host, { kind: "block" }>, name: string): boolean {
  return host.kind === "name" ? host.name === name : name.endsWith(`.${host.name}`);
}

function meetBlocks(a: Host & { kind: "block" }, b: Host & { kind: "block" }): Host | null {
  const [wide, narrow] = a.block.length <= b.block.length ? [a, b] : [b, a];
  const { bits, length, base } = wide.block;
  if (bits !== narrow.block.bits) return null;
  const shift = BigInt(bits - length);
  return base >> shift === narrow.block.base >> shift ? narrow : null;
}

function parse(text: string): Pattern | null {
  const folded = text.trim().toLowerCase();
  if (folded === "" || folded.length > 300) return null;
  const match = /^(\[[^\]]+\](?:\/[0-9]{1,3})?|[^[\]:]+)(?::([0-9]{1,5}))?$/.exec(folded);
  // An IPv6 address without brackets has colons but no port.
  const [, written = folded, digits] = match ?? [];
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  const host = parseHost(written);
  return host === null ? null : { host, port };
}

function parseHost(text: string): Host | null {
  const [, inside, plain, length] = /^(?:\[([^[\]/]+)\]|([^[\]/]+))(?:\/([0-9]{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(inside ?? plain ?? "");
  if (address !== null) {
    const bits = length === undefined ? address.bits : Number(length);
    if (bits > address.bits) return null;
    const shift = BigInt(address.bits - bits);
    return { kind: "block", block: { ...address, base: (address.base >> shift) << shift, length: bits } };
  }
  const name = text.replace(/\.$/, "");
  // Names whose last part is a number would be read as addresses by the parser of URLs.
  if (name.startsWith("*.")) return isName(name.slice(2)) ? { kind: "below", name: name.slice(2) } : null;
  return isName(name) ? { kind: "name", name } : null;
}

function isName(name: string): boolean {
  return name.length <= 253 && NAME.test(name) && !/(^|\.)[0-9]+$/.test(name);
}

function parseAddress(text: string): Omit<Block, "length"> | null {
  const four = parseFour(text);
  if (four !== null) return { bits: 32, base: four };
  if (!text.includes(":")) return null;
  const mapped = /^(.*:)([0-9.]+)$/.exec(text);
  const tail = mapped?.[2]?.includes(".") === true ? parseFour(mapped[2]) : null;
  const groups = tail === null ? text : `${mapped?.[1]}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  const six = parseSix(groups);
  return six === null ? null : { bits: 128, base: six };
}

function parseFour(text: string): bigint | null {
  if (!/^(0|[1-9][0-9]{0,2})(\.(0|[1-9][0-9]{0,2})){3}$/.test(text)) return null;
  let value = 0n;
  for (const part of text.split(".")) {
    if (Number(part) > 255) return null;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

function parseSix(text: string): bigint | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  let value = 0n;
  for (const group of [...head, ...Array.from({ length: Math.max(0, missing) }, () => "0"), ...tail]) {
    if (!/^[0-9a-f]{1,4}$/.test(group)) return null;
    value = (value << 16n) | BigInt(`0x${group}`);
  }
  return value;
}

function print({ host, port }: Pattern): string {
  const text = host.kind === "name" ? host.name : host.kind === "below" ? `*.${host.name}` : printBlock(host.block);
  return port === null ? text : `${text}:${port}`;
}

function printBlock({ bits, base, length }: Block): string {
  const size = bits === 32 ? 8n : 16n;
  const count = bits === 32 ? 4 : 8;
  const parts = Array.from(
    { length: count },
    (_, at) => (base >> (size * BigInt(count - 1 - at))) & ((1n << size) - 1n),
  );
  const address = bits === 32 ? parts.join(".") : `[${parts.map((part) => part.toString(16)).join(":")}]`;
  return length === bits ? address : `${address}/${length}`;
}
