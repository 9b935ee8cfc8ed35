/**
 * The command line at a real terminal (tmux): with and without colors, tables, a narrow window, the progress bar that redraws
 * itself, Ctrl-C, the tab key. Skipped, with the reason, without tmux or the built command.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { folderWith } from "../folders.ts";

const BINARY = fileURLToPath(new URL("../../../dist/wf.mjs", import.meta.url));
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const why = !hasTmux ? "tmux is not installed" : existsSync(BINARY) ? null : "dist/wf.mjs is not built (npm run build)";
if (why !== null) console.warn(`test/cli/output/terminal.test.ts: skipped, ${why}`);

const FILES = {
  "faulty.wf": 'L1:\n  Set total 1\n  R core.CONCAT "a" totl ->x\n  J x\n',
  "long.wf": `L1:\n  Set total 1\n  R core.CONCAT "${"a".repeat(120)}" totl "${"b".repeat(120)}" ->x\n  J x\n`,
  "spin.wf":
    "# frame: n: number\nL1:\n  Set i 0\n  Set c true\n  While c ->L2 ->L3 limit=100000000\nL2:\n  X i add i 1\n  X c lt i n\n  J i\nL3:\n  J i\n",
  "my folder/a.wf": "",
  bashrc: `wf() { '${process.execPath}' '${BINARY}' "$@"; }\nsource <(wf completion bash)\nPS1='ready> '\n`,
  "frames.ndjson": `${JSON.stringify({ n: 20_000 })}\n`.repeat(200_000),
};
/** An escape sequence that sets a color or another look. */
const LOOK = new RegExp(`${String.fromCharCode(27)}\\[([0-9;]*)m`, "g");
const uncolored = (screen: string): string => screen.replace(LOOK, "");
const looks = (screen: string): string[] => [...screen.matchAll(LOOK)].flatMap(([, codes = ""]) => codes.split(";"));
const tmux = (...words: string[]) => spawnSync("tmux", ["-L", `weft-${process.pid}`, ...words], { encoding: "utf8" });

/** A window in which a line of a shell runs; its exit code stands in a file when it has ended. */
class Terminal {
  readonly folder = folderWith(FILES);
  private readonly name: string;
  private readonly codeFile: string;

  constructor(name: string, command: string, columns = 80, environment = "TERM=xterm-256color") {
    this.name = name;
    this.codeFile = join(this.folder, "code");
    const wf = `wf() { env -u CI -u NO_COLOR -u COLUMNS ${environment} ${process.execPath} ${BINARY} "$@"; }`;
    const line = `${wf}; ${command}; echo $? > ${this.codeFile}; cat`;
    const { stderr } = tmux(
      "new-session",
      "-d",
      "-s",
      name,
      "-x",
      String(columns),
      "-y",
      "30",
      "-c",
      this.folder,
      line,
    );
    if (stderr !== "") throw new Error(stderr);
  }

  /** What the window shows, with the escape sequences of its colors. */
  screen(): string {
    return tmux("capture-pane", "-e", "-p", "-t", this.name).stdout;
  }

  /** What it shows as lines, whole where the window wrapped them. */
  lines(): string[] {
    return tmux("capture-pane", "-J", "-p", "-t", this.name)
      .stdout.split("\n")
      .map((line) => line.trimEnd());
  }

  press(key: string): void {
    tmux("send-keys", "-t", this.name, "--", key);
  }

