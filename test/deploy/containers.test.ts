/** The image, the compose file, the unit and the action name only files, ports, users and settings that exist. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const manifest = JSON.parse(read("package.json")) as { bin: { wf: string }; version: string };
const settings = new Set(read("docs/reference.md").match(/\bWF_[A-Z0-9_]+/gu));

/** Instructions of a Dockerfile: a word and the rest, with continued lines joined. */
const instructions = read("Dockerfile")
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => ({ word: line.split(" ", 1)[0] ?? "", rest: line.slice(line.indexOf(" ") + 1).trim() }));
const of = (word: string): string[] => instructions.filter((each) => each.word === word).map(({ rest }) => rest);
const settingsIn = (text: string): string[] => text.match(/\bWF_[A-Z0-9_]+/gu) ?? [];

describe("Dockerfile", () => {
  it("copies the package, what it needs and what was built, and nothing else", () => {
    const copied = of("COPY").map((rest) => rest.split(/\s+/u).filter((word) => !word.startsWith("--")));
    expect(copied).toEqual([
      [".", "."],
      ["/app/package.json", "./"],
      ["/app/node_modules", "./node_modules"],
      ["/app/dist", "./dist"],
    ]);
  });

  it("runs the command of the package as a user without rights", () => {
    expect(of("CMD").map((rest) => JSON.parse(rest))).toEqual([["node", manifest.bin.wf, "serve"]]);
    expect(of("USER")).toEqual(["node"]);
    expect(of("EXPOSE")).toEqual(["8770"]);
  });

  it("runs a version of Node that the package admits", () => {
    expect(of("FROM").map((rest) => /^node:(\d+)-slim/u.exec(rest)?.[1])).toEqual(["22", "22"]);
  });

  it("sets a profile and only settings that exist", () => {
    const named = settingsIn(of("ENV").join(" "));
    expect(named).toContain("WF_SECURITY_PROFILE");
    for (const name of named) expect(settings).toContain(name);
  });

  it("does not send tests, dependencies or history to the build", () => {
    const ignored = read(".dockerignore").split("\n");
    for (const name of ["node_modules", "dist", ".git", "test"]) expect(ignored).toContain(name);
  });

  it.each([
    [200, 0],
    [503, 1],
  ])("is healthy when /health answers %i: exit code %i", async (status, code) => {
    const health = of("HEALTHCHECK")[0] ?? "";
    const [command = "", ...args] = JSON.parse(health.slice(health.indexOf("["))) as string[];
    const server = createServer((request, response) =>
      response.writeHead(request.url === "/health" ? status : 404).end(),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const child = spawn(
      command,
      args.map((text) => text.replace("8770", String(port))),
    );
    const [ended] = await once(child, "exit");
    server.close();
    expect(ended).toBe(code);
  });
});

describe("compose.yaml", () => {
  type Service = { image: string; environment?: { [name: string]: string }; volumes?: string[]; ports?: string[] };
  const { services, volumes } = parse(read("compose.yaml")) as {
    services: { [name: string]: Service };
    volumes: object;
  };

  it("has the service, its database and what watches it", () => {
    expect(Object.keys(services)).toEqual(["database", "weft", "prometheus", "grafana"]);
    expect(services.weft?.image).toBe(`weft-runner:${manifest.version}`);
  });

  it("mounts only files that exist and volumes that it declares", () => {
    const sources = Object.values(services).flatMap((service) =>
      (service.volumes ?? []).map((each) => each.split(":")[0] ?? ""),
    );
    for (const source of sources)
      if (source.startsWith("./")) expect(existsSync(join(ROOT, source)), source).toBe(true);
      else expect(Object.keys(volumes)).toContain(source);
  });

  it("publishes ports to this machine alone", () => {
    for (const port of Object.values(services).flatMap((service) => service.ports ?? []))
      expect(port).toMatch(/^127\.0\.0\.1:/u);
  });

  it("sets only settings that exist", () => {
    for (const name of Object.keys(services.weft?.environment ?? {})) expect(settings).toContain(name);
  });

  it("is scraped by Prometheus at the name and the port of the service", () => {
    const scraped = parse(read("deploy/prometheus/prometheus.yml")) as {
      scrape_configs: { job_name: string; dns_sd_configs: { names: string[]; port: number }[] }[];
    };
    expect(scraped.scrape_configs[0]).toMatchObject({
      job_name: "weft",
      dns_sd_configs: [{ names: ["weft"], port: 8770 }],
    });
  });
});

describe("deploy/systemd/weft.service", () => {
  it("sets only settings that exist, below its own state directory", () => {
    const environment = /^Environment=(.*)$/mu.exec(read("deploy/systemd/weft.service"))?.[1] ?? "";
    for (const name of settingsIn(environment)) expect(settings).toContain(name);
    expect(environment).toContain("WF_STATE_DIR=/var/lib/weft ");
    expect(read("deploy/systemd/weft.service")).toContain("StateDirectory=weft ");
  });
});

describe("action.yml", () => {
  const built = existsSync(join(ROOT, manifest.bin.wf));
  if (!built) console.warn("test/deploy: the GitHub Action is not run, dist/wf.mjs is not built (npm run build)");
  const folder = mkdtempSync(join(tmpdir(), "weft-action-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
    });

  function review(variables: { [name: string]: string }) {
    const [summary, output] = [join(folder, "summary"), join(folder, "output")];
    for (const path of [summary, output]) writeFileSync(path, "");
    const { status, stdout } = spawnSync(process.execPath, [join(ROOT, "deploy/github-action/review.mjs")], {
      cwd: folder,
      encoding: "utf8",
      env: {
        PATH: process.env["PATH"],
        WF: `${process.execPath} ${join(ROOT, manifest.bin.wf)}`,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_OUTPUT: output,
        ...variables,
      },
    });
    return { status, stdout, summary: readFileSync(summary, "utf8"), output: readFileSync(output, "utf8") };
  }

  it("passes every input and the base to the script", () => {
    const { inputs, runs } = parse(read("action.yml")) as { inputs: object; runs: { steps: { env?: object }[] } };
    const used = JSON.stringify(runs.steps);
    for (const name of Object.keys(inputs)) expect(used).toContain(`inputs.${name} `);
    for (const name of ["PATHS", "CHECK_FLAGS", "RUN_TESTS", "FAIL_ON_NEW_REACH", "BASE"]) {
      expect(Object.keys(runs.steps.at(-1)?.env ?? {})).toContain(name);
      expect(read("deploy/github-action/review.mjs")).toContain(name);
    }
  });

  it.skipIf(!built)(
    "says what changed, new and renamed programs newly reach, and fails only where that is asked for",
    () => {
      git("init", "-q", ".");
      writeFileSync(join(folder, "total.wf"), "def main():\n    return 1\n");
      writeFileSync(join(folder, "same.wf"), "def main():\n    return 2\n");
      git("add", "-A");
      git("commit", "-qm", "before");
      const BASE = git("rev-parse", "HEAD").trim();
      writeFileSync(join(folder, "total.wf"), 'def main():\n    return http.get("https://example.com")\n');
      writeFileSync(join(folder, "new.wf"), 'def main():\n    return fs.read("a.txt")\n');
      git("mv", "same.wf", "moved.wf");
      git("add", "-A");
      git("commit", "-qm", "after");

      const { status, summary, output } = review({ BASE });
      expect(status).toBe(0);
      expect(output).toContain("total.wf: host example.com");
      expect(output).toContain("new.wf: adapter fs.read");
      expect(output).not.toContain("moved.wf");
      expect(summary).toContain("Newly reached:");
      expect(review({ BASE, FAIL_ON_NEW_REACH: "true" }).status).toBe(1);
      expect(review({ BASE: "HEAD", FAIL_ON_NEW_REACH: "true" })).toMatchObject({ status: 0 });
    },
  );

  it.skipIf(!built)("fails when a program does not compile, with an annotation, and when the base is unknown", () => {
    writeFileSync(join(folder, "broken.wf"), "def main():\n    return (1\n");
    const broken = review({ BASE: "" });
    expect(broken.status).toBe(1);
    expect(broken.stdout).toContain("::error file=broken.wf,line=2");
    rmSync(join(folder, "broken.wf"));
    expect(review({ BASE: "" }).status).toBe(0);
    expect(review({ BASE: "0".repeat(40) })).toMatchObject({ status: 1 });
  });
});
