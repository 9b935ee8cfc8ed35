/** Warnings of Node.js about listeners that add up, heard while something acts. */

/** Resolves to the messages, after warnings that are under way have come. */
export async function listenerWarnings(act: () => Promise<unknown>): Promise<readonly string[]> {
  const heard: string[] = [];
  const hear = (warning: Error): void => {
    if (warning.name === "MaxListenersExceededWarning") heard.push(warning.message);
  };
  process.on("warning", hear);
  try {
    await act();
    // A warning comes in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("warning", hear);
  }
  return heard;
}
