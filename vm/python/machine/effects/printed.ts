/** What a run printed, up to a bound. Branches print apart from each other; their lines follow in the order of the branches. */

/** Code units that are kept. */
const MOST_PRINTED = 65_536;

export class Printed {
  text = "";
  /** Code units more. */
  dropped = 0;
  #branches: (() => Printed | null)[] = [];

  add(text: string): void {
    const room = MOST_PRINTED - this.text.length;
    if (room > 0) this.text += text.length <= room ? text : wellFormed(text.slice(0, room));
    if (text.length > room) this.dropped += text.length - Math.max(room, 0);
  }

  /** What the branch of that number has printed. */
  branch(at: number, printed: () => Printed | null): void {
    this.#branches[at] = printed;
  }

  /** The branches have ended, or the run has. */
  join(): void {
    const branches = Object.values(this.#branches);
    this.#branches = [];
    for (const branch of branches) {
      const printed = branch();
      if (printed === null) continue;
      this.add(printed.text);
      this.dropped += printed.dropped;
    }
  }
}

/** A text that was cut inside of a character ends before it. */
function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.slice(0, -1);
}
