/**
 * From a file to a job, as an author lives it: a program with an endpoint and a schedule in a folder, `wf serve` of the folder, a call over
 * HTTP, the time of the schedule, its job, another version, and the way back. The clock is the one that `serve` of
 * service/main.ts is given; a process has the system's.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ProcessSignal } from "../../../cli/session/io.ts";
import { realClock } from "../../service/serving.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const program = (word: string): string => `# Greets over HTTP, and every morning.
E /hello G ->L_hello ->text
Cr L_morning 0 7 * * *

# frame: name: text
# frame: _due_at: text

L_hello:
  Set text (concat "${word}, " name)
  J text

L_morning:
  Set text (concat "${word} at " _due_at)
  J text
`;

const HOUR = 3_600_000;
let offset = 0;
/** Waits are short, so that the service sees at once what the test did to the clock. */
const clock = {
  ...realClock,
  wall: () => realClock.wall() + offset,
  wait: (ms: number, then: () => void) => realClock.wait(Math.min(ms, 100), then),
};

/** Resolves when it listens. */
async function served(cwd: string, argv: readonly string[]) {
  let said = "";
  let end: (signal: ProcessSignal) => void = () => {};
  let listens: (url: string) => void = () => {};
  const listening = new Promise<string>((resolve) => {
    listens = resolve;
  });
  const over = wf(["serve", ...argv, "--port", "0", "--state-dir", "state", "--log-level", "error"], {
    cwd,
    clock,
    onListen: (send) => {
      end = send;
    },
    onComplaint(text) {
      said += text;
      const url = /listening on (\S+)/.exec(text)?.[1];
      if (url !== undefined) listens(url);
    },
  }).then(({ code }) => code);
  const url = await Promise.race([listening, over.then((code) => Promise.reject(new Error(`${code}: ${said}`)))]);
  const stop = (): Promise<number> => {
    end("SIGTERM");
    return over;
  };
  onTestFinished(async () => void (await stop()));
  const weft = (line: string) => wf(line.split(" "), { cwd, clock, environment: { WF_SERVER: url }, stdin: "" });
  const get = async (path: string) => (await (await fetch(`${url}${path}`)).text()).trim();
  return { said: () => said, stop, weft, get };
}

it("a folder is served, called, fires at its time, changes and goes back", { timeout: 60_000 }, async () => {
  const cwd = folderWith({
    "flows/greet.wf": program("Hello"),
    "flows/wf.config.json": JSON.stringify({ programs: { greet: { tz: "Europe/Berlin" } } }),
  });
  const service = await served(cwd, ["flows/", "--watch"]);
  expect(service.said()).toContain("deployed  greet 1  flows/greet.wf");
  expect(await service.get("/app/greet/hello?name=Ada")).toBe('"Hello, Ada"');

  // The next morning.
  const listed = await service.weft("schedule list");
  expect(listed.stdout).toMatch(/^greet\/L_morning +0 7 \* \* \* +Europe\/Berlin/m);
  const [due] =
    (await service.weft("schedule next greet/L_morning --count 1 --json")).stdout.match(/2[0-9T:.-]+Z/) ?? [];
  offset += Date.parse(due ?? "") - clock.wall() + 10;
  await expect
    .poll(async () => (await service.weft("jobs list --json")).stdout, { timeout: 20_000 })
    .toContain('"status":"succeeded"');
  const [job] = documentOf(await service.weft("jobs list --json"))["jobs"] as readonly Record<string, string>[];
  expect(job).toMatchObject({ program: "greet", version: 1, schedule: "greet/L_morning", due_at: due });
  expect((await service.weft(`jobs wait ${job?.["job_id"]}`)).stdout).toContain(`Hello at ${due}`);

  // Another version, and the one before, from the file.
  writeFileSync(join(cwd, "flows/greet.wf"), program("Welcome"));
  await expect.poll(() => service.get("/app/greet/hello?name=Ada"), { timeout: 20_000 }).toBe('"Welcome, Ada"');
  expect(service.said()).toContain("deployed  greet 2  flows/greet.wf");
  const managed = await service.weft("programs rollback greet 1");
  expect([managed.code, managed.stderr]).toEqual([2, expect.stringContaining("managed_by_files")]);
  expect(await service.stop()).toBe(0);

  // Served without the file, it is a deployment like any other; days went by meanwhile, of which the last morning is caught up.
  offset += 48.5 * HOUR;
  const later = await served(cwd, []);
  expect(await later.get("/app/greet/hello?name=Ada")).toBe('"Welcome, Ada"');
  expect((await later.weft("programs rollback greet 1")).stdout).toBe("greet  version 1 is current\n");
  expect(await later.get("/app/greet/hello?name=Ada")).toBe('"Hello, Ada"');
  const fires = async () => JSON.parse(await later.get("/schedules/greet/L_morning")).fires;
  await expect.poll(async () => (await fires()).length, { timeout: 20_000 }).toBe(3);
  expect((await fires()).map(({ outcome }: { outcome: string }) => outcome)).toEqual(["fired", "missed", "fired"]);
  const why = await later.weft("schedule why greet/L_morning");
  expect(why.stdout).toMatch(/ fired .*\n.* missed *\n.* fired /);
  expect(await later.stop()).toBe(0);
});

it("a program of Python is served again when a file that it imports changes", { timeout: 60_000 }, async () => {
  const cwd = folderWith({
    "flows/greet.py":
      'from weft import api\nfrom words import greeting\n\n@api("/hello", method="GET")\ndef hello(name):\n    return greeting(name)\n',
    "flows/words.py": 'def greeting(name):\n    return "Hello, " + name\n',
  });
  const service = await served(cwd, ["flows/", "--watch"]);
  expect(service.said()).toContain("deployed  greet 1  flows/greet.py");
  expect(await service.get("/app/greet/hello?name=Ada")).toBe('"Hello, Ada"');
  const version = JSON.parse(await service.get("/programs/greet/versions/1"));
  expect([version.main, Object.keys(version.files).sort()]).toEqual(["greet.py", ["greet.py", "words.py"]]);
  writeFileSync(join(cwd, "flows/words.py"), 'def greeting(name):\n    return "Welcome, " + name\n');
  await expect.poll(() => service.get("/app/greet/hello?name=Ada"), { timeout: 20_000 }).toBe('"Welcome, Ada"');
  expect(service.said()).toContain("deployed  greet 2  flows/greet.py");
  expect(await service.stop()).toBe(0);
});
