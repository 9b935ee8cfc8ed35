/** Whether a step costs more with large variables: the same loop with a list of 1 KB, 100 KB and 1 MB in the frame, which is bounded. */
import type { Figure } from "../figure.ts";
import { compiledOn, LIMITS, openHost } from "../peers/weft.ts";
import type { ProbeScope } from "./probe.ts";
import { timeInTurn } from "./timing.ts";

const TURNS = 100_000;
const STEPS_A_TURN = 3;
/** `put` replaces one member of a record; the list in it is never touched. */
const LOOP = `# frame: turns: number
# frame: big: list
L1:
  Set i 0
  X o obj "a" 0
  X c lt i turns
  While c ->L2 ->L3 limit=1000000
L2:
  X i add i 1
  X o put o "a" i
  X c lt i turns
L3:
  J i
`;
const SIZES: readonly (readonly [string, number])[] = [
  ["1 KB", 1024],
  ["100 KB", 100 * 1024],
  ["1 MB", 1024 * 1024],
];
/** JSON bytes of one element with its comma. */
const ELEMENT = 16;

export async function measureFrameSize({ pace }: ProbeScope): Promise<readonly Figure[]> {
  const host = openHost();
  const ir = compiledOn(host, "frame size", LOOP);
  const limits = { ...LIMITS, max_frame_bytes: 4 * 1024 * 1024 };
  const works = SIZES.flatMap(([, bytes]) => {
    const big = Array.from(
      { length: Math.floor(bytes / ELEMENT) },
      (_, at) => `element ${String(at).padStart(5, "0")}`,
    );
    return [TURNS, 0].map((turns) => () => host.run({ ir, frame: { turns, big }, limits }));
  });
  const times = await timeInTurn(works, pace);
  // Loading the frame is in both and drops out.
  const steps = SIZES.map((_, at) => {
    const [full, empty] = [times[2 * at]?.median ?? Number.NaN, times[2 * at + 1]?.median ?? Number.NaN];
    return ((full - empty) * 1e6) / (TURNS * STEPS_A_TURN);
  });
  const group = "A step with variables of a size (max_frame_bytes set)";
  return [
    ...SIZES.map(([name], at): Figure => ({ group, name, value: steps[at] ?? Number.NaN, unit: "ns" })),
    {
      group,
      name: "1 MB against 1 KB",
      value: (steps[2] ?? Number.NaN) / (steps[0] ?? Number.NaN),
      unit: "×",
      target: { at_most: 1.2 },
    },
  ];
}
