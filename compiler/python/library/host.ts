/**
 * Rows of `print`, and of what the compiler puts around the answers of the host (`lowering/host-calls.ts`). Programs reach the latter by their names
 * in Python, such as `datetime.now`.
 */
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
  row("host.time", "seconds, /", "float", "seconds since 1970, from the answer of the clock", "True"),
  row("host.sleep_ms", "seconds, /", "int", "the milliseconds of a pause", "True", { raises: "ValueError" }),
  row("host.slept", "answer, /", "None", "nothing, after a pause", "True"),
  row("host.datetime_now", "seconds, tz=None", "datetime", "the time of the clock", "True"),
  row("host.date_today", "seconds, /", "date", "the day of the clock", "True"),
  row("host.uuid4", "written, /", "UUID", "an identifier that the host drew", "True"),
  row("host.random.random", "written, /", "float", "a number from 0 up to 1, without 1", "True"),
  row("host.random.uniform", "written, /, a, b", "float", "a number from a to b", "True"),
  row("host.random.randint", "written, /, a, b", "int", "an int from a to b, both included", "True", {
    raises: "ValueError",
  }),
  row("host.random.randrange", "written, start, /, stop=None, step=1", "int", "a member of a range", "True", {
    raises: "ValueError",
  }),
  row("host.random.choice", "written, /, seq", "Any", "an element of a sequence", "True", { raises: "IndexError" }),
  row(
    "host.random.choices",
    "written, /, population, weights=None, *, k=1",
    "list",
    "elements, perhaps repeated",
    "True",
    {
      raises: "IndexError ValueError",
      cost: "n",
    },
  ),
  row("host.random.sample", "written, /, population, k", "list", "elements, each at most once", "True", {
    raises: "ValueError",
    cost: "n",
  }),
  row("host.random.shuffle", "written, /, x", "None", "a list in another order, in place", "True", { cost: "n" }),
  row("weft.Response.json", "self, /, **kwargs", "Any", "the body of an answer of http as data", "True", {
    raises: "ValueError",
  }),
  row("weft.Response.raise_for_status", "self, /", "None", "nothing, or AdapterError from 400 on", "True"),
];

/** The verb of core, and the function of the library that makes the value of Python from its answer. */
export type HostCall = { readonly verb: string; readonly makes: string };

/** By the name of the library: what asks the host where it is called, and can only be called. */
export const HOST_CALLS: Readonly<Record<string, HostCall>> = {
  "time.time": { verb: "NOW", makes: "host.time" },
  "datetime.datetime.now": { verb: "NOW", makes: "host.datetime_now" },
  "datetime.datetime.utcnow": { verb: "NOW", makes: "host.datetime_now" },
  "datetime.datetime.today": { verb: "NOW", makes: "host.datetime_now" },
  "datetime.date.today": { verb: "NOW", makes: "host.date_today" },
  "uuid.uuid4": { verb: "UUID", makes: "host.uuid4" },
  ...Object.fromEntries(
    ["random", "uniform", "randint", "randrange", "choice", "choices", "sample", "shuffle"].map((name) => [
      `random.${name}`,
      { verb: "UUID", makes: `host.random.${name}` },
    ]),
  ),
  "time.sleep": { verb: "SLEEP", makes: "host.slept" },
};

/** Whether a function of the library asks the host. */
export function isHostCall(name: string): boolean {
  return Object.hasOwn(HOST_CALLS, name);
}
