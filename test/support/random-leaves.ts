/** Says at random, the same in every process, whether generated code leaves where it is asked; `WEFT_SEED` gives another order. */
export function randomLeaves(share: number): () => boolean {
  let state = Number(process.env["WEFT_SEED"] ?? 1) | 0;
  return () => {
    // Numbers of Lehmer's generator for 31 bits.
    state = (state * 48_271) % 2_147_483_647 || 1;
    return Math.abs(state) < share * 2_147_483_647;
  };
}
