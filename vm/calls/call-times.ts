/** Durations of calls, by adapter. */

/** Durations kept per adapter. */
const MAX_TIMES = 4096;

/** Of a run: how many calls it made, and milliseconds by adapter. */
type CallTimes = { readonly calls: number; readonly callTimes: Map<string, number[]> };

/** Notes the duration of a call. Beyond some thousands new ones replace old ones: a run may make any number of calls. */
export function timed(m: CallTimes, adapter: string, ms: number): void {
  const times = m.callTimes.get(adapter);
  if (times === undefined) m.callTimes.set(adapter, [ms]);
  else if (times.length < MAX_TIMES) times.push(ms);
  else times[m.calls % MAX_TIMES] = ms;
}
