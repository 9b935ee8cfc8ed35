/** A module that does not exist here gives one finding, at its import, and none where its names are used; a forgotten import says its line. */
import { expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import { ADAPTERS_INSTEAD } from "../../compiler/python/library/instead.ts";
import { KNOWN_MODULES } from "../../compiler/python/library/known.ts";

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

it.each([
  ["psycopg2", "db serves: call its verbs, no import is needed"],
  ["logging", "print(...) adds a line to the answer of the run"],
  ["google.cloud", null],
  ["argparse", "the parameters of main are the inputs"],
  ["pandas", "lists, dicts, sorted and the module statistics serve"],
  ["urllib3", "http serves: call its verbs, no import is needed"],
])("import %s says what serves in its place", (module, help) => {
  const source = `import ${module}\n\ndef main():\n    return 1\n`;
  const { diagnostics } = compile(source, { catalog: builtinCatalog });
  expect(diagnostics.map(({ code, suggestion }) => [code, suggestion])).toEqual([["WF6003", help]]);
});

it.each([
  ["from math import cosine", "cosine(1)", "math has no member 'cosine'"],
  ["from typing import Listt", "1", "typing has no member 'Listt'"],
  ["from collections import Countr as C", "C('a')", "collections has no member 'Countr'"],
  ["from weft import htp", "htp.get('x')", "weft has no member 'htp'"],
  ["from calendar import create", "create(1)", "the module calendar of Python has no member 'create'"],
])("%s is refused where CPython raises ImportError, once, used or not", (line, use, message) => {
  for (const value of [use, "1"]) {
    const { diagnostics } = compile(`${line}\n\ndef main():\n    return ${value}\n`, { catalog: builtinCatalog });
    expect(diagnostics.map(({ message, span }) => [message, span?.line])).toEqual([[message, 1]]);
  }
});

it.each([
  ["from typing import TYPE_CHECKING, Protocol, overload"],
  ["from dataclasses import dataclass, field"],
  ["from enum import Enum, auto"],
  ["from __future__ import annotations"],
  ["from collections import namedtuple, ChainMap"],
  ["from weft import api, cron, http, parallel, progress, sort_by, AdapterError, Record"],
  ["from collections.abc import Generator"],
])("%s does nothing while nothing uses it", (line) => {
  const { diagnostics } = compile(`${line}\n\ndef main():\n    return 1\n`, { catalog: builtinCatalog });
  expect(diagnostics).toEqual([]);
});

it.each([
  ["json.dumps(1)", "set it before it is read, or write import json at the top"],
  ["defaultdict(list)", "set it before it is read, or write from collections import defaultdict at the top"],
  ["datetime.now()", "set it before it is read, or write import datetime, or from datetime import datetime at the top"],
  ["urllib.parse.quote('x')", "set it before it is read, or write import urllib.parse at the top"],
  [
    "requests.get('x')",
    "set it before it is read; in place of requests: http serves: call its verbs, no import is needed",
  ],
  // A name that is not called is taken for a variable, also where a module has such a function.
  ["sqrt", "set it before it is read, or give it as a parameter; a text needs quotes"],
  ["totl", "did you mean 'total'?"],
  ["HTTPError", "set it before it is read; in place of HTTPError: a failed call raises AdapterError"],
  ["true", "set it before it is read; in place of true: write True"],
  ["false", "set it before it is read; in place of false: write False"],
  ["null", "set it before it is read; in place of null: write None"],
  ["undefined", "set it before it is read; in place of undefined: write None"],
  [
    "console.log('x')",
    "set it before it is read; in place of console: print(...) adds a line to the answer of the run",
  ],
])("a forgotten import: %s", (expression, help) => {
  const source = `def main(total: int):\n    return ${expression}\n`;
  const { diagnostics } = compile(source, { catalog: builtinCatalog });
  expect(diagnostics.map(({ code, suggestion }) => [code, suggestion])).toEqual([["WF6001", help]]);
});

it("every module for which something serves is refused, and named once", () => {
  const said = Object.values(ADAPTERS_INSTEAD).flatMap((modules) => modules.split(" "));
  expect(new Set(said).size).toBe(said.length);
  for (const module of said) expect(KNOWN_MODULES.has(module), module).toBe(false);
});

it.each([
  ["csv.Dialect", /^reader, DictReader, writer and DictWriter serve/],
  ["csv.field_size_limit(1)", /^reader, DictReader, writer and DictWriter serve/],
  ["random.gammavariate(1, 2)", /^random\.random, uniform, randint/],
  ["contextlib.nullcontext()", /^suppress serves/],
  ["csv.Sniffer()", /^give delimiter and quotechar/],
  ["csv.readr([])", /^did you mean 'reader'/],
])("%s does not exist, and the help says what of its module serves", (expression, help) => {
  const module = expression.slice(0, expression.indexOf("."));
  const source = `import ${module}\n\n\ndef main():\n    return ${expression}\n`;
  const { diagnostics } = compile(source, { catalog: builtinCatalog });
  expect(diagnostics).toMatchObject([{ code: "WF6002", suggestion: expect.stringMatching(help) }]);
});

it("an import of all names is one finding, however many of them are used", () => {
  const source = "from math import *\n\n\ndef main():\n    return sqrt(floor(4.5)) + cosine(1)\n";
  const { diagnostics } = compile(source, { catalog: builtinCatalog });
  expect(diagnostics.map(({ code, span }) => [code, span?.line])).toEqual([["WF6003", 1]]);
});
