/** Requests and responses that are as large as they may be and take longest for their size: what a service does with them must not hold its thread. */
import { compile } from "../../compiler/compile.ts";

export const MIB = 1024 * 1024;

export function repeated(bytes: number, part: (at: number) => string, end = ""): string {
  let text = "";
  for (let at = 0; text.length < bytes; at++) text += part(at);
  return text + end;
}

/** The IR of labels, as long as a body may be. */
function largeIr(): object {
  const source = repeated(230_000, (at) => `La${at}:\n  Set x${at} ${at}\n  J x${at}\n`);
  const { ir } = compile(source);
  if (ir === null) throw new Error("does not compile");
  return ir;
}

export const BODIES: readonly (readonly [what: string, body: () => object])[] = [
  ["an IR document of 4 MB", () => ({ ir: largeIr() })],
  [
    "a source of 1 MiB of labels",
    () => ({ code: repeated(0.95 * MIB, (at) => `La${at}:\n  Set x${at} ${at}\n  J x${at}\n`) }),
  ],
  [
    "a source of 1 MiB in one label",
    () => ({ code: repeated(0.95 * MIB, (at) => (at === 0 ? "L1:\n" : `  X y${at} add ${at} 1\n`), "  J y1\n") }),
  ],
  [
    "a source of 1 MiB that sets nothing",
    () => ({ code: repeated(0.95 * MIB, (at) => (at === 0 ? "L1:\n" : `  X y${at} add x${at} 1\n`), "  J y1\n") }),
  ],
  [
    "a source of 1 MiB in Python",
    () => ({
      code: repeated(
        0.95 * MIB,
        (at) => `def g${at}():\n    x = ${at}\n    if x > 3:\n        return x + 1\n    return x\n`,
      ),
    }),
  ],
  [
    "a list of 1 MiB in one statement",
    () => ({
      code: `def g():\n    a = [\n${repeated(0.95 * MIB, (at) => `        [${at}, "x"],\n`)}        1\n    ]\n    return a\n`,
    }),
  ],
  [
    "1 MiB of branches of one statement",
    () => ({
      code: `def g(x=0):\n    if x:\n        y = 1\n${repeated(0.95 * MIB, (at) => `    elif x == ${at}:\n        y = 2\n`)}`,
    }),
  ],
  [
    "a program whose result is 14 MiB of small lists",
    () => ({ code: "L1:\n  X r range 900000\n  X z zip r r\n  J z\n" }),
  ],
];

/** Small requests for the product of two large sizes: all of them were one operation, minutes long. */
export const PRODUCTS: readonly (readonly [what: string, code: string])[] = [
  [
    "1 M objects filtered by a list of 1 M numbers",
    'L1:\n Set a [{"p":-1}]\n Loop (range 20) i ->L2 ->L3\nL2:\n X a add a a\nL3:\n X s range 1000000\n Filt q a p in s\n J 1\n',
  ],
  [
    "2,048 lists of 4,096 numbers sought in 4,096 such lists",
    'L1:\n X r range 4096\n X m slice r 0 4095\n X n push m 0\n X o obj "p" n\n Set a [o]\n Loop (range 11) i ->L2 ->L3\n' +
      "L2:\n X a add a a\nL3:\n X s [r]\n Loop (range 12) i ->L4 ->L5\nL4:\n X s add s s\nL5:\n Filt q a p in s\n J 1\n",
  ],
];

/** Programs of half a megabyte: the largest that can be deployed, for their IR. */
export const DEPLOYED: readonly (readonly [what: string, code: (version: number) => string])[] = [
  ["labels", (version) => repeated(MIB / 2, (at) => `La${at}:\n  Set x${at} ${at + version}\n  J x${at}\n`)],
  [
    "one label",
    (version) => repeated(MIB / 2, (at) => (at === 0 ? "L1:\n" : `  X y${at} add ${at} ${version}\n`), "  J y1\n"),
  ],
  [
    "calls",
    (version) =>
      repeated(
        MIB / 2,
        (at) => (at === 0 ? "L1:\n" : `  R http.Get "https://h${at}.test/${version}" ->r\n`),
        "  J r\n",
      ),
  ],
];

/** With its request, just what a body may be. */
const FRAME = 4 * MIB - 200;

/** Frames that take longest to read and to load for their size. */
export const FRAMES: readonly (readonly [what: string, frame: () => string, status: number])[] = [
  ["4 MiB of empty lists", () => listOf(FRAME, () => "[]"), 200],
  ["4 MiB of empty objects", () => listOf(FRAME, () => "{}"), 200],
  ["4 MiB of lists in lists", () => listOf(FRAME, () => "[[[1]],{}]"), 200],
  ["4 MiB of numbers", () => listOf(FRAME, (at) => String(at % 10)), 200],
  ["1.2 MB of keys of their own", () => `{${listOf(1.2e6, (at) => `"key${at}":1`).slice(1, -1)}}`, 200],
  [
    "4 MiB of keys of their own, more than there may be",
    () => `{${listOf(FRAME, (at) => `"key${at}":1`).slice(1, -1)}}`,
    400,
  ],
];

export function listOf(bytes: number, element: (at: number) => string): string {
  return `[${repeated(bytes - 100, (at) => `${at === 0 ? "" : ","}${element(at)}`)}]`;
}

/** What other servers answer: those that take longest to read for their size, up to the largest that a request may ask for. */
export const ANSWERS: readonly (readonly [what: string, document: () => string, status: string])[] = [
  ["8 MiB of empty objects", () => listOf(8 * MIB, () => "{}"), "error"],
  ["1.1 MB of empty objects", () => listOf(1.1e6, () => "{}"), "200"],
  ["5 MiB of numbers", () => listOf(4 * MIB, (at) => String(at % 10)), "200"],
  ["6 MB of different strings", () => listOf(6e6, (at) => `"s${at}"`), "200"],
  ["4 MB of rows", () => listOf(4e6, (at) => `{"id":${at},"name":"somebody","tags":["a","b"]}`), "200"],
  ["1.2 MB of keys of their own", () => `{${listOf(1.2e6, (at) => `"key${at}":1`).slice(1, -1)}}`, "200"],
  ["8 MiB of keys of their own", () => `{${listOf(8 * MIB, (at) => `"key${at}":1`).slice(1, -1)}}`, "error"],
];

/** A job whose result is 14 MiB of small lists. */
export const LARGE_JOB = "L1:\n  X r range 900000\n  X z zip r r\n  J z\n";

/** A program of which many begin together. */
export const ENDLESS_SUM =
  "def main():\n    a = list(range(200000))\n    for i in range(100000):\n        n = sum(a)\n    return n\n";
