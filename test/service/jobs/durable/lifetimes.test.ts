/** Waits that are longer than the life of their job: a warning where the program says how long, a failed call where a run computes it (D2.Q-2). */
import { afterEach, describe, expect, it } from "vitest";
import { type JobServing, type JobServingOptions, servingJobs, temporaryFolder } from "../serving-jobs.ts";

const folders: { remove(): Promise<void> }[] = [];
const services: JobServing[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop();
  for (const folder of folders.splice(0)) await folder.remove();
});

async function served(options: JobServingOptions = {}): Promise<JobServing> {
  const folder = await temporaryFolder();
  folders.push(folder);
  const service = await servingJobs({ stateDir: folder.path, ...options });
  services.push(service);
  return service;
}

const python = (call: string, first = ""): string =>
  `from weft import approval, core, signal, timer\n\n\ndef main():\n${first}    a = ${call}\n    return "over"\n`;
const opcode = (step: string, first = ""): string => `L1:\n${first}  R ${step} ->a\n  J "over"\n`;

const APPROVAL = { adapters: { enable: ["approval"] } };

describe("a wait whose length the program says", () => {
  it.each([
    ["Python, a pause", python('timer.sleep("60d")'), {}, "timer.sleep at line 5 takes 60d", "30d"],
    ["Python, a signal", python('signal.wait("go", timeout="2m")'), { lifetime_s: 60 }, "signal.wait at line 5", "1m"],
    ["Python, a question", python('approval.ask("Ok?", timeout="45d")'), APPROVAL, "approval.ask at line 5", "30d"],
    ["Python, an open question", python('approval.open("Ok?", timeout="45d")'), APPROVAL, "approval.open", "30d"],
    [
      "Python, a date",
      python('timer.until("2199-01-01T00:00:00Z")'),
      {},
      "waits until 2199-01-01T00:00:00.000Z",
      "30d",
    ],
    ["opcode, a pause", opcode("timer.sleep 5184000"), {}, "timer.sleep at line 2 takes 60d", "30d"],
    ["opcode, a signal", opcode('signal.wait "go" {"timeout": "30d"}'), {}, "signal.wait at line 2 takes 30d", "30d"],
  ])("is a warning when the job is queued: %s", async (_, code, more, what, life) => {
    const service = await served();
    const { status, body } = await service.call("POST", "/enqueue", { code, ...more });
    expect(status).toBe(202);
    const found = body.warnings.filter((one: string) => one.startsWith("wait_longer_than_job: "));
    expect(found).toEqual([expect.stringContaining(what)]);
    expect(found[0]).toContain(`the job lives for ${life}: shorten it, or give the job a longer lifetime_s`);
  });

  it.each([
    ["shorter than the life", python('timer.sleep("29d")'), {}],
    ["under a longer life", python('timer.sleep("60d")'), { lifetime_s: 90 * 86_400 }],
    ["a near date", python('timer.until("2020-01-01T00:00:00Z")'), {}],
    ["in a job that is not durable", python('timer.sleep("60d")'), { durable: false }],
  ])("is not warned of where it is %s", async (_, code, more) => {
    const service = await served();
    const { body } = await service.call("POST", "/enqueue", { code, ...more });
    expect(body.warnings.filter((one: string) => one.startsWith("wait_longer"))).toEqual([]);
  });

  it("is a warning of the deployment, by its own lifetime", async () => {
    const service = await served();
    const code = python('signal.wait("go", timeout="60d")');
    const warningsOf = async (more: object): Promise<readonly string[]> => {
      const { body } = await service.call("PUT", "/programs/p?dry_run=1", { code, ...more });
      return body.warnings.filter((one: string) => one.startsWith("wait_longer"));
    };
    expect(await warningsOf({})).toEqual([expect.stringContaining("signal.wait at line 5 takes 60d")]);
    expect(await warningsOf({ lifetime_s: 90 * 86_400 })).toEqual([]);
  });

  it("waits all the same, because what it waits for may come before", async () => {
    const service = await served();
    const id = await service.queued({ code: python('signal.wait("go", timeout="2m")'), lifetime_s: 60 });
    await service.until(id, "waiting");
    expect((await service.call("POST", `/result/${id}/signals/go`, {})).status).toBeLessThan(300);
    expect((await service.over(id)).body).toMatchObject({ status: "succeeded", result: { out: "over" } });
  });
});

describe("a wait whose length a run computes", () => {
  const days = (n: number): string => `    n = len("${"x".repeat(n)}")\n`;
  it.each([
    ["a pause", python("timer.sleep(n * 86400)", days(60)), {}, /timer\.sleep would take 60d/],
    ["a signal", python('signal.wait("go", timeout=n * 86400)', days(30)), {}, /signal\.wait would take 30d/],
    ["a date", python("timer.until((core.now() + n * 86400) * 1000)", days(60)), {}, /timer\.until would take /],
    [
      "a question",
      python('approval.ask("Ok?", timeout=f"{n}d")', days(45)),
      APPROVAL,
      /approval\.ask would take 4[45]d/,
    ],
    [
      "an open question",
      python('approval.open("?", timeout=f"{n}d")', days(45)),
      APPROVAL,
      /approval\.open would take 4[45]d/,
    ],
    ["a pause in the opcode form", opcode("timer.sleep u", "  X u mul 60 86400\n"), {}, /timer\.sleep would take 60d/],
  ])("fails with both figures and the way out: %s", async (_, code, more, sentence) => {
    const service = await served();
    const { body } = await service.over(await service.queued({ code, ...more }));
    expect(body.status).toBe("failed");
    const { message, data } = body.result.error_structured;
    expect(data.adapter_code).toBe("ADAPTER_TOO_LARGE");
    expect(message).toMatch(sentence);
    expect(message).toMatch(
      /the job lives for 30d, of which (30d|29d23h59m\d+s) are left: queue it with a longer lifetime_s \(at most 31536000\)/,
    );
  });

  it("can be caught, and the job continues", async () => {
    const service = await served();
    const caught = [
      "from weft import AdapterError, timer",
      "",
      "",
      "def main(n: int):",
      "    try:",
      "        timer.sleep(n)",
      "    except AdapterError as e:",
      "        return e.code",
      "",
    ].join("\n");
    const late = await service.queued({ code: caught, frame: { n: 61 }, lifetime_s: 60 });
    expect((await service.over(late)).body.result.out).toBe("ADAPTER_TOO_LARGE");
  });

  it("waits for a timeout that is shorter than its life, and longer than what is left of it", async () => {
    const service = await served();
    const code = python('signal.wait("go", timeout=n)', '    timer.sleep(0.1)\n    n = len("x") * 60\n');
    const id = await service.queued({ code, lifetime_s: 61 });
    await service.until(id, "waiting");
  });
});
