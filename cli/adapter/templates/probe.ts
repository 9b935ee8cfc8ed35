import type { Template } from "../template.ts";

export function probeTemplate(name: string): Template {
  return {
    "index.js": `/** How the targets are that the operator named. Programs say a name; addresses they cannot choose. */
import { adapterError, arg, defineAdapter, setting, verbsFor, z } from "weft-runner/adapter";

const verb = verbsFor();

export default defineAdapter({
  apiVersion: 1,
  name: "${name}",
  version: "0.1.0",
  summary: "Whether targets answer.",
  support: "extension_ecosystem",
  lane: "noncanonical",
  privilege: "network",
  sandboxSafe: false,
  networkFacing: true,
  durable: false,
  maturity: "experimental",
  needs: ["http"],
  settings: {
    allow_targets: setting.list().describe("names that may be asked for"),
    targets: setting.operator(z.record(z.string(), z.url()).default({})).describe("address by name"),
  },
  verbs: {
    status: verb({
      summary: "Whether a target answers.",
      effect: "io-read",
      kind: "http",
      determinism: "external",
      args: z.tuple([arg("target", z.string().min(1).max(100))]),
      result: z.object({ ok: z.boolean(), status: z.number().nullable(), error: z.string().nullable() }),
      timeoutMs: 5_000,
      maxTimeoutMs: 30_000,
      examples: [{ source: 'R ${name}.status "web" ->s', result: { ok: true, status: 200, error: null } }],
      async run({ args: [target], settings, ctx }) {
        if (settings.allow_targets !== undefined && !settings.allow_targets.includes(target))
          throw adapterError("ADAPTER_NOT_ALLOWED", "the target is not on allow_targets");
        if (!Object.hasOwn(settings.targets, target))
          throw adapterError("ADAPTER_NOT_FOUND", "unknown target");
        return statusOf(ctx, settings.targets[target]);
      },
    }),
  },
});

async function statusOf({ host, signal }, url) {
  if (host.http === undefined) throw adapterError("ADAPTER_NOT_CONFIGURED", "${name} needs the http service of the host");
  // The operator's own address, so it may be a private one.
  const hosts = [new URL(url).host];
  const scope = host.http.scope({ allowHosts: hosts, operatorHosts: hosts });
  try {
    const { status } = await scope.request({ method: "GET", url, signal, ignoreBody: true });
    return { ok: status < 400, status, error: null };
  } catch (thrown) {
    // Who does not answer is what was asked about; everything else is the caller's.
    if (thrown.code !== "ADAPTER_TRANSPORT") throw thrown;
    return { ok: false, status: null, error: thrown.code };
  } finally {
    await scope.close();
  }
}
`,
    "fixture.js": `/** One target that works, one that is ill, and one that is not there, for every check of the suite anew. */
import { createServer } from "node:http";

export async function start() {
  const server = createServer((request, response) => response.writeHead(request.url === "/ill" ? 500 : 200).end());
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = \`http://127.0.0.1:\${server.address().port}\`;
  return {
    settings: { targets: { web: base, ill: \`\${base}/ill\`, gone: "http://127.0.0.1:1/" } },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
`,
    "test.js": `/** What this plugin has in common with other probes, and cases: findings, and one for each code of an error. */
const asking = (target) => ({ verb: "status", args: () => [target] });

export const kind = {
  name: "probe",
  verbs: { up: asking("web"), down: asking("gone"), ill: asking("ill"), unknown: asking("other") },
  lacks: { slow: "a target that does not answer in time gives the error ADAPTER_TIMEOUT" },
};

export const cases = [
  { title: "a failing target", source: 'R ${name}.status "ill" ->s', result: { ok: false, status: 500, error: null } },
  {
    title: "a stopped target",
    source: 'R ${name}.status "gone" ->s',
    result: { ok: false, status: null, error: "ADAPTER_TRANSPORT" },
  },
  { title: "an unknown target", source: 'R ${name}.status "other" ->s', error: "ADAPTER_NOT_FOUND" },
  {
    title: "a target outside the list",
    source: 'R ${name}.status "web" ->s',
    settings: { allow_targets: ["ill"] },
    error: "ADAPTER_NOT_ALLOWED",
  },
];
`,
  };
}
