/** The module time: what it makes of the clock of the host, and of tuples of times. The local zone of a run is UTC. */
import { datetimeOfEpoch, wholeSeconds } from "../../dates/instants.ts";
import { readTime } from "../../dates/strptime.ts";
import { inWords, secondsOf, structInWords, structOf, structOfFields, structText } from "../../dates/struct-time.ts";
import { PyStructTime, STRUCT_TIME_TYPE } from "../../kinds/dates.ts";
import { floatOf, intOf } from "../../kinds/float.ts";
import { PyList, PyTuple } from "../../kinds/list.ts";
import { notExact } from "../../not-exact.ts";
import { Bytes, type Context, type Natives, type Value } from "../../object.ts";
import { made, textOf } from "../arguments.ts";
import type { Part } from "../registry.ts";

const NANOS = 1_000_000_000n;
/** What C's localtime calls the zone, and its gmtime. */
const LOCAL = "UTC";
const UNIVERSAL = "GMT";

/** Nothing asks the host here: a call without an argument was made a call of the host by the compiler. */
function given(value: Value, called: string): Value {
  if (value === null) throw notExact(`write time.${called} without an argument for the present time`);
  return value;
}

function structAt(ctx: Context, seconds: Value, zone: string): PyStructTime {
  return structOf(ctx, datetimeOfEpoch(wholeSeconds(seconds) * 1_000_000n, null), 0, zone, 0);
}

const ctime = (ctx: Context, seconds: Value): string =>
  made(ctx, inWords(datetimeOfEpoch(wholeSeconds(seconds) * 1_000_000n, null), 1));

function strftime(ctx: Context, format: Value, time: Value): string {
  const text = textOf(format, "strftime() argument 1");
  ctx.charge(text.length * 8);
  return made(ctx, structText(text, time));
}

function strptime(ctx: Context, text: Value, format: Value): PyStructTime {
  if (typeof text !== "string" || typeof format !== "string") throw notExact("time.strptime takes two texts");
  const { year, month, day, hour, minute, second, weekday, dayOfYear, zone, zoneName } = readTime(text, format, ctx);
  ctx.alloc(Bytes.Object + 9 * Bytes.Element);
  const items = [year, month, day, hour, minute, second, weekday, dayOfYear, zoneName === null ? -1 : 0];
  return new PyStructTime(items, zoneName, zone === null ? null : Math.trunc(zone.offset / 1_000_000));
}

/** What the compiler puts around an answer of the clock. */
const CLOCK: Natives = {
  "host.time": (_ctx, seconds) => floatOf(seconds as number),
  "host.time_ns": (_ctx, seconds) => intOf(BigInt(seconds as number) * NANOS),
  "host.gmtime": (ctx, seconds) => structAt(ctx, seconds, UNIVERSAL),
  "host.localtime": (ctx, seconds) => structAt(ctx, seconds, LOCAL),
  "host.ctime": ctime,
  "host.strftime": (ctx, seconds, format) => strftime(ctx, format, structAt(ctx, seconds, LOCAL)),
};

const natives: Natives = {
  ...CLOCK,
  "time.struct_time": (ctx, sequence) => {
    if (!(sequence instanceof PyTuple || sequence instanceof PyList))
      throw notExact("struct_time is made from a tuple or a list");
    return structOfFields(ctx, sequence.items);
  },
  "time.gmtime": (ctx, seconds) => structAt(ctx, given(seconds, "gmtime()"), UNIVERSAL),
  "time.localtime": (ctx, seconds) => structAt(ctx, given(seconds, "localtime()"), LOCAL),
  "time.ctime": (ctx, seconds) => ctime(ctx, given(seconds, "ctime()")),
  "time.asctime": (ctx, time) => made(ctx, structInWords(given(time, "asctime()"))),
  "time.mktime": (_ctx, time) => floatOf(secondsOf(time)),
  "time.strftime": (ctx, format, time) => strftime(ctx, format, given(time, "strftime(format)")),
  "time.strptime": strptime,
};

export const CLOCKS: Part = {
  natives,
  types: { "time.struct_time": STRUCT_TIME_TYPE },
  values: {
    "time.timezone": 0,
    "time.altzone": 0,
    "time.daylight": 0,
    "time.tzname": new PyTuple([LOCAL, LOCAL]),
  },
};
