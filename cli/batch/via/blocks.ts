/** Frames of a batch, cut into blocks that are queued as jobs with one request each. The same input is cut in the same way again. */
import type { Ir } from "../../../compiler/ir/graph.ts";
import { isPythonIr } from "../../../compiler/ir/supplied/python-form.ts";
import type { BatchItem } from "../../../vm/batch/result.ts";
import type { Piece } from "../../../vm/batch/rows/cut-lines.ts";
import { itemsOf } from "../../../vm/batch/rows/frame-lines.ts";
import { inputCheckOf, inputWarnings, problemsText } from "../../../vm/inputs/check-inputs.ts";
import { jsonOf } from "../../../vm/inputs/exact-text.ts";

/** What is wrong with a row that is not queued. */
export type RowFault = { readonly error: string; readonly message: string; readonly line?: number | undefined };
/** `frame`: its JSON. */
type BlockRow = { readonly frame: string } | { readonly fault: RowFault };
/** Rows one after the other; `from`: the index of the first. */
export type Block = { readonly from: number; readonly rows: readonly BlockRow[] };

export type FrameReading = {
  readonly ir: Ir;
  /** Label that the runs begin with; null: the program's own. */
  readonly entry: string | null;
  /** Whole numbers that lose digits are faults. */
  readonly strict: boolean;
  /** A frame that is not what the program declares is a fault. */
  readonly checks: boolean;
  readonly warn: (warning: string) => void;
};

export type Cutting = {
  /** Rows before this one are done. */
  readonly first: number;
  readonly mostRows: number;
  /** Rows of blocks that were queued before, by their first row: they are cut there again, also when the input has grown. */
  readonly known: ReadonlyMap<number, number>;
};

/** Bytes of the frames of a block. A longer frame is a block of its own. */
const MOST_BYTES = 1024 * 1024;

export async function* blocksOf(
  pieces: AsyncIterable<Piece>,
  reading: FrameReading,
  { first, mostRows, known }: Cutting,
): AsyncGenerator<Block, void> {
  let rows: BlockRow[] = [];
  let bytes = 0;
  let from = first;
  const cut = (): Block => {
    const block = { from, rows };
    from += rows.length;
    rows = [];
    bytes = 0;
    return block;
  };
  for await (const piece of pieces)
    for (const row of rowsOf(piece, reading, first)) {
      const count = known.get(from);
      const size = "frame" in row ? Buffer.byteLength(row.frame) : 0;
      const isFull = count === undefined ? rows.length >= mostRows || bytes + size > MOST_BYTES : rows.length >= count;
      if (isFull && rows.length > 0) yield cut();
      rows.push(row);
      bytes += size;
    }
  if (rows.length > 0) yield cut();
}

function* rowsOf(piece: Piece, reading: FrameReading, first: number): Generator<BlockRow, void> {
  const { strict, ir } = reading;
  const items = "bytes" in piece ? itemsOf(piece, { strict, keepsDigits: isPythonIr(ir) }) : [piece];
  for (const item of items) if (item.index >= first) yield rowOf(item, reading);
}

function rowOf(item: BatchItem, { ir, entry, checks, warn }: FrameReading): BlockRow {
  if ("fault" in item) {
    const { error, message, line } = item.fault;
    return { fault: { error, message, ...(line === undefined ? {} : { line }) } };
  }
  for (const warning of item.warnings ?? []) warn(warning);
  const found = inputCheckOf(ir, entry)?.(item.frame) ?? null;
  if (found !== null && checks && found.problems.length > 0)
    return { fault: { error: "input_invalid", message: problemsText(found.problems) } };
  if (found !== null) for (const warning of inputWarnings(found, "")) warn(warning);
  return { frame: jsonOf(item.frame) };
}
