/** One built-in adapter of each kind, broken in one place for each check of the kind: what the suites must find. */
import { type AdapterDefinition, anyJson, arg, type VerbDefinition, z } from "../../../adapters/definition/define.ts";
import { adapterError } from "../../../adapters/errors.ts";
import type { KindName } from "../../../adapters/testing/kinds/suite.ts";
import type { Json, JsonObject } from "../../../compiler/json.ts";

type Call = {
  readonly args: readonly (Json | undefined)[];
  readonly options: JsonObject;
  readonly settings: JsonObject;
};
type Run = (call: Call) => Promise<Json>;

/** The verb as it is to be instead; `run` is what it did, `verbs` what the others do. */
type Broken = (call: Call, run: Run, verbs: Readonly<Record<string, Run>>) => Json | Promise<Json>;
type Fault = {
  /** Each of them is broken alike. */
  readonly verbs: readonly string[];
  readonly run: Broken;
  /** In place of schemas that would refuse the arguments. */
  readonly open?: Partial<Pick<VerbDefinition, "args" | "options">>;
};

export function brokenBy(definition: AdapterDefinition, { verbs: names, run, open = {} }: Fault): AdapterDefinition {
  const runs = Object.fromEntries(
    Object.entries(definition.verbs).map(([name, verb]) => [name, async (call: Call) => verb.run(call as never)]),
  ) as Readonly<Record<string, Run>>;
  const verbs = Object.entries(definition.verbs).map(([name, verb]): [string, VerbDefinition] => {
    const was = runs[name];
    if (!names.includes(name) || was === undefined) return [name, verb];
    const { respell: _, ...rest } = verb;
    return [name, { ...rest, ...open, run: (call: Call) => run(call, was, runs) }];
  });
  return { ...definition, verbs: Object.fromEntries(verbs) };
}

/** By kind the adapter, and by title of a check what breaks it. */
export const FAULTS: Readonly<
  Record<KindName, { readonly adapter: string; readonly faults: Readonly<Record<string, Fault>> }>
