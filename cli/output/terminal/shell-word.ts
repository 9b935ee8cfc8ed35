/**
 * A word of a command line that people copy into a shell, or that a shell reads from us. Names and literals of programs stand in such lines:
 * nothing in them may be read as shell.
 */
const PLAIN = /^[\w./:@+,-]+$/;

/** As POSIX shells read it: itself, or between single quotes. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : quotedWord(text);
}

/** The same, always between single quotes. */
export function quotedWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