  async until(seen: () => boolean): Promise<void> {
    while (!seen()) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  async code(): Promise<number> {
    await this.until(() => existsSync(this.codeFile) && readFileSync(this.codeFile, "utf8").endsWith("\n"));
    return Number(readFileSync(this.codeFile, "utf8"));
  }
}

afterAll(() => {
  if (hasTmux) tmux("kill-server");
});

describe.skipIf(why !== null)("at a terminal", () => {
  it("colors diagnostics, and points at the column", async () => {
    const terminal = new Terminal("colors", "wf check faulty.wf");
    expect(await terminal.code()).toBe(1);
    await terminal.until(() => terminal.screen().includes("1 error"));
    const screen = terminal.screen();
    expect(looks(screen)).toContain("31");
    const plain = uncolored(screen).split("\n");
    const row = plain.findIndex((line) => line.includes("R core.CONCAT"));
    expect(plain[row + 1]?.indexOf("^")).toBe(plain[row]?.indexOf("totl"));
  });

  it.each([
    ["--no-color", "wf check faulty.wf --no-color", "TERM=xterm-256color"],
    ["NO_COLOR", "wf check faulty.wf", "TERM=xterm-256color NO_COLOR=1"],
    ["a dumb terminal", "wf check faulty.wf", "TERM=dumb"],
    ["a pipe", "wf check faulty.wf 2>&1 | cat", "TERM=xterm-256color"],
  ])("shows the same without colors because of %s", async (why, command, environment) => {
    const terminal = new Terminal(`plain ${why}`, command, 80, environment);
    await terminal.code();
    await terminal.until(() => terminal.screen().includes("1 error"));
    expect(looks(terminal.screen())).toEqual([]);
    const plain = terminal.lines();
    const row = plain.findIndex((line) => line.includes("R core.CONCAT"));
    expect(plain[row + 1]?.indexOf("^")).toBe(plain[row]?.indexOf("totl"));
  });

  it.each([
    [40, "wf capabilities"],
    [40, "wf profiles"],
    [40, "wf explain --list"],
    [200, "wf capabilities"],
  ])("keeps tables to %d columns: %s", async (columns, command) => {
    const terminal = new Terminal(`table ${columns} ${command.replace(/\W/g, "_")}`, command, columns);
    expect(await terminal.code()).toBe(0);
    await terminal.until(() => terminal.lines().some((line) => line !== ""));
    const lines = terminal.lines();
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines.some((line) => line.endsWith("…") && line.length > columns - 2)).toBe(true);
  });

  it("leaves cells whole in a pipe", async () => {
    const terminal = new Terminal("whole", "wf capabilities | cat > table; wf capabilities --json > json", 40);
    expect(await terminal.code()).toBe(0);
    expect(readFileSync(join(terminal.folder, "table"), "utf8")).not.toContain("…");
    expect(() => JSON.parse(readFileSync(join(terminal.folder, "json"), "utf8"))).not.toThrow();
  });

  it("cuts a long source line to a narrow window, around the caret", async () => {
    const terminal = new Terminal("narrow", "wf check long.wf", 50);
    expect(await terminal.code()).toBe(1);
    await terminal.until(() => terminal.screen().includes("1 error"));
    const shown = uncolored(terminal.screen()).split("\n");
    const row = shown.findIndex((line) => line.includes("…"));
    expect(shown[row + 1]?.indexOf("^")).toBe(shown[row]?.indexOf("totl"));
    for (const line of shown.slice(row, row + 2)) expect(line.length).toBeLessThanOrEqual(50);
  });

  it("tells where wf serve listens, what is there and how to stop it", async () => {
    const terminal = new Terminal("serve", "wf serve --port 0", 160);
    const greeting =
      /^weft \S+ listening on http:\/\/127\.0\.0\.1:\d+ {2}profile none {2}queue \w+ {2}\(GET \/ .*Ctrl-C.*\)$/m;
    await terminal.until(() => greeting.test(uncolored(terminal.screen())));
    terminal.press("C-c");
    expect(await terminal.code()).toBe(0);
  });

  it.each([80, 24])(
    "draws the progress of a batch on one line of %d columns, and Ctrl-C ends it with 130",
    async (columns) => {
      const terminal = new Terminal(
        `batch ${columns}`,
        "wf batch spin.wf --in frames.ndjson --out results.ndjson",
        columns,
      );
      const bars = (): string[] =>
        terminal
          .screen()
          .split("\n")
          .filter((line) => line.startsWith("batch "));
      await terminal.until(() => bars().length > 0);
      const first = bars();
      await terminal.until(() => bars().length > 0 && bars()[0] !== first[0]);
      expect(first).toHaveLength(1);
      expect(bars()).toHaveLength(1);
      expect(first[0]).not.toContain("100%");
      expect(first[0]).toMatch(columns === 80 ? /\d+%.*\/s/ : /\d+%.*…/);
      terminal.press("C-c");
      expect(await terminal.code()).toBe(130);
      await terminal.until(() => bars().length === 0);
      const lines = readFileSync(join(terminal.folder, "results.ndjson"), "utf8").split("\n");
      expect(lines.pop()).toBe("");
      for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    },
  );

  it.skipIf(spawnSync("bash", ["--version"]).status !== 0)(
    "completes in bash when the tab key is pressed",
    async () => {
      const terminal = new Terminal("tab", "bash --rcfile bashrc -i");
      const shows = (line: string) => terminal.until(() => terminal.lines().includes(line));
      await shows("ready>");
      for (const [typed, shown] of [
        ["wf ru", "wf run"],
        ["lo", "wf run long.wf"],
        ["--lab", "wf run long.wf --label"],
        ["L", "wf run long.wf --label L1"],
        ["--cwd my", "wf run long.wf --label L1 --cwd my\\ folder/"],
      ] as const) {
        terminal.press(typed);
        terminal.press("Tab");
        await shows(`ready> ${shown}`);
      }
    },
  );
});
