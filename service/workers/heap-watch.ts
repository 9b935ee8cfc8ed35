/**
 * Checks a thread's heap after each full collection, when everything left is live: above its share the thread ends itself. The
 * engine's own limit does not help: it counts garbage as well, and ends the whole process when that exceeds it by more than 16 MiB.
 */
import { constants, PerformanceObserver } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";

/** How such a thread exits. */
export const HEAP_LIMIT_EXIT = 86;
/** Above twice a thread's share, until the engine's limit. */
export const HEAP_SPARE_MB = 64;

const MIB = 1024 * 1024;

/** Ends the thread that calls this when more than `heapMb` MiB are live. */
export function watchHeap(heapMb: number): void {
  const observer = new PerformanceObserver((list) => {
    const wasFull = list.getEntries().some(({ detail }) => isFull(detail));
    if (wasFull && isHeapUsedUp(heapMb)) process.exit(HEAP_LIMIT_EXIT);
  });
  observer.observe({ entryTypes: ["gc"] });
}

/** Garbage counts until it is collected: after a run, the next one would be blamed for what is left. */
export function isHeapUsedUp(heapMb: number): boolean {
  return getHeapStatistics().used_heap_size > heapMb * MIB;
}

function isFull(detail: unknown): boolean {
  return (detail as { readonly kind?: number } | undefined)?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
