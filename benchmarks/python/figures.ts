/** The time of a side that runs in this process. */
import { measure, type Pace } from "../measure.ts";
import type { Side } from "../peers/side.ts";
import type { PythonMeasured } from "./sides.ts";

export async function sideFigures(side: Side, pace: Pace): Promise<PythonMeasured> {
  const { samples, last_result } = await measure(side, 1, pace);
  return { samples: samples.map(({ cpu_ms }) => cpu_ms), result: last_result };
}
