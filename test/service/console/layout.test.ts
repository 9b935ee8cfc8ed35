/** Where the boxes of a graph stand, as the console asks for it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { Layouts } from "../../../service/console/layout/layouts.ts";
import type { Layout } from "../../../service/console/layout/shapes.ts";
import { type JobServing, servingJobs } from "../jobs/serving-jobs.ts";
import { realClock } from "../serving.ts";

const CODE = "L1:\n  Set a 1\n  If a > 0 ->L2\nL2:\n  J a\n";
const FILES = { page: "", assets: new Map() };
let service: JobServing;

beforeAll(async () => {
  service = await servingJobs({ variables: { WF_UI: "read" }, app: { consoleFiles: FILES } });
});
afterAll(() => service.stop());

/** Headers of a request that the page sends. */
const ofPage = () => ({ origin: `http://127.0.0.1:${service.port}`, "x-wf-ui": "1" });

function placesOf({ drawing, groups }: Layout) {
  return groups.flatMap(({ boxes }) => boxes.map(({ id }) => drawing?.places[id]));
}

describe("a layout", () => {
  it("is that of the program of a job, by its checksum", async () => {
    const id = await service.queued({ code: CODE });
    const { checksum } = (await service.over(id)).body;
    const { status, body } = await service.call("GET", `/ui/layout/${checksum}`);
    expect(status).toBe(200);
    const layout: Layout = body;
    expect(layout).toMatchObject({ checksum, labels: 2, boxes: 4, more: false, why: null });
    const { width = 0, height = 0 } = layout.drawing ?? {};
    for (const place of placesOf(layout)) {
      expect(place?.x).toBeGreaterThanOrEqual(0);
      expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual(height);
      expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(width);
    }
    const [set, branch, end] = placesOf(layout);
    expect([set?.y, branch?.y, end?.y].toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([set?.y, branch?.y, end?.y]);
    expect(layout.drawing?.arrows).toHaveLength(layout.arrows.length);
    expect(layout.drawing?.arrows.every((arrow) => arrow !== null && /^M[\d.]/.test(arrow.path))).toBe(true);
    expect(layout.groups[0]?.boxes[0]).toMatchObject({ lines: ["Set a 1"], step: { label: "1", node: "n1" } });
  });

  it("of a job that brought a program in Python shows its lines, and steps of the machine on request", async () => {
    const id = await service.queued({ code: "def main():\n    n = 1\n    return n + 1\n" });
    const { checksum } = (await service.over(id)).body;
    const shown = async (view: string) => {
      const layout: Layout = (await service.call("GET", `/ui/layout/${checksum}?view=${view}`)).body;
      return layout.groups.flatMap(({ boxes }) => boxes.flatMap(({ lines }) => lines));
    };
    expect(await shown("source")).toEqual(["line 2", "line 3", "start"]);
    expect((await shown("steps")).join("\n")).toContain("Py ");
  });

  it("has one box for each label on request", async () => {
    const { body } = await service.call("POST", "/ui/layout", { code: CODE, view: "labels" }, ofPage());
    expect(body).toMatchObject({ boxes: 3, groups: [{ title: null }, { title: null }, { title: null }] });
  });

  it("is drawn from a text also where the console only reads, and never for a plain form", async () => {
    const { "x-wf-ui": _, ...plain } = ofPage();
    expect((await service.call("POST", "/ui/layout", { code: CODE }, ofPage())).body.labels).toBe(2);
    expect((await service.call("POST", "/ui/layout", { code: CODE }, plain)).body.error).toBe("ui_read_only");
    expect((await service.call("POST", "/run", { code: CODE }, ofPage())).body.error).toBe("ui_read_only");
  });

  it.each(["sha256:0", `sha256:${"0".repeat(64)}`, "__proto__"])("of %s does not exist", async (checksum) => {
    expect((await service.call("GET", `/ui/layout/${checksum}`)).status).toBe(404);
  });

  it("of a text that is not a program is refused", async () => {
    expect((await service.call("POST", "/ui/layout", { code: 1 }, ofPage())).body.error).toBe("invalid_request");
  });

  it("of 20,000 labels is a list of the first, without a drawing", { timeout: 60_000 }, async () => {
    const layouts = new Layouts(builtinCatalog, { wait: () => () => {} }, "never-started");
    const lines = Array.from({ length: 20_000 }, (_, at) => `L${at}:\n  If x ->L${at + 1} ->L${(at * 7) % 20_000}`);
    const layout = await layouts.of(irOf(`# frame: x\n${lines.join("\n")}\nL20000:\n  J 1\n`), "labels");
    expect(layout).toMatchObject({ labels: 20_001, boxes: 20_002, more: true, drawing: null, why: "too_large" });
    expect(layout.groups).toHaveLength(2000);
  });
});

describe("a graph that Graphviz does not place", () => {
  const never = () => new Layouts(builtinCatalog, { wait: () => () => {} }, "never-started");
  const MANY = Array.from(
    { length: 2000 },
    (_, at) => `L${at}:\n  Set a ${at}\n  If a > ${at} ->L${(at + 1) % 2000} ->L${(at * 7) % 2000}`,
  );

  it("stands in the order of the program, with no box over another, inside of its frame and of the drawing", async () => {
    const layout = await never().of(irOf(`# frame: a\n${MANY.join("\n")}\n`), "steps");
    expect(layout).toMatchObject({ boxes: 4001, more: false, why: "too_large" });
    const { drawing, groups, arrows } = layout;
    if (drawing === null) throw new Error("it is not drawn");
    expect(drawing.arrows).toHaveLength(arrows.length);
    expect(drawing.arrows.every((arrow) => arrow !== null && /^M[\d.,]+[CL][-\d., ]+$/.test(arrow.path))).toBe(true);
    const taken = new Map<string, string>();
    for (const { id, title, boxes } of groups)
      for (const box of boxes) {
        const place = drawing.places[box.id];
        const frame = title === null ? { x: 0, y: 0, ...drawing } : drawing.places[id];
        if (place === undefined || frame === undefined) throw new Error(`${box.id} has no place`);
        expect(place.x >= frame.x && place.x + place.width <= frame.x + frame.width + 0.01).toBe(true);
        expect(place.y >= frame.y && place.y + place.height <= frame.y + frame.height + 0.01).toBe(true);
        // Centres stand more than half a box apart, so no two boxes are in one place.
        const spot = `${Math.round(place.x)} ${Math.round(place.y)}`;
        expect(taken.get(spot), box.id).toBeUndefined();
        taken.set(spot, box.id);
      }
    expect(drawing.width / drawing.height).toBeGreaterThan(0.3);
    expect(drawing.width / drawing.height).toBeLessThan(3);
  });

  it("leads no arrow from afar through the title of a label", async () => {
    const { drawing, groups } = await never().of(irOf(`# frame: a\n${MANY.join("\n")}\n`), "steps");
    const titles = groups.flatMap(({ id }) => drawing?.places[`${id}t`] ?? []);
    const far = (drawing?.arrows ?? []).flatMap((arrow) => (arrow?.path.includes("L") === true ? [arrow.path] : []));
    expect(far.length).toBeGreaterThan(1000);
    for (const path of far.filter((_, at) => at % 10 === 0)) {
      const points = path
        .slice(1)
        .split(/[L ]/)
        .map((point) => point.split(",").map(Number) as [number, number]);
      for (const [at, [x, y]] of points.slice(1).entries()) {
        const [beforeX, beforeY] = points[at] as [number, number];
        const [left, right, top, bottom] = [
          Math.min(x, beforeX),
          Math.max(x, beforeX),
          Math.min(y, beforeY),
          Math.max(y, beforeY),
        ];
        const crossed = titles.find(
          (title) =>
            left < title.x + title.width && right > title.x && top < title.y + title.height && bottom > title.y,
        );
        expect(crossed, path).toBeUndefined();
      }
    }
  });

  it("takes the time of a page and not of Graphviz for 10,000 boxes", async () => {
    const code = Array.from({ length: 9000 }, (_, at) => `L${at}:\n  J ${at}\n`).join("");
    const layout = await never().of(irOf(code), "steps");
    expect(layout).toMatchObject({ boxes: 9001, why: "too_large", drawing: { width: expect.any(Number) } });
  });
});

describe("the thread of layouts", () => {
  it("is ended when a graph takes too long, and the next graph is laid out by another", async () => {
    const folder = mkdtempSync(join(tmpdir(), "weft-layout-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const program = join(folder, "thread.mjs");
    writeFileSync(program, 'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => {});\n');
    const timers: (() => void)[] = [];
    const clock = {
      wait(_ms: number, then: () => void) {
        timers.push(then);
        return () => {};
      },
    };
    const layouts = new Layouts(builtinCatalog, clock, program);
    onTestFinished(() => layouts.close());
    for (const code of [CODE, `${CODE}L3:\n  J 1\n`]) {
      const asked = layouts.of(irOf(code), "steps");
      while (timers.length === 0) await new Promise((next) => setImmediate(next));
      timers.shift()?.();
      const layout = await asked;
      expect(layout).toMatchObject({ why: "too_slow", more: false });
      for (const place of placesOf(layout)) expect(place).toBeDefined();
    }
  });

  it("knows the drawing of a text in Python again without its program, and of no other text", async () => {
    const code = "def main(n: int):\n    return n + 1\n";
    const layouts = new Layouts(builtinCatalog, realClock);
    onTestFinished(() => layouts.close());
    expect(layouts.known(code)).toBeUndefined();
    const drawn = await layouts.of(irOf(code), "source", code);
    expect(layouts.known(code)).toBe(drawn);
    expect(layouts.known(`${code}\n`)).toBeUndefined();
    // Steps of the opcode form are kept by checksum, whatever is asked for.
    await layouts.of(irOf(CODE), "source", CODE);
    expect(layouts.known(CODE)).toBeUndefined();
  });

  it("refuses more graphs than it can wait for", async () => {
    const layouts = new Layouts(builtinCatalog, { wait: () => () => {} }, "/nothing/there.mjs");
    onTestFinished(() => layouts.close());
    const asked = Array.from({ length: 17 }, () => layouts.of(irOf(CODE), "steps").catch(({ error }) => error));
    expect(await asked.at(-1)).toBe("server_busy");
    // A thread that cannot be started leaves the graph without Graphviz.
    expect(await asked[0]).toMatchObject({ why: "too_large", drawing: { places: expect.anything() } });
  });
});

function irOf(code: string): Ir {
  const { ir } = compile(code, { catalog: builtinCatalog, strict: false });
  if (ir === null) throw new Error("the program does not compile");
  return ir;
}
