/** Natives that work so long that they give others a turn several times. */
import { expect, it } from "vitest";
import { compiled, hostWith, ran } from "../support/weft.ts";

it.each([
  ["a fold", "    return sum(range(150_000))", 11_249_925_000],
  ["a counter", '    return Counter(["a", "b", "c"] * 50_000).total()', 150_000],
  ["a sort", "    return sorted([i * 7919 % 100_003 for i in range(100_000)])[:3]", [0, 1, 2]],
  ["a sort with a function", "    return sorted(range(60_000), key=lambda i: -i)[:2]", [59_999, 59_998]],
  ["a dict of pairs", "    return len(dict(zip(range(90_000), range(90_000))))", 90_000],
])("%s over many elements continues after every turn", async (_, body, value) => {
  const program = compiled(`from collections import Counter\ndef main():\n${body}\n`);
  if (!("ir" in program)) throw new Error(JSON.stringify(program.refused));
  expect(await ran(hostWith(), program.ir, "{}")).toMatchObject({ kind: "value", value });
});

it.each([
  ["a hash", "hashlib.sha256(b'ab' * 1_500_000).hexdigest()[:8]", "4dc180d9"],
  ["a hash that is computed here", "hashlib.blake2b(b'ab' * 300_000).hexdigest()[:8]", "1dd900b0"],
  ["a key out of a password", "hashlib.pbkdf2_hmac('sha256', b'p', b's', 5_000).hex()[:8]", "b0acac4c"],
  ["html", "html.unescape('&lt;' * 20_000).count('<')", 20_000],
  ["base85", "base64.b85encode(b'ab' * 100_000).decode()[-8:]", "auoVPauo"],
  ["bytes of base85", "base64.a85decode(base64.a85encode(b'ab' * 100_000)).decode()[-3:]", "bab"],
])("%s of many bytes continues after every turn", async (_, body, value) => {
  const program = compiled(`import base64, hashlib, html\ndef main():\n    return ${body}\n`);
  if (!("ir" in program)) throw new Error(JSON.stringify(program.refused));
  expect(await ran(hostWith(), program.ir, "{}")).toMatchObject({ kind: "value", value });
});

it.each([
  [
    "a look-ahead over a line of 100,000 characters ends the run",
    'r"(?=.*x)a", "a" * 100_000',
    { code: "RUNTIME_NOT_EXACT" },
  ],
  [
    "400 looks at one place of a line end the run",
    '"|".join([r"(?=.*[xyz])"] * 400), "a" * 5_000',
    { code: "RUNTIME_NOT_EXACT" },
  ],
  [
    "looks at many places, each over a short text, do not end the run",
    'r"a(?=a{0,50}x)", "a" * 50_000',
    { value: true },
  ],
])("%s", async (_, args, outcome) => {
  const program = compiled(`import re\ndef main():\n    return re.search(${args}) is None\n`);
  if (!("ir" in program)) throw new Error(JSON.stringify(program.refused));
  expect(await ran(hostWith(), program.ir, "{}")).toMatchObject(outcome);
});