> = {
  key_value: {
    adapter: "cache",
    faults: {
      "a key that was never set has no value": {
        verbs: ["get"],
        run: async (call, run) => (await run(call)) ?? "something",
      },
      "a value comes back as it was set": { verbs: ["get"], run: async (call, run) => asTexts(await run(call)) },
      "keys are kept apart or refused, whatever they are": {
        verbs: ["get", "set"],
        run: (call, run) => run({ ...call, args: call.args.map(folded) }),
      },
      "what is deleted is gone, and nothing else is": { verbs: ["delete"], run: () => true },
      "a lifetime ends by the clock of the run, and only where there is one": {
        verbs: ["setex"],
        run: (call, run) => run({ ...call, args: [call.args[0], call.args[1], 0] }),
      },
      "namespaces share no key": {
        verbs: ["get", "set"],
        run: (call, run) => run({ ...call, args: ["default", ...call.args.slice(1)] }),
      },
      "nothing is written where writing is forbidden": { verbs: ["set"], run: allowing("allow_write") },
    },
  },
  record_store: {
    adapter: "memory",
    faults: {
      "a record that was never created is not found": {
        verbs: ["get"],
        run: () => ({ found: true, record: { payload: {} } }),
      },
      "a record comes back with every member, or is refused": {
        verbs: ["get"],
        run: async (call, run) => asTexts(await run(call)),
      },
      "records are kept apart or refused, whatever their ids are": {
        verbs: ["get", "put"],
        run: (call, run) => run({ ...call, args: call.args.map(folded) }),
      },
      "an update changes what it names, of its own record": {
        verbs: ["patch"],
        run: (call, _run, { put }) => (put as Run)({ ...call, options: {} }),
      },
      "an update of no record makes none": {
        verbs: ["patch"],
        run: (call, _run, { put }) => (put as Run)({ ...call, options: {} }),
      },
      "what is deleted is gone, and nothing else is": { verbs: ["delete"], run: () => ({ ok: true, deleted: true }) },
      "a list has what there is": {
        verbs: ["list"],
        async run(call, run) {
          const page = (await run(call)) as { readonly items: readonly Json[]; readonly next_cursor: Json };
          return { ...page, items: page.items.slice(1) };
        },
      },
      "an update of an older version is a conflict and changes nothing": {
        verbs: ["patch"],
        run: (call, run) => run({ ...call, options: {} }),
      },
      "groups share no record": {
        verbs: ["get"],
        run: (call, run) => run({ ...call, args: [call.args[0], "thing", call.args[2]] }),
      },
    },
  },
  queue: {
    adapter: "queue",
    faults: {
      "an empty queue gives nothing": {
        verbs: ["take"],
        async run(call, run) {
          const taken = (await run(call)) as readonly Json[];
          return taken.length > 0 ? taken : [{ message_id: "m", payload: 1, attempts: 1, lease: "l" }];
        },
      },
      "messages are taken in the order in which they were put, as they were": {
        verbs: ["Put"],
        run: (call, run) => run({ ...call, options: { ...call.options, priority: call.args[1] === true ? -1 : 0 } }),
      },
      "queues share no message": {
        verbs: ["Put", "take"],
        run: (call, run) => run({ ...call, args: ["a", ...call.args.slice(1)] }),
      },
      "a message comes again when its lease is over, and not before": {
        verbs: ["take"],
        run: (call, run) => run({ ...call, options: { ...call.options, lease_s: 5 } }),
      },
      "an acknowledged message never comes again": { verbs: ["ack"], run: () => ({ ok: true }) },
      "a message that is given back comes again at once": { verbs: ["nack"], run: () => ({ ok: true }) },
      "a taker that lost its lease cannot end the lease of another": {
        verbs: ["ack"],
        run: (call, run) => run(call).catch(() => ({ ok: true })),
      },
      "the length counts what waits": {
        verbs: ["len"],
        run: () => ({ ready: 0, delayed: 0, leased: 0, dead: 0 }),
      },
    },
  },
  sql: {
    adapter: "sqlite",
    faults: {
      "parameters are values, whatever they contain": {
        verbs: ["query", "execute"],
        run: (call, run) => run({ ...call, args: [interpolated(call)] }),
      },
      "integers, numbers and NULL come back as they were": {
        verbs: ["query"],
        run: async (call, run) => asTexts(await run(call)),
      },
      "reading changes nothing": {
        verbs: ["query"],
        async run(call, run, { execute }) {
          const reads = String(call.args[0]).startsWith("SELECT");
          if (reads) return run(call);
          await (execute as Run)({ ...call, options: {} });
          return [];
        },
      },
      "nothing is written where writing is forbidden": { verbs: ["execute"], run: allowing("allow_write") },
      "a statement that fails leaves nothing": {
        verbs: ["execute"],
        async run(call, run) {
          const [first, ...more] = String(call.args[0]).split(/(?<=\)), (?=\(5|\(0)/);
          if (more.length > 0) await run({ ...call, args: [first] });
          return run(call);
        },
      },
      "more rows than are allowed are an error, never cut off": {
        verbs: ["query"],
        run: (call, run) =>
          run(call).catch(() => run({ ...call, args: [`${String(call.args[0])} LIMIT 2`, ...call.args.slice(1)] })),
      },
    },
  },
  mail: {
    adapter: "email",
    faults: {
      "a message arrives once, at those it is for, as it was written": {
        verbs: ["send"],
        run: (call, run) => run({ ...call, args: call.args.slice(0, 3) }),
      },
      "recipients of blind copies are invisible": {
        verbs: ["send"],
        run({ args: [to, subject, body, , bcc], ...call }, run) {
          return run({ ...call, args: [to, subject, body, bcc] });
        },
      },
      "a subject cannot begin another header": {
        verbs: ["send"],
        open: { args: anyArgs(5) },
        run: ({ args: [to, subject, body], ...call }, run) =>
          run(injecting(call, [to, oneLine(subject), body], subject)),
      },
      "an address cannot begin another header": {
        verbs: ["send"],
        open: { args: anyArgs(5) },
        run: ({ args: [to, subject, body], ...call }, run) => run(injecting(call, ["ann@x.test", subject, body], to)),
      },
      "the value of a header cannot begin another one": {
        verbs: ["send"],
        open: { options: z.strictObject({ headers: z.record(z.string(), z.string()).default({}) }) },
        run({ args, ...call }, run) {
          const { headers = {} } = call.options as { readonly headers?: Readonly<Record<string, string>> };
          const written = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
          const lines = written.flatMap((line) => line.split(/[\r\n]+/)).filter((line) => !line.startsWith("Bcc"));
          const read = Object.fromEntries(lines.map((line) => line.split(": ", 2) as [string, string]));
          return run({ ...call, args, options: { ...call.options, headers: read } });
        },
      },
      "an invalid address is refused, and nothing is sent": {
        verbs: ["send"],
        open: { args: anyArgs(5) },
        run: (call, run) => run({ ...call, args: ["ann@x.test", ...call.args.slice(1, 3)] }),
      },
      "nothing is sent where sending is forbidden": { verbs: ["send"], run: allowing("allow_send") },
    },
  },
  calendar: {
    adapter: "calendar",
    faults: {
      "an event that was made is listed in its own time and in no other": {
        verbs: ["list"],
        run: (call, run) => run({ ...call, args: ["2031-05-01", "2031-06-01"] }),
      },
      "a title is a value, whatever it contains": {
        verbs: ["create"],
        run: (call, run) => run(changing(call, 0, ({ title }) => ({ title: String(title).replaceAll(/[,;\\]/g, "") }))),
      },
      "an event is returned by its id; an unknown id is not found": {
        verbs: ["get"],
        run: async (call, run) => (await run(call)) ?? { title: "Review" },
      },
      "an update changes what it names, of its own event": {
        verbs: ["update"],
        run: (call, run) => run(changing(call, 1, () => ({ end: "2031-05-05T11:00:00Z" }))),
      },
      "what is deleted is gone, and deleting it again does no harm": {
        verbs: ["delete"],
        run: () => ({ deleted: true }),
      },
      "an update of an older state is a conflict and changes nothing": {
        verbs: ["update"],
        run: (call, run) => run({ ...call, options: { scope: "all" } }),
      },
      "a deletion of an older state is a conflict and deletes nothing": {
        verbs: ["delete"],
        run: (call, run) => run({ ...call, options: {} }),
      },
      "an event that ends before it begins is refused": {
        verbs: ["create"],
        run: (call, run) => run(changing(call, 0, ({ start }) => ({ end: String(start).replace("T10", "T11") }))),
      },
    },
  },
  probe: {
    adapter: "svc",
    faults: {
      "a target that is well is said to be": {
        verbs: ["status"],
        run: async (call, run) => ({ ...((await run(call)) as JsonObject), ok: false }),
      },
      "a target that is down is an answer, not an error": failingProbe(),
      "a target that is ill is an answer, not an error": failingProbe(),
      "a target that is slow is an answer, not an error": failingProbe(),
      "a target that may not be asked about is an error, not an answer": {
        verbs: ["status"],
        run: (call, run) => run(call).catch(() => ({ ok: false })),
      },
      "asking changes nothing, neither what there is nor the next answer": {
        verbs: ["status"],
        run: counting((call, run, times) => (times > 2 ? { ok: true } : run(call))),
      },
    },
  },
  http_client: {
    adapter: "http",
    faults: {
      "an answer comes of one request": {
        verbs: ["Get"],
        run: async (call, run) => (await run(call)) && run(call),
      },
      "a server that is ill is asked once: repeating is the program's": {
        verbs: ["Get"],
        run: (call, run) =>
          run(call).then(
            (answer) => (isWell(answer) ? answer : run(call)),
            () => run(call),
          ),
      },
      "a redirect leads to no host that is not allowed": unguarded(),
      "redirects in a circle end": {
        verbs: ["Get"],
        async run(call, run) {
          for (let more = 5; more > 0; more--) await run(call).catch(() => null);
          return run(call);
        },
      },
      "an answer without end is given up": neverFailing(),
      "an answer that is cut off is an error": neverFailing(),
      "a server that is not there is ADAPTER_TRANSPORT": neverFailing(),
      "no other host is asked, however its address is written": unguarded(),
      "the value of a header cannot begin another one": {
        verbs: ["Get"],
        open: { args: anyArgs(2) },
        run({ args: [url, headers], ...call }, run) {
          const written = Object.entries(headers as JsonObject).map(([name, value]) => `${name}: ${String(value)}`);
          const lines = written.flatMap((line) => line.split(/[\r\n]+/));
          const read = Object.fromEntries(lines.map((line) => line.split(": ", 2) as [string, string]));
          return run({ ...call, args: [url, read] });
        },
      },
    },
  },
};

function folded(value: Json | undefined): Json | undefined {
  return typeof value === "string" ? value.toLowerCase() : value;
}

/** The same value with texts in place of numbers. */
function asTexts(value: Json): Json {
  return JSON.parse(
    JSON.stringify(value, (_name, one: unknown) => (typeof one === "number" ? String(one) : one)),
  ) as Json;
}

function allowing(setting: string): Broken {
  return (call, run) => run({ ...call, settings: { ...call.settings, [setting]: true } });
}

function anyArgs(count: number): VerbDefinition["args"] {
  const places: z.ZodType[] = Array.from({ length: count }, (_, place) => arg(`a${place}`, anyJson().optional()));
  return z.tuple(places as [z.ZodType]);
}

/** The statement with its parameters written into it. */
function interpolated({ args: [text, params] }: Call): string {
  const values = [...((params ?? []) as readonly Json[])];
  return String(text).replaceAll("?", () => `'${String(values.shift())}'`);
}

/** A message whose headers begin where the lines of a text do. */
function injecting(call: Omit<Call, "args">, args: Call["args"], text: Json | undefined): Call {
  const injected = String(text).includes("X-Injected");
  return { ...call, args, options: { ...call.options, headers: injected ? { "X-Injected": "1" } : {} } };
}

function oneLine(value: Json | undefined): string {
  return String(value).split(/[\r\n]/)[0] ?? "";
}

/** A call with an object changed that stands in one of the places. */
function changing(call: Call, place: number, change: (given: JsonObject) => JsonObject): Call {
  const args = call.args.map((given, at) =>
    at === place ? { ...(given as JsonObject), ...change(given as JsonObject) } : given,
  );
  return { ...call, args };
}

function failingProbe(): Fault {
  return {
    verbs: ["status"],
    async run(call, run) {
      const answer = await run(call);
      if (isWell(answer)) return answer;
      throw adapterError("ADAPTER_UNAVAILABLE", "the service does not answer");
    },
  };
}

function isWell(answer: Json): boolean {
  return (answer as { readonly ok: boolean }).ok;
}

function counting(run: (call: Call, run: Run, times: number) => Json | Promise<Json>): Broken {
  let times = 0;
  return (call, was) => run(call, was, ++times);
}

/** Asks past the guarded client. */
function unguarded(): Fault {
  return {
    verbs: ["Get"],
    async run(call, run) {
      await fetch(String(call.args[0])).catch(() => null);
      return run(call);
    },
  };
}

function neverFailing(): Fault {
  return { verbs: ["Get"], run: (call, run) => run(call).catch(() => ({ ok: true })) };
}
