/** Queues: the suite of all implementations. Processes that die: `processes.test.ts`. */
import { IMPLEMENTATIONS } from "./bench.ts";
import { queueSuite } from "./queue-suite.ts";

for (const [name, open] of IMPLEMENTATIONS) queueSuite(name, open);
