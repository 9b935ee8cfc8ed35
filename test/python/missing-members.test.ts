/** A member that CPython has and Weft has not is refused: a program that catches AttributeError, or asks hasattr, would go another way. */
import { expect, it } from "vitest";
import { answerOf } from "./support/weft.ts";

async function outcomeOf(lines: string): Promise<string> {
  const head =
    "import datetime, io, json, re, time, uuid\nfrom functools import lru_cache\n\n@lru_cache\ndef f(n):\n    return n\n\n";
  const answer = await answerOf(`${head}def main():\n    ${lines.replaceAll("\n", "\n    ")}\n`);
  return answer.ok ? JSON.stringify(answer.out) : `${answer.error.code} ${answer.error.message}`;
}

it.each([
  ["return hasattr(b'a', 'rjust')", "RUNTIME_NOT_EXACT 'rjust' of bytes is not supported"],
  [
    "try:\n    return b'a'.rjust(3)\nexcept Exception:\n    return 1",
    "RUNTIME_NOT_EXACT 'rjust' of bytes is not supported",
  ],
  ["return re.compile('a').scanner", "RUNTIME_NOT_EXACT 'scanner' of re.Pattern is not supported"],
  ["return KeyError('x').with_traceback(None)", "RUNTIME_NOT_EXACT 'with_traceback' of KeyError is not supported"],
  ["return hasattr(uuid.UUID, 'hex')", "RUNTIME_NOT_EXACT 'hex' of UUID is not supported"],
  ["return hasattr(io.StringIO(), 'encoding')", "RUNTIME_NOT_EXACT 'encoding' of _io.StringIO is not supported"],
  ["return hasattr(1, 'nope')", "false"],
  ["return hasattr(int, 'nope')", "false"],
  ["return hasattr(f, 'nope')", "false"],
])("%s", async (lines, outcome) => {
  expect(await outcomeOf(lines)).toBe(outcome);
});

it.each([
  ["return time.sleep(0.001)", "null"],
  ["return time.sleep(0.0)", "null"],
  ["return time.sleep(0)", "null"],
  ["return time.sleep(True - 1)", "null"],
  ["return time.sleep(-1)", "RUNTIME_VALUE_ERROR ValueError: sleep length must be non-negative"],
  ["return time.sleep(float('nan'))", "RUNTIME_VALUE_ERROR ValueError: Invalid value NaN (not a number)"],
  ["return time.sleep('1')", "RUNTIME_TYPE_ERROR TypeError: 'str' object cannot be interpreted as an integer"],
])("a pause as CPython takes it: %s", async (lines, outcome) => {
  expect(await outcomeOf(lines)).toBe(outcome);
});

it("a hash begins without text", async () => {
  const begun = "h = hashlib.sha256()\nh.update(b'a')\nreturn h.hexdigest() == hashlib.new('sha256', b'a').hexdigest()";
  expect(await outcomeOf(`import hashlib\n${begun}`)).toBe("true");
});
