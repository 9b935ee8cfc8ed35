/** Rows of what the compiler puts after a call of the host (`host-calls.ts`), and of `print`. Programs reach the former by their names in Python. */
import { type Row, row } from "./row.ts";

export const HOST: readonly Row[] = [
  row(
    "print",
    "*values, sep=' ', end='\\n', file=None, flush=False",
    "None",
    "writes a line to the run",
    "print('a') is None",
    {
      cost: "n",
    },
  ),
  row("host.time", "ms, /", "float", "seconds since 1970 from the answer of the clock", "True"),
  row("host.slept", "answer, /", "None", "nothing, after a pause", "True"),
];
