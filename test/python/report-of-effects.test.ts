/** What a program in Python can reach, however its functions come together, stands in its report and requirements (amendment 34). */
import { expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { securityReport } from "../../compiler/policy/report.ts";

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

it.each([
  ["that calls nothing outside", "def main(n):\n    return n + 1\n", 0],
  ["that calls once", `def main(url):\n    return helper(url)\n\n\n${HELPER}`, null],
  ["that calls in a loop", "def main(urls):\n    for url in urls:\n        http.Get(url)\n", null],
])("no bound is stated that a run may break, of a program %s", (_what, source, calls) => {
  const { ir } = compile(`# surface: python\n${source}`, { catalog: builtinCatalog });
  const { bounds, max_depth, unknown } = securityReport(ir as Ir, builtinCatalog).summary;
  expect(bounds).toMatchObject({ max_steps: null, max_adapter_calls: calls });
  expect(max_depth).toBeNull();
  expect(unknown.map(({ what }) => what)).toEqual(expect.arrayContaining(["steps", "depth"]));
});
