/**
 * What the GitHub Action does after it has installed Weft: checks the programs (its findings become annotations), tests them, and
 * writes what each changed program may newly reach to the summary of the job.
 *
 * Environment: `PATHS` and `CHECK_FLAGS` (separated by blanks), `RUN_TESTS`, `FAIL_ON_NEW_REACH` (`true` or `false`), `BASE` (the commit
 * to compare with; empty outside of pull requests), `WF` (the command, `wf`), and GitHub's `GITHUB_STEP_SUMMARY` and `GITHUB_OUTPUT`.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";

const {
  WF = "wf",
  PATHS = ".",
  CHECK_FLAGS = "",
  RUN_TESTS = "true",
  FAIL_ON_NEW_REACH = "false",
  BASE = "",
} = process.env;
const paths = words(PATHS);
let hasFailed = false;

runStep("wf check", ["check", ...paths, "--format", "github", ...words(CHECK_FLAGS)]);
if (RUN_TESTS === "true") runStep("wf test", ["test", ...paths]);
if (BASE !== "") review();
process.exit(hasFailed ? 1 : 0);

/** Runs a command of Weft and shows what it prints; a failure of one does not keep the others from running. */
function runStep(title, args) {
  console.log(`::group::${title}`);
  const { status, stdout, stderr } = run(args);
  process.stdout.write(stdout);
  process.stdout.write(stderr);
  console.log("::endgroup::");
  // A repository without tests is not a fault.
  if (status !== 0 && !stderr.includes("no_test_found")) hasFailed = true;
}

function review() {
  const newlyReaches = [];
  const sections = [];
  for (const { path, before } of changedPrograms()) {
    const section = before === null ? describeNew(path) : describeChange(path, before);
    newlyReaches.push(...section.newlyReaches.map((text) => `${path}: ${text}`));
    sections.push(`### \`${path}\`\n\n${fenced(section.text)}`);
  }
  const head =
    newlyReaches.length === 0
      ? "No program reaches anything new."
      : `Newly reached:\n\n${fenced(newlyReaches.join("\n"))}`;
  write("GITHUB_STEP_SUMMARY", `## Weft\n\n${head}\n\n${sections.join("\n\n")}\n`);
  const end = randomUUID();
  write("GITHUB_OUTPUT", `newly-reaches<<${end}\n${newlyReaches.join("\n")}\n${end}\n`);
  console.log(
    newlyReaches.length === 0 ? "No program reaches anything new." : `Newly reached:\n${newlyReaches.join("\n")}`,
  );
  if (newlyReaches.length > 0 && FAIL_ON_NEW_REACH === "true") hasFailed = true;
}

/** Programs that the pull request adds, changes or renames; `before` is the path at the base, null for a new one. */
function changedPrograms() {
  const args = ["diff", "--name-status", "-z", "--diff-filter=AMR", BASE, "--", ...paths];
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) {
    console.log(`::error::git cannot compare with ${BASE}`);
    hasFailed = true;
    return [];
  }
  const fields = stdout.split("\0");
  const programs = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const isRename = fields[at].startsWith("R");
    const [before, path] = isRename
      ? [fields[at + 1], fields[at + 2]]
      : [fields[at] === "A" ? null : fields[at + 1], fields[at + 1]];
    at += isRename ? 3 : 2;
    if (path.endsWith(".wf")) programs.push({ path, before });
  }
  return programs;
}

function describeChange(path, before) {
  const old = `git:${BASE}:${before}`;
  const facts = parsed(run(["diff", old, path, "--json"]).stdout);
  const text = run(["diff", old, path, "--color", "never"]);
  // A program that did not compile before has nothing to compare with.
  if (facts?.ok !== true) return describeNew(path);
  const added = facts.powers.filter(({ change }) => change === "added");
  return { newlyReaches: added.map(({ kind, value }) => `${kind} ${value}`), text: text.stdout };
}

/** Everything that a new program reaches is new. */
function describeNew(path) {
  const report = run(["security-report", path, "--color", "never"]);
  const facts = parsed(run(["diff", "-", path, "--json"], "main:\n  out null\n").stdout);
  const added = facts?.ok === true ? facts.powers.filter(({ change }) => change === "added") : [];
  return { newlyReaches: added.map(({ kind, value }) => `${kind} ${value}`), text: `${report.stdout}${report.stderr}` };
}

function run(args, input = "") {
  const [command, ...first] = words(WF);
  const result = spawnSync(command, [...first, ...args], { input, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (result.error !== undefined) throw result.error;
  return result;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As a block of code that its own content cannot end. */
function fenced(text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text.trimEnd()}\n${fence}`;
}

function words(text) {
  return text.split(/\s+/u).filter((word) => word !== "");
}

function write(variable, text) {
  const path = process.env[variable];
  if (path !== undefined && path !== "") appendFileSync(path, text);
}
