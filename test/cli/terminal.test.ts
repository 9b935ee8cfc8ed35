/**
 * The command line at a real terminal (tmux): colors, the progress bar that redraws itself, Ctrl-C, a narrow window. Skipped, with the
 * reason, without tmux or the built command.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { folderWith } from "./folders.ts";

const BINARY = fileURLToPath(new URL("../../dist/wf.mjs", import.meta.url));
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
const why = !hasTmux ? "tmux is not installed" : existsSync(BINARY) ? null : "dist/wf.mjs is not built (npm run build)";
if (why !== null) console.warn(`test/cli/terminal.test.ts: skipped, ${why}`);

const FILES = {
  "faulty.wf": 'L1:\n  Set total 1\n  R core.CONCAT "a" totl ->x\n  J x\n',
  "long.wf": `L1:\n  Set total 1\n  R core.CONCAT "${"a".repeat(120)}" totl "${"b".repeat(120)}" ->x\n  J x\n`,
  "spin.wf":
    "# frame: n: number\nL1:\n  Set i 0\n  Set c true\n  While c ->L2 ->L3 limit=100000000\nL2:\n  X i add i 1\n  X c lt i n\n  J i\nL3:\n  J i\n",
  "frames.ndjson": `${JSON.stringify({ n: 20_000 })}\n`.repeat(20_000),
};
/** An escape sequence that sets a color or another look. */
const LOOK = new RegExp(`${String.fromCharCode(27)}\\[([0-9;]*)m`, "g");
const uncolored = (screen: string): string => screen.replace(LOOK, "");
const looks = (screen: string): string[] => [...screen.matchAll(LOOK)].flatMap(([, codes = ""]) => codes.split(";"));
const tmux = (...words: string[]) => spawnSync("tmux", ["-L", `weft-${process.pid}`, ...words], { encoding: "utf8" });

/** A window of 80 columns, or fewer, in which a command runs; its exit code stands in a file when it has ended. */
class Terminal {
  readonly folder = folderWith(FILES);
  private readonly name: string;
  private readonly codeFile: string;

  constructor(name: string, command: string, columns = 80) {
    this.name = name;
    this.codeFile = join(this.folder, "code");
    const line = `env -u CI -u NO_COLOR TERM=xterm-256color ${process.execPath} ${BINARY} ${command}; echo $? > ${this.codeFile}; cat`;
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

  press(key: string): void {
    tmux("send-keys", "-t", this.name, key);
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
    const terminal = new Terminal("colors", "check faulty.wf");
    expect(await terminal.code()).toBe(1);
    await terminal.until(() => terminal.screen().includes("1 error"));
    const screen = terminal.screen();
    expect(looks(screen)).toContain("31");
    const plain = uncolored(screen).split("\n");
    const row = plain.findIndex((line) => line.includes("R core.CONCAT"));
    expect(plain[row + 1]?.indexOf("^")).toBe(plain[row]?.indexOf("totl"));
  });

  it("shows no colors when told so", async () => {
    const terminal = new Terminal("plain", "check faulty.wf --no-color");
    await terminal.code();
    await terminal.until(() => terminal.screen().includes("1 error"));
    expect(looks(terminal.screen())).not.toContain("31");
  });

  it("cuts a long source line to a narrow window, around the caret", async () => {
    const terminal = new Terminal("narrow", "check long.wf", 50);
    expect(await terminal.code()).toBe(1);
    await terminal.until(() => terminal.screen().includes("1 error"));
    const shown = uncolored(terminal.screen()).split("\n");
    const row = shown.findIndex((line) => line.includes("…"));
    expect(shown[row + 1]?.indexOf("^")).toBe(shown[row]?.indexOf("totl"));
    for (const line of shown.slice(row, row + 2)) expect(line.length).toBeLessThanOrEqual(50);
  });

  it("draws the progress of a batch on one line, and Ctrl-C ends it with 130", async () => {
    const terminal = new Terminal("batch", "batch spin.wf --in frames.ndjson --out results.ndjson");
    const bars = (): string[] =>
      terminal
        .screen()
        .split("\n")
        .filter((line) => /batch .*%/.test(line));
    await terminal.until(() => bars().length > 0);
    const first = bars();
    await terminal.until(() => bars().length > 0 && bars()[0] !== first[0]);
    expect(first).toHaveLength(1);
    expect(bars()).toHaveLength(1);
    expect(first[0]).toMatch(/\d+%.*\/s/);
    terminal.press("C-c");
    expect(await terminal.code()).toBe(130);
    await terminal.until(() => bars().length === 0);
    const lines = readFileSync(join(terminal.folder, "results.ndjson"), "utf8").split("\n");
    expect(lines.pop()).toBe("");
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });
});
