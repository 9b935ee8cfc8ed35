/** Rows of `print` and of answers of http, and what asks the host for its answer where it is called. */
import { type Row, row } from "./row.ts";

export const HOST: readonly Row[] = [
  row(
    "print",
    "*values, sep=' ', end='\\n', file=None, flush=False",
    "None",
    "writes a line to the run",
    "print('a') is None",
    { cost: "n" },
  ),
  row("weft.Response.json", "self, /, **kwargs", "Any", "the body of an answer of http as data", "True", {
    raises: "ValueError",
  }),
  row("weft.Response.raise_for_status", "self, /", "None", "nothing, or AdapterError from 400 on", "True"),
];

/**
 * The verb of core, and the function of the library that makes the value of Python from its answer. `upTo`: with more arguments the call is one of
 * the library, which asks nothing: `time.gmtime(0)`.
 */
export type HostCall = { readonly verb: string; readonly makes: string; readonly upTo?: number };

const atClock = (makes: string, upTo?: number): HostCall => ({
  verb: "NOW",
  makes: `host.${makes}`,
  ...(upTo === undefined ? {} : { upTo }),
});

/** By the name of the library: what asks the host where it is called, and can only be called. */
const HOST_CALLS: Readonly<Record<string, HostCall>> = {
  ...Object.fromEntries(
    ["time", "monotonic", "perf_counter"].flatMap((name) => [
      [`time.${name}`, atClock("time")],
      [`time.${name}_ns`, atClock("time_ns")],
    ]),
  ),
  "time.gmtime": atClock("gmtime", 0),
  "time.localtime": atClock("localtime", 0),
  "time.ctime": atClock("ctime", 0),
  "time.asctime": atClock("ctime", 0),
  "time.strftime": atClock("strftime", 1),
  "datetime.datetime.now": atClock("datetime_now"),
  "datetime.datetime.utcnow": atClock("datetime_now"),
  "datetime.datetime.today": atClock("datetime_now"),
  "datetime.date.today": atClock("date_today"),
  "uuid.uuid4": { verb: "UUID", makes: "host.uuid4" },
  ...Object.fromEntries(
    ["random", "uniform", "randint", "randrange", "choice", "choices", "sample", "shuffle"].map((name) => [
      `random.${name}`,
      { verb: "UUID", makes: `host.random.${name}` },
    ]),
  ),
  "time.sleep": { verb: "SLEEP", makes: "host.slept" },
};

/** What a call of a function with N arguments asks of the host; null: nothing. */
export function hostCall(name: string, args: number): HostCall | null {
  if (!Object.hasOwn(HOST_CALLS, name)) return null;
  const found = HOST_CALLS[name] as HostCall;
  return found.upTo === undefined || args <= found.upTo ? found : null;
}

/** Whether a function of the library asks the host whatever it is given, so that it can only be called. */
export function isHostCall(name: string): boolean {
  return Object.hasOwn(HOST_CALLS, name) && HOST_CALLS[name]?.upTo === undefined;
}
