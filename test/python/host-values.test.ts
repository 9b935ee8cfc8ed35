/** Functions that ask the host are calls of adapters where they are called. As values they would be something else: they are refused. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";

const PROGRAMS: readonly (readonly [line: string, name: string])[] = [
  ["import time\ndef main(clock=time.time):\n    return clock()", "time.time"],
  ["import time\ndef main():\n    f = time.sleep\n    return f(0)", "time.sleep"],
  ["from time import sleep\ndef main():\n    return [f(0) for f in [sleep]]", "sleep"],
  ["import uuid\ndef main():\n    return callable(uuid.uuid4)", "uuid.uuid4"],
  ["from datetime import datetime\ndef main(clock=datetime.now):\n    return clock().year", "datetime.now"],
  ["import datetime\ndef main():\n    return list(map(datetime.date.today, []))", "date.today"],
  ["import random\ndef main():\n    return list(map(random.choice, ['ab']))", "random.choice"],
];

describe("a function that asks the host, as a value", () => {
  it.each(PROGRAMS)("%s", (source, name) => {
    const { diagnostics } = compile(`${source}\n`, { catalog: builtinCatalog });
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      `WF6005 '${name}' asks the host, and is not a value`,
    ]);
  });

  it("is called in a function that stands around it", () => {
    const source = "import time\ndef main(clock=lambda: time.time()):\n    return clock() > 1\n";
    expect(compile(source, { catalog: builtinCatalog }).diagnostics).toEqual([]);
  });
});

it("an argument that retry does not have names those that it has", () => {
  const source = "def main():\n    with retry(tries_of=3):\n        return 1\n";
  const { diagnostics } = compile(source, { catalog: builtinCatalog });
  expect(diagnostics[0]?.suggestion).toMatch(/^it has [a-z_, ]+$/);
});
