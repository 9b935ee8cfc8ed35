/** What a program in Python can reach, however its functions come together, stands in its report and requirements (amendment 34). */
import { expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";

const HELPER = "def helper(url):\n    return http.Get(url)\n";

it.each([
  ["of a function that is called by its name", `def main(url):\n    return helper(url)\n\n\n${HELPER}`],
  ["of a function that another name holds", `${HELPER}\n\ngo = helper\n\n\ndef main(url):\n    return go(url)\n`],
  ["of a function in a dict", `${HELPER}\n\nOPS = {"get": helper}\n\n\ndef main(url, op):\n    return OPS[op](url)\n`],
  ["of a lambda", "def main(urls):\n    return list(map(lambda url: http.Get(url).status, urls))\n"],
  ["of a function inside", "def main(url):\n    def inner():\n        return http.Get(url)\n    return inner()\n"],
  ["of a key function", `${HELPER}\n\ndef main(urls):\n    return sorted(urls, key=helper)\n`],
])("the adapter %s", (_what, source) => {
  const { ir, diagnostics } = compile(`# surface: python\n${source}`, { catalog: builtinCatalog });
  expect(diagnostics).toEqual([]);
  const { network, sandbox_policy_fragment } = ir?.execution_requirements ?? {};
  expect(network?.required).toBe(true);
  expect(sandbox_policy_fragment?.allowed_adapters).toContain("http");
});
