/** A module that does not exist here gives one finding, at its import, and none where its names are used. */
import { expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";

it.each([
  ["a module", "import requests", "requests.get(url).json()"],
  ["a module under another name", "import httpx as h", "h.post(url)"],
  ["a name of a module", "from requests import get", "get(url)"],
  ["a module inside another", "import nope.sub", "nope.sub.f(url)"],
  ["a module that is an adapter here", "import http", "http.get(url)"],
  ["a file next to this one", "from .helpers import add", "add(url)"],
])("%s: %s", (_what, line, use) => {
  const source = `# surface: python\n${line}\n\ndef main(url):\n    first = ${use}\n    return [first, ${use}]\n`;
  const { diagnostics } = compile(source, { catalog: builtinCatalog });
  expect(diagnostics.map(({ code, span }) => [code, span?.line])).toEqual([["WF6003", 2]]);
});
