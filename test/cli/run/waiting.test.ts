/** What `wf run` shows on a terminal while the program waits. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realClock } from "../../service/serving.ts";
import { wf } from "../console.ts";

const HELD_MS = 1_600;
const server = createServer((_request, response) => {
  setTimeout(() => response.end("late"), HELD_MS);
});
let url = "";
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

const environment = { NO_COLOR: "1", WF_HTTP_ALLOW_PRIVATE: "1" };
const call = (): string => `Lget_it:\n  R http.Get "${url}" ->r\n  J r.body\n`;
const run = (stdin: string, ...flags: string[]) =>
  wf(["run", "-", "--enable-adapter", "http", ...flags], { stdin, environment, clock: realClock, terminal: true });

describe("wf run on a terminal", () => {
  it("shows the call that it waits for, and removes the line", async () => {
    const { code, stdout, stderr } = await run(call());
    expect([code, stdout]).toEqual([0, "late\n"]);
    const drawn = stderr.replaceAll("\u001b[K", "<clear>");
    expect(drawn).toMatch(/\r[|/\\-] waiting for http\.Get {2}Lget_it n1 {2}1\.\d s<clear>/);
    expect(drawn).toMatch(/\r<clear>$/);
  });

  it("says the function and the line of a program in Python", async () => {
    const { stderr } = await run(`from weft import http\n\ndef main():\n    return http.get("${url}").body\n`);
    expect(stderr).toMatch(/ waiting for http\.Get {2}main line 4 {2}1\.\d s/);
  });

  it("shows that it runs while no adapter is called", async () => {
    const { stderr } = await run("L1:\n  R core.SLEEP 1400 ->x\n  J 1\n");
    expect(stderr).toMatch(/\r[|/\\-] running {2}steps 1 {2}1\.\d s/);
  });

  it.each([
    ["a short run", "L1:\n  R core.SLEEP 20 ->x\n  J 1\n", []],
    ["--quiet", "L1:\n  R core.SLEEP 1300 ->x\n  J 1\n", ["--quiet"]],
  ])("shows nothing for %s", async (_, program, flags) => {
    expect((await run(program, ...flags)).stderr).not.toContain("\r");
  });
});
