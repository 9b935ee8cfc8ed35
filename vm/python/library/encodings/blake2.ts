/** Arguments of hashlib.blake2b and blake2s. */
import type { Blake2Parameters } from "../../bytes/blake2.ts";
import { OVERFLOW_ERROR, raised, TYPE_ERROR, VALUE_ERROR } from "../../exceptions.ts";
import type { PyDict } from "../../kinds/dict.ts";
import { notExact } from "../../not-exact.ts";
import type { Context, Value } from "../../object.ts";
import { isInt, truth } from "../../operations.ts";
import { smallOf } from "../arguments.ts";
import { bytesOf } from "../bytes.ts";

export type Blake2Name = "blake2b" | "blake2s";

/** In the order of the rows. */
const WORDS = [
  "digest_size",
  "key",
  "salt",
  "person",
  "fanout",
  "depth",
  "leaf_size",
  "node_offset",
  "node_depth",
  "inner_size",
  "last_node",
  "usedforsecurity",
];

/** Keywords of `hashlib.new` in that order. */
export function blake2Words(more: PyDict): (Value | undefined)[] {
  const unknown = [...more.keys()].find((word) => !WORDS.includes(word as string));
  if (unknown !== undefined) throw notExact(`BLAKE2 has no argument ${unknown}`);
  return WORDS.map((word) => more.get(word));
}

function bytesGiven(value: Value | undefined): Uint8Array {
  return value === undefined ? new Uint8Array() : bytesOf(value);
}

function intGiven(value: Value | undefined, missing: number): number {
  return value === undefined ? missing : smallOf(value);
}

/** An int without a sign. */
function unsigned(value: Value | undefined, bits: number, large: string): bigint {
  if (value === undefined) return 0n;
  if (!isInt(value)) throw raised(TYPE_ERROR, "an integer is required");
  const number = BigInt(value);
  if (number < 0n) throw raised(VALUE_ERROR, "value must be positive");
  if (number >= 1n << 64n) throw raised(OVERFLOW_ERROR, "int too big to convert");
  if (number >= 1n << BigInt(bits)) throw raised(OVERFLOW_ERROR, large);
  return number;
}

function check(isRight: boolean, text: string): void {
  if (!isRight) throw raised(VALUE_ERROR, text);
}

function isByte(number: number): boolean {
  return number >= 0 && number <= 255;
}

/** `given`: the arguments after the data; undefined: the default. Kinds are looked at before values, in CPython's order. */
export function blake2Parameters(
  name: Blake2Name,
  given: readonly (Value | undefined)[],
  ctx: Context,
): Blake2Parameters {
  const most = name === "blake2b" ? 64 : 32;
  const size = intGiven(given[0], most);
  const [key, salt, person] = [bytesGiven(given[1]), bytesGiven(given[2]), bytesGiven(given[3])];
  const [fanout, depth] = [intGiven(given[4], 1), intGiven(given[5], 1)];
  const [nodeDepth, innerSize] = [intGiven(given[8], 0), intGiven(given[9], 0)];
  const isLastNode = given[10] !== undefined && truth(given[10], ctx);
  check(size >= 1 && size <= most, `digest_size must be between 1 and ${most} bytes`);
  check(salt.length <= most / 4, `maximum salt length is ${most / 4} bytes`);
  check(person.length <= most / 4, `maximum person length is ${most / 4} bytes`);
  check(isByte(fanout), "fanout must be between 0 and 255");
  check(isByte(depth) && depth > 0, "depth must be between 1 and 255");
  const leafSize = Number(unsigned(given[6], 32, "leaf_size is too large"));
  const nodeOffset = unsigned(given[7], name === "blake2b" ? 64 : 48, "node_offset is too large");
  check(isByte(nodeDepth), "node_depth must be between 0 and 255");
  check(innerSize >= 0 && innerSize <= most, `inner_size must be between 0 and is ${most}`);
  check(key.length <= most, `maximum key length is ${most} bytes`);
  return { size, key, salt, person, fanout, depth, leafSize, nodeOffset, nodeDepth, innerSize, isLastNode };
}
