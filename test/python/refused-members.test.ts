/** Members that generators and times have in CPython and not here are refused when a program is compiled. */
import { expect, it } from "vitest";
import { answerOf, compiled } from "./support/weft.ts";

const GENERATOR = "def numbers(n):\n    for i in range(n):\n        yield i\n\n\n";

function refusalOf(source: string): unknown {
  const made = compiled(source);
  return "ir" in made ? null : made.refused.map(({ code, message, line }) => [code, message, line]);
}

it.each([
  ["send", "def main():\n    it = numbers(3)\n    return it.send(None)", 8],
  ["close", "def main():\n    it = numbers(3)\n    next(it)\n    it.close()", 9],
  ["throw", "def end(it):\n    it.throw(ValueError('x'))\n\ndef main():\n    end(numbers(3))", 7],
  ["close", "def main():\n    numbers(3).close()", 7],
])("%s of a generator: %s", (name, main, line) => {
  expect(refusalOf(`${GENERATOR}${main}\n`)).toEqual([["WF6002", `a generator has no member '${name}'`, line]]);
});

it.each(["datetime.now()", "datetime(2026, 1, 1, tzinfo=ZoneInfo('Europe/Vienna'))"])("dst of a time: %s", (time) => {
  const head = "from datetime import datetime\nfrom zoneinfo import ZoneInfo\n\ndef main():\n";
  expect(refusalOf(`${head}    return ${time}.dst() is None\n`)).toEqual([["WF6002", "a time has no member 'dst'", 5]]);
});

it("close of something that may be another value than a generator is not refused", async () => {
  const main = "def main():\n    it = io.StringIO('a') if 1 else numbers(2)\n    it.close()\n    return 1\n";
  expect(await answerOf(`import io\n\n${GENERATOR}${main}`)).toMatchObject({ ok: true, out: 1 });
});
