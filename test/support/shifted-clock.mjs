/**
 * Loaded into a process before everything else (`node --import`), it lies about the time of day: `WEFT_TEST_CLOCK_MS` is added to it until
 * the process is `WEFT_TEST_CLOCK_UNTIL_MS` old, when somebody sets the clock right.
 */
const ahead = Number(process.env["WEFT_TEST_CLOCK_MS"] ?? 0);
const untilMs = Number(process.env["WEFT_TEST_CLOCK_UNTIL_MS"] ?? Number.POSITIVE_INFINITY);
const now = Date.now;
Date.now = () => now() + (performance.now() < untilMs ? ahead : 0);
