/** Numbers and the order of keys on their way between Python programs and adapters: what arrives is what CPython's json module would read and write. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AdaptersWorld, adaptersWorld } from "./adapters-world.ts";

let world: AdaptersWorld;
beforeAll(async () => {
  world = await adaptersWorld();
});
afterAll(() => world.close());

const ODD = '{"10":2.0,"9":2,"big":12345678901234567890123,"deep":[{"x":-0.0,"e":1e3}],"s":"5.0, 6.0"}';
const READ = '{"10":2.0,"9":2,"big":12345678901234567890123,"deep":[{"x":-0.0,"e":1000.0}],"s":"5.0, 6.0"}';

describe("answers of http", () => {
  it("keep floats, long ints and the order of keys of a JSON body", async () => {
    world.answer = ODD;
    expect(await world.text('def main():\n    return http.Get("BASE").body')).toBe(READ);
  });

  it("are what r.json() gives, and the program knows which is which", async () => {
    world.answer = '{"a": 2.0, "b": 2, "c": 9007199254740993}';
    const source = `def main():
    r = http.Get("BASE")
    d = r.json()
    return [f"{d['a']} {d['b']} {d['c'] + 1}", type(d["a"]).__name__, isinstance(d["b"], int), r.headers["Content-Type"]]`;
    expect(await world.text(source)).toBe('["2.0 2 9007199254740994","float",true,"application/json"]');
  });

  it("keep a body that is a number alone", async () => {
    world.answer = "2.0";
    expect(await world.text('def main():\n    return http.Get("BASE").body')).toBe("2.0");
  });
});

describe("functions of core", () => {
  it("take whole floats as numbers, and no int that is too long for one", async () => {
    expect(await world.text("def main():\n    return core.MUL(2, 12.0)")).toBe("24");
    await expect(world.text("def main():\n    return core.MUL(2, 2 ** 70)")).rejects.toThrow("not a number");
  });
});

describe("bodies that are sent", () => {
  it.each([
    ['http.Post("BASE", {"a": 2.0, "n": 2})', '{"a":2.0,"n":2}'],
    ['http.Post("BASE", json={"a": 2.0, "big": 2 ** 70})', '{"a":2.0,"big":1180591620717411303424}'],
    ['http.Post("BASE", {"10": 1, "9": 2}, timeout=5)', '{"10":1,"9":2}'],
    ['http.Post("BASE", {"10": 1, "9": 2.0}, {"accept": "x"}, 5)', '{"10":1,"9":2.0}'],
    ['http.Post("BASE", 2.0)', "2.0"],
    ['http.Post("BASE", [2 ** 60, 1.5])', "[1152921504606846976,1.5]"],
    ['http.Post("BASE", {"a": 2.0, "l": [1, 2.0]}, body_type="form")', "a=2.0&l=1&l=2.0"],
  ])("%s sends %s", async (call, sent) => {
    world.answer = "null";
    await world.text(`def main():\n    ${call}\n    return 1`);
    expect(world.bodies.at(-1)).toBe(sent);
  });
});

describe("details of an error", () => {
  const CAUGHT = `def main():
    try:
        http.Get("BASE")
    except AdapterError as error:
        return error.details["body"]`;

  afterEach(() => {
    world.status = 200;
  });

  it.each([ODD, "2.0"])("keep what the server sent: %s", async (body) => {
    Object.assign(world, { status: 404, answer: body });
    expect(await world.text(CAUGHT)).toBe(body === ODD ? READ : body);
  });

  it("keep it in a record and in a journal", async () => {
    Object.assign(world, { status: 404, answer: ODD });
    const first = await world.run(CAUGHT, { record: true });
    const { records } = await world.durable(CAUGHT, []);
    Object.assign(world, { status: 200, answer: "1" });
    const replay: unknown = JSON.parse(JSON.stringify(first.record));
    expect(await world.run(CAUGHT, { replay })).toMatchObject({ ok: true, out_text: READ });
    const kept = JSON.parse(JSON.stringify(records));
    expect((await world.durable(CAUGHT, kept)).answer).toMatchObject({ ok: true, out_text: READ });
  });

  it("end the run where an adapter of plain functions gave an int that JavaScript has changed", async () => {
    const call = `def main():
    try:
        agent.read_result("a")
    except AdapterError:
        return "caught"`;
    await expect(world.text(call)).rejects.toThrow(/NOT_EXACT/);
  });
});

const KEPT: readonly (readonly [what: string, source: string])[] = [
  ["cache", 'cache.set("k", VALUE)\n    return cache.get("k")'],
  ["queue", 'queue.Put("q", VALUE)\n    return queue.take("q")[0].payload'],
  [
    "memory",
    'memory.put("workflow", "kind", "a", {"v": VALUE, "entries": [VALUE]})\n    m = memory.get("workflow", "kind", "a").record.payload\n    assert m["entries"] == [VALUE] and repr(m["entries"]) == repr([m["v"]])\n    return m["v"]',
  ],
  [
    "a log of memory",
    'memory.append("workflow", "log", "b", {"v": VALUE})\n    return memory.get("workflow", "log", "b").record.payload["entries"][-1]["v"]',
  ],
  [
    "a patch of memory",
    'memory.put("workflow", "kind", "c", {"v": 1, "w": VALUE})\n    memory.patch("workflow", "kind", "c", {"v": VALUE})\n    p = memory.get("workflow", "kind", "c").record.payload\n    assert repr(p["v"]) == repr(p["w"])\n    return p["v"]',
  ],
  [
    "documents of db",
    'made = db.C("Item", {"v": VALUE})\n    found = db.F("Item", {"id": made["id"]})[0]\n    assert repr(found["v"]) == repr(made["v"])\n    return found["v"]',
  ],
];

describe.each(KEPT)("a value that %s keeps", (_what, source) => {
  it.each([
    ["2.0", "2.0"],
    ["2", "2"],
    ["2 ** 63", "9223372036854775808"],
    ['{"10": 2.0, "9": [1e16, 3]}', '{"10":2.0,"9":[1e+16,3]}'],
  ])("%s comes back as it was", async (value, text) => {
    expect(await world.text(`def main():\n    ${source.replaceAll("VALUE", value)}`)).toBe(text);
  });
});

describe("calls of cache without a namespace", () => {
  it.each([
    ['cache.set("t1", "v", ttl_s=60)', 't1", default="d"', '"v"'],
    ['cache.set("t2", {"a": 1}, 60)', 't2", default="d"', '{"a":1}'],
    ['cache.set("t3", None, ttl_s=60)', 't3", default="d"', "null"],
    ['cache.set("t4", "v", if_absent=True)', 't4"', '"v"'],
    ['cache.incr("t5", by=2, ttl_s=60)', 't5"', "2"],
    ['cache.set("t6", "v")', 'never", default="d"', '"d"'],
    ['cache.set("default", "t7", "v", ttl_s=60)', 't7"', '"v"'],
  ])("%s is found under its key", async (set, key, found) => {
    expect(await world.text(`def main():\n    ${set}\n    return cache.get("${key})`)).toBe(found);
  });
});

it("an option of memory.append leaves the lifetime of its record as it is", async () => {
  const source = `def main():
    memory.put("workflow", "log", "life", {"entries": []}, 3600)
    memory.append("workflow", "log", "life", {"v": 1}, idempotency_key="a")
    return memory.get("workflow", "log", "life").record.ttl_seconds`;
  expect(await world.text(source)).toBe("3600");
});

describe("values of SQL", () => {
  it("REAL columns and averages are floats, integers are ints of any length", async () => {
    const source = `def main():
    sqlite.execute("CREATE TABLE t (a REAL, b INTEGER, c)")
    sqlite.execute("INSERT INTO t VALUES (?, ?, ?)", [2, 9223372036854775807, 3.0])
    sqlite.batch([["INSERT INTO t VALUES (:a, :b, :c)", {"a": 4.0, "b": 3, "c": 5}]])
    rows = sqlite.query("SELECT a, b, c, (SELECT avg(b) FROM t WHERE b < 9) AS m FROM t ORDER BY a")
    return [rows, [type(v).__name__ for v in rows[0].values()], f"{rows[0]['a']}"]`;
    expect(await world.text(source)).toBe(
      '[[{"a":2.0,"b":9223372036854775807,"c":3.0,"m":3.0},{"a":4.0,"b":3,"c":5,"m":3.0}],["float","int","float","float"],"2.0"]',
    );
  });

  it("an int of more than 64 bits is refused", async () => {
    await expect(world.text('def main():\n    return sqlite.query("SELECT ?", [2 ** 70])')).rejects.toThrow(/64 bits/);
  });
});

describe("data for people and other jobs", () => {
  it.each(['approval.ask("Pay?", details={"n": 2 ** 60})', 'signal.send("paid", {"total": 10.0}, key="k")'])(
    "%s says no more than its adapter keeps",
    async (call) => {
      await expect(world.text(`def main():\n    ${call}\n    return 1`)).rejects.toThrow(/ADAPTER/);
    },
  );
});

describe("adapters of plain functions", () => {
  it("get no int that JavaScript would change", async () => {
    await expect(world.text('def main():\n    return agent.send_task({"n": 2 ** 60})')).rejects.toThrow(/NOT_EXACT/);
  });
});

describe("a record", () => {
  it("keeps what answers and arguments say, and a replay gives it again", async () => {
    world.answer = ODD;
    const source = 'def main():\n    return http.Post("BASE", {"a": 2.0, "n": 2 ** 60}).body';
    const first = await world.run(source, { record: true });
    expect(first).toMatchObject({ ok: true, out_text: READ });
    const record: unknown = JSON.parse(JSON.stringify(first.record));
    world.answer = "1";
    const second = await world.run(source, { replay: record });
    expect(second).toMatchObject({ ok: true, out_text: READ });
    const other = await world.run(source.replace("2 ** 60", "2 ** 60 + 1"), { replay: record });
    expect(other).toMatchObject({ ok: false, error: { code: "RUNTIME_REPLAY_MISMATCH" } });
    const float = await world.run(source.replace("2.0", "2"), { replay: record });
    expect(float).toMatchObject({ ok: true, out_text: READ });
  });
});

describe("a durable run that is continued", () => {
  it("gets from its journal what the answers were", async () => {
    world.answer = ODD;
    const source = `def main():
    a = http.Get("BASE/a").body
    cache.set("durable", 4.0)
    b = cache.get("durable")
    return [a, b, http.Get("BASE/b").body]`;
    const whole = await world.durable(source, []);
    expect(whole.answer).toMatchObject({ ok: true, out_text: `[${READ},4.0,${READ}]` });
    world.answer = "7.0";
    const kept: unknown = JSON.parse(JSON.stringify(whole.records.slice(0, -1)));
    const again = await world.durable(source, kept as typeof whole.records);
    expect(again.answer).toMatchObject({ ok: true, out_text: `[${READ},4.0,7.0]` });
  });
});
